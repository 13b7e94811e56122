/**
 * The page's engines. A first one is available at once. A larger one with all features is fetched when
 * needed. Helpers run units of a long training for the leading engine.
 *
 * Requests about a tree file need no table and go to the larger engine alongside the first. A training of a
 * learner that only the larger one has makes it replace the first, with the same file.
 */
import type { Request } from '../protocol';
import { Client, WorkerLost, type Asking, type Listener, type Steering, type WorkerLike } from './client';
import type { Reply } from '../messages';
import { POOL_AFTER_MS, Pool, workersFor } from './pool';

/** Requests that read a tree. */
const ABOUT_TREES: ReadonlySet<string> = new Set(['open', 'trace', 'why']);

type LoadRequest = Extract<Request, { kind: 'load' }>;
type TrainRequest = Extract<Request, { kind: 'train' }>;

export interface Spawn {
  small(): WorkerLike;
  large(): WorkerLike;
  /** The same for units of a training. */
  helper(large: boolean): WorkerLike;
  /** Number of cores of the machine. */
  cores(): number;
}

/** Receives what the engines report. */
export interface EnginesListener extends Listener {
  /** A training now runs in this many workers. */
  onWorkers(run: number, count: number): void;
}

export class Engines {
  private main: Client;
  private isLarge = false;
  /** Learners that only the larger engine trains, by key. */
  private larger: ReadonlySet<string> = new Set();
  /** The larger engine alongside the first one. */
  private beside: Client | null = null;
  /** The file that was loaded last. */
  private loaded: { request: LoadRequest; file: Blob } | null = null;
  /** Helpers of the current training, or the timer that will start them. */
  private pool: Pool | null = null;
  private poolDue: ReturnType<typeof setTimeout> | undefined;
  /** The training is paused, or will be as soon as it has started. */
  private held = false;
  /** Cancels a training that waits for the larger engine. */
  private callOff: { run: number; now(): void } | null = null;

  constructor(
    private readonly spawn: Spawn,
    private readonly listener: EnginesListener,
  ) {
    this.main = new Client(
      spawn.small,
      this.asLeader(() => true),
    );
  }

  /** As `Client.request`. */
  async request(request: Asking, file?: Blob | Uint8Array<ArrayBuffer>, budget?: number): Promise<Reply> {
    if (!this.isLarge && ABOUT_TREES.has(request.kind)) return this.askBeside(request, file);
    if (!this.isLarge && request.kind === 'train' && this.larger.has(request.settings.model)) {
      const failed = await this.enlarge(request);
      if (failed) return failed;
    }
    if (request.kind === 'load' || request.kind === 'train') {
      this.dismiss();
      this.held = false;
    }
    const reply = await this.main.request(request, file, budget);
    if (request.kind === 'load' && reply.event.kind === 'loaded' && file instanceof Blob)
      this.loaded = { request, file };
    if (request.kind === 'train' && reply.event.kind === 'started')
      this.share(request, reply.event.lendable + 1);
    return reply;
  }

  steer(request: Steering): void {
    if (request.kind === 'stop') {
      this.dismiss();
      if (this.callOff?.run === request.run) return this.callOff.now();
    }
    if (request.kind === 'pause' || request.kind === 'resume') {
      this.held = request.kind === 'pause';
      this.pool?.hold(this.held);
    }
    this.main.steer(request);
  }

  close(): void {
    this.dismiss();
    this.main.close();
    this.beside?.close();
    this.beside = null;
  }

  /** Forwards the leading engine's messages to the page, as long as it is `heard`. */
  private asLeader(heard: () => boolean): Listener {
    return {
      onReply: (reply, asked) => {
        if (!heard()) return;
        const { event } = reply;
        if (event.kind === 'ready')
          this.larger = new Set(event.learners.filter(({ larger }) => larger).map(({ key }) => key));
        if (event.kind === 'trained') this.dismiss();
        this.listener.onReply(reply, asked);
      },
      onLost: (reason, restarting) => {
        if (!heard()) return;
        this.dismiss();
        this.listener.onLost(reason, restarting);
      },
    };
  }

  /** Starts helpers for a training that takes long. */
  private share({ run, settings }: TrainRequest, units: number): void {
    if (!this.loaded) return;
    const { request: load, file } = this.loaded;
    const workers = workersFor(this.spawn.cores(), units, file.size);
    if (workers === 1) return;
    const { main, isLarge } = this;
    this.pool = new Pool(
      { run, settings, load, file },
      {
        spawn: () => this.spawn.helper(isLarge),
        lead: (request, bytes) => main.request(request, bytes),
        onUnit: (reply) => this.listener.onReply(reply, null),
        onWorkers: (count) => this.listener.onWorkers(run, count),
      },
    );
    this.pool.hold(this.held);
    this.poolDue = setTimeout(() => this.pool?.start(workers - 1), POOL_AFTER_MS);
  }

  /** Ends the helpers. */
  private dismiss(): void {
    clearTimeout(this.poolDue);
    this.pool?.close();
    this.pool = null;
  }

  /**
   * An answer of the larger engine, or a failure if it cannot be loaded; the first engine is not affected.
   */
  private async askBeside(request: Asking, file?: Blob | Uint8Array<ArrayBuffer>): Promise<Reply> {
    this.beside ??= new Client(this.spawn.large, {
      onReply: (reply, asked) => {
        if (asked) this.listener.onReply(reply, asked);
      },
      // The failure is reported below; the next request starts over.
      onLost: () => {
        this.beside?.close();
        this.beside = null;
      },
    });
    try {
      return await this.beside.request(request, file);
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error;
      return this.fail(request, error);
    }
  }

  /**
   * Replaces the first engine by the larger one; the first one's messages are ignored from then on. Returns a
   * failed answer if the larger one cannot be loaded.
   */
  private async enlarge(request: Asking): Promise<Reply | null> {
    let quiet = true;
    let calledOff = false;
    const large = new Client(
      this.spawn.large,
      this.asLeader(() => !quiet),
    );
    this.callOff = {
      run: request.run,
      now: () => {
        calledOff = true;
        large.close();
      },
    };
    try {
      if (this.loaded) await large.request(this.loaded.request, this.loaded.file);
    } catch (error) {
      large.close();
      if (!(error instanceof WorkerLost)) throw error;
      return calledOff ? this.cancelled(request) : this.fail(request, error);
    } finally {
      this.callOff = null;
    }
    quiet = false;
    this.main.close();
    this.main = large;
    this.isLarge = true;
    return null;
  }

  /** The message text is the page's: only a code and the reason are passed on. */
  private fail(request: Asking, { message: reason }: WorkerLost): Reply {
    return this.answer(request, 'no_study', { message: reason, hint: '' });
  }

  private cancelled(request: Asking): Reply {
    return this.answer(request, 'cancelled', { message: '', hint: '' });
  }

  private answer({ run, kind }: Asking, code: string, words: { message: string; hint: string }): Reply {
    const error = { code, ...words, line: null, column: null, badRows: 0, badLines: [] };
    const reply: Reply = { event: { kind: 'failed', run, error } };
    this.listener.onReply(reply, kind);
    return reply;
  }
}
