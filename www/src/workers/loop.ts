/**
 * The worker's loop: trains in slices, reports regularly, and handles pause and stop between slices.
 *
 * It uses no DOM and no globals: clock, scheduling and posting are passed in, so that tests can run it with
 * their own clock.
 */
import type { FromWorker, Reply, Timed, ToWorker } from '../messages';
import type { Engine } from './engine';
import { FileReading, failure, type LoadRequest } from './reading';
import { MAX_STEPS, nextSteps } from './slices';

/** Minimum milliseconds between two `progress` messages: the eye follows about a dozen a second. */
export const PROGRESS_MS = 80;

/** Minimum milliseconds between two downloadable copies, which cost more than a drawing. */
export const CHECKPOINT_MS = 1000;

/**
 * With few cores the worker pauses for this many milliseconds, so that the page can answer a click, show the
 * first trees, or draw a message.
 */
const BREATH_MS = { click: 60, trees: 220, message: 12 };

/** With more cores than this, training does not slow the page down. */
const FEW_CORES = 2;

/**
 * Reports take at most one part in this many of the time, and copies one in as many: on a large table each
 * goes through all rows.
 */
const REPORTS = 5;
const COPIES = 20;

/**
 * The share of a budget that the greedy tree may use, including encoding; the requested learner gets the
 * rest.
 */
const GREEDY = 0.5;

/** Requests that a training handles only once it has started. */
const STEERING: ReadonlySet<string> = new Set(['pause', 'resume', 'step', 'stop']);

/** What the loop needs from its surroundings. */
export interface Surroundings {
  /** Milliseconds since a fixed point. */
  now(): number;
  /** Runs `task` after the messages that are already waiting. */
  later(task: () => void): void;
  /** Runs `task` after some milliseconds. */
  after(ms: number, task: () => void): void;
  /** Posts to the page, transferring the buffers of bulk data. */
  post(message: FromWorker): void;
  /** The SHA-256 of a file in hexadecimal; empty if it cannot be computed. */
  hash(file: Blob, signal: AbortSignal): Promise<string>;
  /** Cores of the machine. */
  cores: number;
  /** Throws an exception outside a promise, so that it is not lost. */
  crash(error: unknown): void;
}

/**
 * Serves one engine. An exception of the engine is a bug and is not caught: the page notices and restarts the
 * worker.
 */
export class Loop {
  private mode: 'idle' | 'growing' | 'running' | 'paused' = 'idle';
  private run = 0;
  /** Whether it runs a unit of a training that another worker leads. */
  private helping = false;
  private steps = 1;
  private reported = 0;
  private copied = 0;
  /** Milliseconds that the last report took, and the last one with a copy. */
  private cost = { report: 0, copy: 0 };
  /** The training whose greedy tree is growing, and the control requests for when it has started. */
  private growing: { id: number; until: number; steering: ToWorker[] } | null = null;
  /**
   * Whether a slice is already scheduled, so that a quick pause and resume does not start a second chain of
   * slices.
   */
  private scheduled = false;
  /** Whether it will check again for something to do. */
  private looking = false;
  /** The file that is being read. */
  private reading: FileReading | null = null;
  /** The file that was read last, while its hash is being computed. */
  private unnamed: FileReading | null = null;
  /** A training that waits for that hash, and its control requests. */
  private waiting: ToWorker[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly around: Surroundings,
  ) {}

  /** Reports that the engine is ready. */
  open(): void {
    this.around.post({ id: 0, event: this.engine.ready() });
  }

  /**
   * Carries out one message of the page. Control requests of an old run are ignored: its training no longer
   * exists.
   */
  receive(message: ToWorker): void {
    const { id, request, blob, bytes } = message;
    const asked = this.waiting[0]?.request;
    if (asked && asked.run === request.run && STEERING.has(request.kind)) {
      this.waiting.push(message);
      return;
    }
    const current = this.mode !== 'idle' && request.run === this.run;
    if (current && this.growing && request.kind !== 'stop' && STEERING.has(request.kind)) {
      this.growing.steering.push(message);
      return;
    }
    switch (request.kind) {
      case 'ping':
        this.around.post({ id, event: { kind: 'pong', run: request.run } });
        break;
      case 'pause':
        if (current) this.hold(id);
        break;
      case 'resume':
        if (current && this.mode === 'paused') {
          this.mode = 'running';
          this.schedule();
        }
        break;
      case 'step':
        if (current && this.mode === 'paused') this.step(id);
        break;
      case 'stop':
        if (current) this.stop(id);
        else if (this.reading?.request.run === request.run) this.reading.cancel();
        break;
      case 'load':
        this.load(id, request, blob ?? new Blob([]));
        break;
      case 'train':
        this.callOff();
        // The trees of a run name their file, so the hash has to be there first.
        if (this.unnamed) this.waiting = [message];
        else this.breathe(message);
        break;
      case 'unit':
        this.begin(id, request.run, this.engine.handle(request), 'helping');
        break;
      default:
        this.answer(id, this.engine.handle(request, bytes));
        // A training that waited for it continues.
        if (request.kind === 'take' && this.mode === 'running') this.schedule();
    }
  }

  /** Reads a file while handling the page's messages. A later file replaces one that is still being read. */
  private load(id: number, request: LoadRequest, blob: Blob): void {
    this.mode = 'idle';
    this.callOff();
    this.reading?.cancel();
    this.unnamed?.forget();
    this.unnamed = null;
    const reading = new FileReading(this.engine, this.around, request, blob);
    this.reading = reading;
    reading.read().then(
      (reply) => {
        if (this.reading === reading) {
          this.reading = null;
          this.awaitName(reading);
        }
        this.answer(id, reply);
      },
      (error: unknown) => this.around.crash(error),
    );
  }

  /** Delays a training until the file that was just read has its hash. */
  private awaitName(reading: FileReading): void {
    this.unnamed = reading;
    const named = () => {
      if (this.unnamed !== reading) return;
      this.unnamed = null;
      this.waiting.splice(0).forEach((message) => this.receive(message));
    };
    reading.identified.then(named, (error: unknown) => this.around.crash(error));
  }

  /** Starts a training once the page has shown that the request arrived. Control requests wait with it. */
  private breathe(message: ToWorker): void {
    const breath = this.breath('click');
    if (breath === 0) return this.train(message);
    this.waiting = [message];
    this.around.after(breath, () => {
      // Another file or training may have replaced it.
      if (this.waiting[0] !== message) return;
      const [, ...steering] = this.waiting.splice(0);
      this.train(message);
      steering.forEach((one) => this.receive(one));
    });
  }

  /** Milliseconds for which the worker pauses for the page. */
  private breath(before: keyof typeof BREATH_MS): number {
    return this.around.cores > FEW_CORES ? 0 : BREATH_MS[before];
  }

  private train({ id, request, budget }: ToWorker): void {
    const until = budget ? this.around.now() + GREEDY * budget : Number.POSITIVE_INFINITY;
    const reply = this.engine.beginTrain(request);
    if (reply.event.kind !== 'growing') return this.begin(id, request.run, reply, 'started');
    this.mode = 'growing';
    this.growing = { id, until, steering: [] };
    this.helping = false;
    this.run = request.run;
    this.steps = 1;
    this.reported = this.around.now();
    this.answer(0, reply);
    this.schedule();
  }

  /** A slice of the greedy tree. */
  private grow(): void {
    const begun = this.around.now();
    const reply = this.engine.growOn(this.steps);
    const now = this.around.now();
    if (reply.event.kind !== 'growing') return this.grown({ ...reply, scoring: now - begun });
    if (this.growing && now >= this.growing.until) return this.grown(this.cutOff(true));
    this.steps = nextSteps(this.steps, now - begun);
    if (now - this.reported >= PROGRESS_MS) {
      this.reported = now;
      this.answer(0, reply);
    }
    this.schedule();
  }

  /** Accepts the greedy tree as it is. */
  private cutOff(cut: boolean): Reply & Timed {
    const begun = this.around.now();
    const reply = this.engine.endGrowth();
    return { ...reply, scoring: this.around.now() - begun, cut };
  }

  /** The greedy tree is finished, and the training starts. */
  private grown(reply: Reply): void {
    const { growing } = this;
    if (!growing) return;
    this.growing = null;
    this.begin(growing.id, this.run, reply, 'started');
    growing.steering.forEach((message) => this.receive(message));
  }

  /** Ends the training; a growing greedy tree is accepted as it is. */
  private stop(id: number): void {
    if (this.growing) {
      this.growing.steering = [];
      this.grown(this.cutOff(false));
    }
    if (this.mode !== 'idle') this.finish(id);
  }

  /** Answers a training that will not start, because another file or training replaces it. */
  private callOff(): void {
    const [asked] = this.waiting.splice(0);
    if (asked) this.answer(asked.id, failure(asked.request.run, 'cancelled'));
    if (this.growing) this.answer(this.growing.id, failure(this.run, 'cancelled'));
    this.growing = null;
  }

  /** Starts a training, or a unit of another worker's training, if the engine agrees. */
  private begin(id: number, run: number, reply: Reply, begun: 'started' | 'helping'): void {
    this.mode = reply.event.kind === begun ? 'running' : 'idle';
    this.helping = begun === 'helping';
    this.run = run;
    this.steps = 1;
    this.reported = this.copied = this.around.now();
    this.cost = { report: 0, copy: 0 };
    this.answer(id, reply);
    if (this.mode === 'running') this.schedule(this.helping ? 0 : this.breath('trees'));
  }

  private schedule(wait = 0): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const slice = () => {
      this.scheduled = false;
      if (this.mode === 'running') this.slice();
      else if (this.mode === 'growing') this.grow();
    };
    if (wait > 0) this.around.after(wait, slice);
    else this.around.later(slice);
  }

  private slice(): void {
    const begun = this.around.now();
    const ended = this.engine.advance(this.steps, false);
    const now = this.around.now();
    if (ended) return this.finish(0);
    const reports = !this.helping && now - this.reported >= Math.max(PROGRESS_MS, REPORTS * this.cost.report);
    if (reports) this.report(0, now - this.copied >= Math.max(CHECKPOINT_MS, COPIES * this.cost.copy));
    if (this.mode !== 'running') return;
    if (this.engine.waiting()) return this.lookAgain();
    this.steps = this.engine.turned() ? 1 : nextSteps(this.steps, now - begun);
    this.schedule(reports ? this.breath('message') : 0);
  }

  /** Waits for lent units; results that arrive meanwhile are still reported. */
  private lookAgain(): void {
    if (this.looking) return;
    this.looking = true;
    this.around.after(PROGRESS_MS, () => {
      this.looking = false;
      if (this.mode === 'running') this.schedule();
    });
  }

  /** Runs to the end of the current epoch, then pauses again. */
  private step(id: number): void {
    if (this.engine.advance(MAX_STEPS, true)) this.finish(id);
    else this.hold(id);
  }

  private hold(id: number): void {
    this.mode = 'paused';
    if (!this.helping) this.report(0, true);
    if (this.mode === 'paused') this.around.post({ id, event: { kind: 'paused', run: this.run } });
  }

  /** Ends the training. The last points of the curve and the last frame are sent first. */
  private finish(id: number): void {
    if (!this.helping) this.report(0, false);
    this.mode = 'idle';
    this.answer(id, this.engine.handle({ kind: 'stop', run: this.run }));
  }

  private report(id: number, checkpoint: boolean): void {
    const begun = this.around.now();
    const reply = this.engine.progress(checkpoint);
    this.reported = this.around.now();
    if (checkpoint) this.copied = this.reported;
    this.cost[checkpoint ? 'copy' : 'report'] = this.reported - begun;
    // A training that can no longer report its state would fail in every slice.
    if (reply.event.kind === 'failed') this.mode = 'idle';
    this.answer(id, checkpoint ? { ...reply, scoring: this.cost.copy } : reply);
  }

  private answer(id: number, reply: Reply): void {
    this.around.post({ ...reply, id });
  }
}
