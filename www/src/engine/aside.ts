/**
 * A second engine, for work that is not shown on the page: trainings with other seeds, the explanation of a
 * difference.
 *
 * It reads the file again and ends with its task, so that it cannot delay or harm the first engine.
 */
import type { Event, ReadOptions, TrainSettings, TreeResult } from '../protocol';
import { Client, WorkerLost, type WorkerLike } from './client';
import type { Reply } from '../messages';

/** A failure, in the engine's words. */
export class AsideFailed extends Error {
  override name = 'AsideFailed';
}

export class Aside {
  private readonly client: Client;
  private nextRun = 1;
  /** The caller that waits for the end of a training. */
  private waiting: {
    resolve(result: TreeResult): void;
    reject(error: Error): void;
    report(share: number): void;
  } | null = null;
  private readonly up: Promise<void>;

  constructor(spawn: () => WorkerLike) {
    let isUp: () => void = () => {};
    let isLost: (error: Error) => void = () => {};
    this.up = new Promise((resolve, reject) => {
      isUp = resolve;
      isLost = reject;
    });
    // Its promise may have no listener when it dies.
    this.up.catch(() => {});
    this.client = new Client(spawn, {
      onReply: ({ event }) => {
        if (event.kind === 'ready') isUp();
        if (event.kind === 'progress') this.waiting?.report(event.progress.share);
        if (event.kind === 'trained') this.waiting?.resolve(event.result);
        if (event.kind === 'failed') this.waiting?.reject(new AsideFailed(event.error.message));
      },
      onLost: (reason) => {
        const lost = new WorkerLost(reason);
        isLost(lost);
        this.waiting?.reject(lost);
        this.close();
      },
    });
  }

  async load(name: string, options: ReadOptions, blob: Blob): Promise<void> {
    await this.up;
    answer(await this.client.request({ kind: 'load', run: this.nextRun++, name, options }, blob), 'loaded');
  }

  /**
   * Trains to the end, or for a number of milliseconds from the first step on, and returns both trees.
   * `report` is called with the share that is surely done.
   */
  async train(
    settings: TrainSettings,
    limit = Infinity,
    report: (share: number) => void = () => {},
  ): Promise<{ cart: TreeResult; gradient: TreeResult }> {
    const run = this.nextRun++;
    const gradient = new Promise<TreeResult>((resolve, reject) => {
      this.waiting = { resolve, reject, report };
    });
    gradient.catch(() => {});
    const { cart } = answer(await this.client.request({ kind: 'train', run, settings }), 'started');
    // Only a hierarchy of groups has no greedy tree, and it is never trained with other seeds.
    if (!cart) throw new WorkerLost('There is no greedy tree.');
    const timer =
      limit < Infinity ? setTimeout(() => this.client.steer({ kind: 'stop', run }), limit) : undefined;
    try {
      return { cart, gradient: await gradient };
    } finally {
      clearTimeout(timer);
    }
  }

  async why(settings: TrainSettings, tree: string): Promise<Extract<Event, { kind: 'why' }>> {
    return answer(await this.client.request({ kind: 'why', run: this.nextRun++, settings, tree }), 'why');
  }

  close(): void {
    this.client.close();
  }
}

/** The expected event; any other throws in the engine's words. */
function answer<Kind extends Event['kind']>({ event }: Reply, kind: Kind): Extract<Event, { kind: Kind }> {
  if (event.kind === kind) return event as Extract<Event, { kind: Kind }>;
  throw new AsideFailed(
    event.kind === 'failed' ? event.error.message : `An unexpected answer: ${event.kind}.`,
  );
}
