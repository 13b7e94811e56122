/**
 * The page's side of the worker: sends requests, settles their promises, detects a dead worker and starts
 * another.
 *
 * It knows no state of the page. A worker can die in three ways: with an exception (`error`), with an
 * unreadable message (`messageerror`), or silently, which only a watchdog detects.
 */
import type { Event, Request } from '../protocol';
import type { FromWorker, Reply, ToWorker } from '../messages';

/**
 * Silence during training after which the worker is asked whether it lives; normally it reports a dozen times
 * a second.
 */
export const SILENCE_MS = 4000;

/** How long it has to answer that question. */
export const ANSWER_MS = 4000;

/**
 * Silence allowed while it infers the columns of a file or grows the greedy tree, which it does in one piece.
 */
export const LONG_SILENCE_MS = 120_000;

/** Workers that died before they were ready, in a row, after which no further one is started. */
const MAX_STILLBORN = 2;

/** The part of a `Worker` that the client uses. */
export interface WorkerLike {
  postMessage(message: ToWorker, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

/** Receives what the client reports. */
export interface Listener {
  /** An event of the worker; `asked` is the kind of the request it answers, or null. */
  onReply(reply: Reply, asked: Asking['kind'] | null): void;
  /** The worker died. `restarting` says whether another one is starting; it will send `ready`. */
  onLost(reason: string, restarting: boolean): void;
}

/** A request was pending when the worker died. */
export class WorkerLost extends Error {
  override name = 'WorkerLost';
}

/** Requests that inspect a training and do not change it. */
type Looking = 'resolve' | 'show' | 'frames' | 'frame' | 'rows' | 'row' | 'map' | 'trace' | 'why';

/** Requests with an answer of their own. */
export type Asking = Extract<Request, { kind: 'load' | 'train' | 'show' | 'open' | Looking | Sharing }>;

/** Requests by which workers share the units of a training. */
type Sharing = 'lend' | 'take' | 'help' | 'unit';

/** Requests that control the training. */
export type Steering = Extract<Request, { kind: 'pause' | 'resume' | 'step' | 'stop' }>;

interface Pending {
  kind: Asking['kind'];
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Speaks with one worker at a time. */
export class Client {
  private worker: WorkerLike | null = null;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private stillborn = 0;
  private training = false;
  /** It was told to end, and scores its tree in one piece. */
  private ending = false;
  /** When a training, or help with one, was asked for. */
  private askedAt = 0;
  /**
   * How long it may be silent: as long as it took to start, because a copy of the best tree is scored on the
   * same rows in one piece.
   */
  private patience = SILENCE_MS;
  private closed = false;
  private watchdog: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly spawn: () => WorkerLike,
    private readonly listener: Listener,
  ) {
    this.start();
  }

  /**
   * Sends a request and resolves with its answer, including `failed`: a request that cannot be carried out is
   * an answer. Rejects with `WorkerLost` if the worker dies first.
   */
  request(request: Asking, file?: Blob | Uint8Array<ArrayBuffer>, budget?: number): Promise<Reply> {
    if (!this.worker) return Promise.reject(new WorkerLost('The engine is not running.'));
    if (request.kind === 'train' || request.kind === 'help') this.askedAt = performance.now();
    const id = this.post(request, file, budget);
    const answer = new Promise<Reply>((resolve, reject) => {
      this.pending.set(id, { kind: request.kind, resolve, reject });
    });
    this.watch();
    return answer;
  }

  /**
   * Controls the training. It has no answer of its own: the run may have ended meanwhile, and then nothing
   * happens.
   */
  steer(request: Steering): void {
    if (!this.worker) return;
    this.post(request);
    if (request.kind === 'resume' || request.kind === 'step') this.training = true;
    if (request.kind === 'stop') this.ending = this.training;
    this.watch();
  }

  /** Ends the worker permanently. */
  close(): void {
    this.closed = true;
    this.drop('The page was closed.');
  }

  /** A blob is passed by reference; bytes are transferred. */
  private post(request: Request, file?: Blob | Uint8Array<ArrayBuffer>, budget?: number): number {
    const id = this.nextId++;
    if (budget) this.worker?.postMessage({ id, request, budget }, []);
    else if (file instanceof Blob) this.worker?.postMessage({ id, request, blob: file }, []);
    else
      this.worker?.postMessage(
        file ? { id, request, bytes: file } : { id, request },
        file ? [file.buffer] : [],
      );
    return id;
  }

  private start(): void {
    const worker = this.spawn();
    this.worker = worker;
    // A terminated worker may still deliver earlier messages; only those of the current worker count.
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (worker === this.worker) this.receive(data);
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      if (worker === this.worker) this.lost(event.message || 'The engine could not be loaded.');
    };
    worker.onmessageerror = () => {
      if (worker === this.worker) this.lost('A message of the engine could not be read.');
    };
  }

  private receive({ id, ...reply }: FromWorker): void {
    const { kind } = reply.event;
    const pending = this.pending.get(id);
    this.pending.delete(id);
    const asked = pending?.kind ?? null;
    if (kind === 'ready') this.stillborn = 0;
    if (kind === 'started' || asked === 'unit') this.training = true;
    if (kind === 'started' || asked === 'help')
      this.patience = Math.max(SILENCE_MS, performance.now() - this.askedAt);
    if (ENDS_TRAINING.has(kind) || (kind === 'failed' && !BESIDE_TRAINING.has(asked)))
      this.training = this.ending = false;
    this.watch();
    if (kind !== 'pong') this.listener.onReply(reply, asked);
    pending?.resolve(reply);
  }

  /** Resets the watchdog: every message proves that the worker lives. */
  private watch(): void {
    clearTimeout(this.watchdog);
    // Four trees are grown in one piece, however long that takes; the user can see it and cancel.
    if ([...this.pending.values()].some(({ kind }) => kind === 'why')) return;
    // A request alongside a training is carried out in one piece too, so the longer limit takes precedence. A
    // unit starts at once, though: a helper that does not confirm it is treated like a silent one.
    const long = [...this.pending.values()].some(({ kind }) => kind !== 'unit');
    if (long || this.ending) this.watchdog = setTimeout(() => this.lost(SILENT), LONG_SILENCE_MS);
    else if (this.training || this.pending.size > 0)
      this.watchdog = setTimeout(() => this.doubt(), this.patience);
  }

  private doubt(): void {
    this.post({ kind: 'ping', run: 0 });
    this.watchdog = setTimeout(() => this.lost(SILENT), Math.max(ANSWER_MS, this.patience));
  }

  private lost(reason: string): void {
    this.stillborn++;
    this.drop(reason);
    const restarting = this.stillborn <= MAX_STILLBORN;
    this.listener.onLost(reason, restarting);
    // The listener may have closed the client.
    if (restarting && !this.closed) this.start();
  }

  /** Drops the worker and rejects everything that waits for it. */
  private drop(reason: string): void {
    clearTimeout(this.watchdog);
    this.worker?.terminate();
    this.worker = null;
    this.training = this.ending = false;
    const waiting = [...this.pending.values()];
    this.pending.clear();
    for (const { reject } of waiting) reject(new WorkerLost(reason));
  }
}

const SILENT = 'It stopped answering.';

const ENDS_TRAINING = new Set<Event['kind']>(['paused', 'trained', 'loaded', 'unit']);

/** Requests that leave a training unchanged, whether or not they succeed. */
const BESIDE_TRAINING = new Set<Asking['kind'] | null>([
  'resolve',
  'show',
  'open',
  'frames',
  'frame',
  'rows',
  'row',
  'map',
  'trace',
  'why',
  'lend',
  'take',
]);
