/** A closer look at what was trained: its film, either tree on a plane, single rows, other seeds. */
import type { Event } from '../protocol';
import { planeMap, type PlaneMap } from '../draw/plane';
import { WorkerLost } from '../engine/client';
import { readOptions, trainSettings } from '../state/settings';
import type { Aside } from './browser';
import type { Context } from './context';

/** One row's way through a tree. */
export type Traced = Extract<Event, { kind: 'traced' }>;

export class ComparingActions {
  /** The frame that is asked for, and whether the engine is busy with one. */
  private wantedFrame: number | null = null;
  private scrubbing = false;

  constructor(private readonly context: Context) {}

  /** Shows a frame of the film, or the tree itself (null). Only the newest wish counts while the engine is busy with one. */
  async scrub(frame: number | null): Promise<void> {
    this.wantedFrame = frame;
    if (frame === null) this.context.store.dispatch({ type: 'present' });
    if (this.scrubbing) return;
    this.scrubbing = true;
    try {
      for (let wanted = this.wantedFrame; wanted !== null; wanted = this.wantedFrame) {
        const { run, film } = this.context.store.get();
        if (film?.own) {
          this.context.store.dispatch({ type: 'seenFrame', frame: wanted });
          break;
        }
        if (!film || (await this.context.ask({ kind: 'frame', run, frame: wanted })) === null) break;
        if (this.wantedFrame === wanted) break;
      }
    } finally {
      this.scrubbing = false;
    }
    if (this.wantedFrame === null) this.context.store.dispatch({ type: 'present' });
  }

  /** Puts the best tree of descent alone in the place of the kept one, or the kept one back. */
  async show(alone: boolean): Promise<void> {
    const { phase, run, problem, trainedWith } = this.context.store.get();
    if (phase !== 'done' || !trainedWith) return;
    await this.context.ask({
      kind: 'show',
      run,
      alone,
      answers: trainSettings(trainedWith, problem?.decision != null).answers,
    });
  }

  /** Both trees over the plane of two columns; null if that could not be had. */
  async map(frame: number | null, x: string, y: string): Promise<PlaneMap | null> {
    const reply = await this.context.ask({ kind: 'map', run: this.context.store.get().run, frame, x, y });
    return reply?.event.kind === 'map' && reply.numbers ? planeMap(reply.numbers, reply.event.side) : null;
  }

  /** The cells of a row of the file, counted from 0; null if the engine no longer has it. */
  async row(row: number): Promise<readonly string[] | null> {
    const reply = await this.context.ask({ kind: 'row', run: this.context.store.get().run, row });
    return reply?.event.kind === 'row' ? reply.event.cells : null;
  }

  /** One row's way through a tree; the row as a table of its own. */
  async trace(tree: string, csv: string): Promise<Traced | null> {
    const bytes = new TextEncoder().encode(csv);
    const reply = await this.context.ask({ kind: 'trace', run: this.context.store.get().run, tree }, bytes);
    return reply?.event.kind === 'traced' ? reply.event : null;
  }

  /** A second engine with the present file, for work that must not hold up the first. */
  async aside(): Promise<Aside> {
    const { source, trainedWith } = this.context.store.get();
    if (!source || !trainedWith) throw new WorkerLost('There is no file.');
    return this.context.browser.openAside(source, readOptions(trainedWith));
  }
}
