/**
 * Workers that run units of a training beside the one that leads it. A unit depends on its index alone and what it finds is merged
 * by a rule that knows no time, so the tree is the one that a single worker would have found, to the byte.
 *
 * The page sees the restarts of the leader move. With what it found, a unit brings trees that it passed through, so that the leader's
 * film can show how a winner came about that ran elsewhere. A helper that dies costs its unit's time: the unit goes back.
 */
import type { Request, TrainSettings } from '../protocol';
import { Client, WorkerLost, type Asking, type WorkerLike } from './client';
import type { Reply } from '../messages';

/** More workers than this bring little and take memory. */
const MOST_WORKERS = 4;

/** Every worker reads the file for itself; together they may read this many bytes. */
const MOST_BYTES = 256 * 2 ** 20;

/** A training that ends sooner than this is not worth the workers, in milliseconds. */
export const POOL_AFTER_MS = 400;

/**
 * How many workers train together, the leader among them.
 *
 * @param cores  what the machine has; one is left to the page
 * @param units  independent pieces of the training
 * @param bytes  of the file
 */
export function workersFor(cores: number, units: number, bytes: number): number {
  return Math.max(1, Math.min(cores - 1, MOST_WORKERS, units, Math.floor(MOST_BYTES / Math.max(1, bytes))));
}

/** What the pool works on. */
export interface Shared {
  run: number;
  settings: TrainSettings;
  /** How the file is read, and the file. */
  load: Extract<Request, { kind: 'load' }>;
  file: Blob;
}

/** What the pool needs of others. */
export interface Around {
  spawn(): WorkerLike;
  /** Asks the leader. */
  lead(request: Asking, bytes?: Uint8Array<ArrayBuffer>): Promise<Reply>;
  /** Hears of a unit that has ended. */
  onUnit(reply: Reply): void;
  /** Hears how many workers there are now, the leader among them. */
  onWorkers(count: number): void;
}

export class Pool {
  private readonly helpers = new Set<Helper>();
  /** Set while the training is held; whoever has no unit yet waits for it. */
  private held: { until: Promise<void>; release(): void } | null = null;
  private closed = false;

  constructor(
    readonly shared: Shared,
    private readonly around: Around,
  ) {}

  /** Starts so many helpers. */
  start(count: number): void {
    for (let number = 0; number < count; number++) void this.employ();
  }

  /** Holds the helpers, or lets them go on. */
  hold(hold: boolean): void {
    if (hold === (this.held !== null)) return;
    if (hold) {
      let release = () => {};
      const until = new Promise<void>((resolve) => (release = resolve));
      this.held = { until, release };
    } else {
      this.held?.release();
      this.held = null;
    }
    for (const { client } of this.helpers) client.steer({ kind: hold ? 'pause' : 'resume', run: this.shared.run });
  }

  /** Ends the helpers; nothing more is heard of them. */
  close(): void {
    this.closed = true;
    this.held?.release();
    for (const helper of this.helpers) helper.client.close();
    this.helpers.clear();
  }

  private async employ(): Promise<void> {
    const { run, settings, load, file } = this.shared;
    const helper = new Helper(this.around.spawn);
    this.helpers.add(helper);
    /** The unit it has borrowed. */
    let borrowed: number | null = null;
    try {
      expect(await helper.client.request({ ...load, run }, file), 'loaded');
      expect(await helper.client.request({ kind: 'help', run, settings }), 'helping');
      helper.ready = true;
      this.around.onWorkers(this.count());
      for (;;) {
        await this.held?.until;
        if (this.closed) return;
        const lent = expect(await this.around.lead({ kind: 'lend', run }), 'lent');
        borrowed = lent.index;
        if (borrowed === null || this.closed) return;
        const found = await helper.unit(run, borrowed);
        if (this.closed) return;
        await this.around.lead({ kind: 'take', run, index: borrowed }, found.bytes);
        borrowed = null;
        this.around.onUnit(found);
      }
    } catch (error) {
      if (!(error instanceof WorkerLost || error instanceof Refused)) throw error;
      // Without what it found, the unit is run by another.
      if (borrowed !== null && !this.closed) await this.around.lead({ kind: 'take', run, index: borrowed }).catch(() => null);
      this.helpers.delete(helper);
      if (!this.closed) this.around.onWorkers(this.count());
    } finally {
      helper.client.close();
      this.helpers.delete(helper);
    }
  }

  /** Workers now: the leader, and whoever is ready to help. */
  private count(): number {
    return 1 + [...this.helpers].filter(({ ready }) => ready).length;
  }
}

/** The leader or a helper answered something else. */
class Refused extends Error {}

function expect<Kind extends Reply['event']['kind']>({ event }: Reply, kind: Kind): Extract<Reply['event'], { kind: Kind }> {
  if (event.kind === kind) return event as Extract<Reply['event'], { kind: Kind }>;
  throw new Refused(event.kind);
}

/** A worker of the pool. */
class Helper {
  readonly client: Client;
  /** It has read the file. */
  ready = false;
  private waiting: { resolve(reply: Reply): void; reject(error: Error): void } | null = null;

  constructor(spawn: () => WorkerLike) {
    this.client = new Client(spawn, {
      onReply: (reply) => {
        if (reply.event.kind === 'unit') this.waiting?.resolve(reply);
      },
      // Its unit goes back, and no other takes its place.
      onLost: (reason) => {
        this.client.close();
        this.waiting?.reject(new WorkerLost(reason));
      },
    });
  }

  /** Runs a unit to its end. */
  async unit(run: number, index: number): Promise<Reply> {
    const found = new Promise<Reply>((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
    // It may be lost before it has begun.
    found.catch(() => {});
    expect(await this.client.request({ kind: 'unit', run, index }), 'helping');
    return found;
  }
}
