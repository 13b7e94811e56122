/**
 * Workers that run units of a training for the worker that leads it. A unit depends only on its index, and
 * the rule that merges results does not depend on time. So the tree is the same as with a single worker, to
 * the byte.
 *
 * The page sees only the leader's restarts move. A unit's result includes trees that it passed through, so
 * that the leader's film can show a winner that ran elsewhere. A helper that dies costs only its unit's time:
 * the unit is returned and run again.
 */
import type { Request, TrainSettings } from '../protocol';
import { Client, WorkerLost, type Asking, type WorkerLike } from './client';
import type { Reply } from '../messages';

/** More workers than this gain little and take memory. */
const MOST_WORKERS = 4;

/** Every worker reads the file itself; together they may read this many bytes. */
const MOST_BYTES = 256 * 2 ** 20;

/** A training shorter than this, in milliseconds, is not worth the workers. */
export const POOL_AFTER_MS = 400;

/**
 * How many workers train together, including the leader.
 *
 * @param cores  cores of the machine; one is left to the page @param units  independent units of the training
 * @param bytes  size of the file
 */
export function workersFor(cores: number, units: number, bytes: number): number {
  return Math.max(1, Math.min(cores - 1, MOST_WORKERS, units, Math.floor(MOST_BYTES / Math.max(1, bytes))));
}

/** The training that the pool works on. */
export interface Shared {
  run: number;
  settings: TrainSettings;
  /** How the file is read, and the file. */
  load: Extract<Request, { kind: 'load' }>;
  file: Blob;
}

/** What the pool needs from its surroundings. */
export interface Around {
  spawn(): WorkerLike;
  /** Sends a request to the leader. */
  lead(request: Asking, bytes?: Uint8Array<ArrayBuffer>): Promise<Reply>;
  /** Called when a unit has ended. */
  onUnit(reply: Reply): void;
  /** Called with the current number of workers, including the leader. */
  onWorkers(count: number): void;
}

export class Pool {
  private readonly helpers = new Set<Helper>();
  /** Set while the training is paused; helpers without a unit wait for it. */
  private held: { until: Promise<void>; release(): void } | null = null;
  private closed = false;

  constructor(
    readonly shared: Shared,
    private readonly around: Around,
  ) {}

  /** Starts a number of helpers. */
  start(count: number): void {
    for (let number = 0; number < count; number++) void this.employ();
  }

  /** Pauses the helpers, or lets them continue. */
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
    for (const { client } of this.helpers)
      client.steer({ kind: hold ? 'pause' : 'resume', run: this.shared.run });
  }

  /** Ends the helpers; their later messages are ignored. */
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
      // Without a result, the unit is run by another worker.
      if (borrowed !== null && !this.closed)
        await this.around.lead({ kind: 'take', run, index: borrowed }).catch(() => null);
      this.helpers.delete(helper);
      if (!this.closed) this.around.onWorkers(this.count());
    } finally {
      helper.client.close();
      this.helpers.delete(helper);
    }
  }

  /** The number of workers: the leader, and the helpers that are ready. */
  private count(): number {
    return 1 + [...this.helpers].filter(({ ready }) => ready).length;
  }
}

/** The leader or a helper gave an unexpected answer. */
class Refused extends Error {}

function expect<Kind extends Reply['event']['kind']>(
  { event }: Reply,
  kind: Kind,
): Extract<Reply['event'], { kind: Kind }> {
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
      // Its unit is returned, and the helper is not replaced.
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
    // It may be lost before it has started.
    found.catch(() => {});
    expect(await this.client.request({ kind: 'unit', run, index }), 'helping');
    return found;
  }
}
