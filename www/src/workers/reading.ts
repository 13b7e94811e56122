/**
 * Reads a file into the engine: takes it from the blob in pieces, then splits it into cells and infers
 * columns in slices.
 *
 * Between two pieces the worker handles the page's messages, so that reading a large file can be cancelled
 * and the bar can move. The message texts of failures are the page's: only a code is sent.
 */
import type { FromWorker, Reply } from '../messages';
import type { ErrorInfo, Request } from '../protocol';
import type { Engine } from './engine';
import { pieces } from './pieces';
import { nextSteps } from './slices';

export type LoadRequest = Extract<Request, { kind: 'load' }>;

/** Minimum milliseconds between two reports. */
const REPORT_MS = 80;

/** The share of the progress that is for copying the bytes in. */
const BRINGING_IN = 0.1;

/** Rows of the first slice. */
const FIRST_ROWS = 1000;

/** Kinds of failure that only the worker can detect. */
export type ReadingFailure = 'cancelled' | 'unreadable' | 'too_large';

/** What reading needs from its surroundings. */
export interface ReadingSurroundings {
  /** The SHA-256 of a file in hexadecimal; empty if it cannot be computed. */
  hash(file: Blob, signal: AbortSignal): Promise<string>;
  now(): number;
  later(task: () => void): void;
  post(message: FromWorker): void;
}

export class FileReading {
  private cancelled = false;
  private readonly hashing = new AbortController();
  /** Resolves once the engine has the file's hash, or there will be none. */
  identified: Promise<void> = Promise.resolve();
  private reported = -Infinity;

  constructor(
    private readonly engine: Engine,
    private readonly around: ReadingSurroundings,
    readonly request: LoadRequest,
    private readonly blob: Blob,
  ) {}

  /**
   * Cancels reading. The engine forgets the file at once, so that another may follow; `read` then ends as
   * cancelled.
   */
  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.engine.dropLoad();
  }

  /** The answer to the request. Rejects only if the engine breaks, which is a bug. */
  async read(): Promise<Reply> {
    const reply = await this.readCells();
    // After reading, not before or during it: users look at the table first, and the hash is needed only with
    // the first tree.
    if (reply.event.kind === 'loaded') {
      this.identified = this.around.hash(this.blob, this.hashing.signal).then((sha256) => {
        if (sha256 && !this.hashing.signal.aborted) this.engine.identify(sha256);
      });
    }
    return reply;
  }

  /** Forgets a file that was read, because its hash would name another one. */
  forget(): void {
    this.hashing.abort();
  }

  private async readCells(): Promise<Reply> {
    const { engine, blob } = this;
    if (!engine.reserve(blob.size)) return this.failed('too_large');
    const source = pieces(blob);
    for (let fed = 0; ;) {
      let piece: Uint8Array | undefined;
      try {
        piece = (await source.next()).value ?? undefined;
      } catch {
        return this.failed(this.cancelled ? 'cancelled' : 'unreadable');
      }
      if (this.cancelled) {
        void source.return(undefined);
        return this.failed('cancelled');
      }
      if (!piece) break;
      engine.feed(piece);
      fed += piece.byteLength;
      this.report((BRINGING_IN * fed) / blob.size, 0);
    }
    return this.understand(engine.beginLoad(this.request));
  }

  private async understand(begun: Reply): Promise<Reply> {
    let reply = begun;
    let rows = FIRST_ROWS;
    while (reply.event.kind === 'reading') {
      this.report(BRINGING_IN + (1 - BRINGING_IN) * reply.event.share, reply.event.rows);
      await new Promise<void>((resolve) => this.around.later(resolve));
      if (this.cancelled) return this.failed('cancelled');
      const before = this.around.now();
      reply = this.engine.readOn(rows);
      rows = nextSteps(rows, this.around.now() - before);
    }
    return reply;
  }

  private report(share: number, rows: number): void {
    const now = this.around.now();
    if (now - this.reported < REPORT_MS) return;
    this.reported = now;
    this.around.post({ id: 0, event: { kind: 'reading', run: this.request.run, share, rows } });
  }

  private failed(code: ReadingFailure): Reply {
    return failure(this.request.run, code);
  }
}

/** An answer whose message text is the page's. */
export function failure(run: number, code: ReadingFailure): Reply {
  const error: ErrorInfo = {
    code,
    message: '',
    hint: '',
    line: null,
    column: null,
    badRows: 0,
    badLines: [],
  };
  return { event: { kind: 'failed', run, error } };
}
