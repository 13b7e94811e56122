/**
 * The page's engines: one that is there at once, and a larger one that can do everything, fetched when it is needed.
 *
 * Requests about a tree file need no table and go to the larger one beside the first. A training of a learner that only the larger
 * one has makes it take the first one's place, with the same file.
 */
import type { Request } from '../protocol';
import { strings } from '../strings';
import { Client, WorkerLost, type Asking, type Listener, type Steering, type WorkerLike } from './client';
import type { Reply } from './engine';

/** Requests that read a tree. */
const ABOUT_TREES: ReadonlySet<string> = new Set(['open', 'trace', 'why']);

/** Learners that only the larger engine trains. */
const LARGER_LEARNERS: ReadonlySet<string> = new Set(['get', 'get-linear', 'relaxed']);

type LoadRequest = Extract<Request, { kind: 'load' }>;

export interface Spawn {
  small(): WorkerLike;
  large(): WorkerLike;
}

export class Engines {
  private main: Client;
  private isLarge = false;
  /** The larger engine beside the first one. */
  private beside: Client | null = null;
  /** The file that was loaded last. */
  private loaded: { request: LoadRequest; file: Blob } | null = null;

  constructor(
    private readonly spawn: Spawn,
    private readonly listener: Listener,
  ) {
    this.main = new Client(spawn.small, listener);
  }

  /** As `Client.request`. */
  async request(request: Asking, file?: Blob | Uint8Array<ArrayBuffer>): Promise<Reply> {
    if (!this.isLarge && ABOUT_TREES.has(request.kind)) return this.askBeside(request, file);
    if (!this.isLarge && request.kind === 'train' && LARGER_LEARNERS.has(request.settings.model)) {
      const failed = await this.enlarge(request);
      if (failed) return failed;
    }
    const reply = await this.main.request(request, file);
    if (request.kind === 'load' && reply.event.kind === 'loaded' && file instanceof Blob) this.loaded = { request, file };
    return reply;
  }

  steer(request: Steering): void {
    this.main.steer(request);
  }

  close(): void {
    this.main.close();
    this.beside?.close();
    this.beside = null;
  }

  /** An answer of the larger engine, or that it cannot be had: the first one is none the worse for it. */
  private async askBeside(request: Asking, file?: Blob | Uint8Array<ArrayBuffer>): Promise<Reply> {
    this.beside ??= new Client(this.spawn.large, {
      onReply: (reply, asked) => {
        if (asked) this.listener.onReply(reply, asked);
      },
      // Whoever waits is told below; the next request begins anew.
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

  /** Puts the larger engine in the first one's place, which nobody hears; the failed answer if it cannot be had. */
  private async enlarge(request: Asking): Promise<Reply | null> {
    let quiet = true;
    const large = new Client(this.spawn.large, {
      onReply: (reply, asked) => {
        if (!quiet) this.listener.onReply(reply, asked);
      },
      onLost: (reason, restarting) => {
        if (!quiet) this.listener.onLost(reason, restarting);
      },
    });
    try {
      if (this.loaded) await large.request(this.loaded.request, this.loaded.file);
    } catch (error) {
      large.close();
      if (error instanceof WorkerLost) return this.fail(request, error);
      throw error;
    }
    quiet = false;
    this.main.close();
    this.main = large;
    this.isLarge = true;
    return null;
  }

  private fail({ run, kind }: Asking, { message: reason }: WorkerLost): Reply {
    const { message, hint } = strings.noStudy(reason);
    const error = { code: 'engine', message, hint, line: null, column: null, badRows: 0, badLines: [] };
    const reply: Reply = { event: { kind: 'failed', run, error } };
    this.listener.onReply(reply, kind);
    return reply;
  }
}
