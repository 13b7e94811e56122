/** What everything the user does shares: the store, the browser, the engine, and how a request is sent. */
import { WorkerLost, type Asking } from '../engine/client';
import type { Engines } from '../engine/engines';
import type { Reply } from '../messages';
import type { LearnerInfo } from '../protocol';
import { encodeHash, OWN_DATA } from '../state/hash';
import type { Action, Place, State } from '../state/model';
import { learnerNamed } from '../state/settings';
import type { Store } from '../state/store';
import type { Browser } from './browser';

export class Context {
  /** Set once the worker exists; the worker's events and the page's requests need each other. */
  client: Pick<Engines, 'request' | 'steer'> | null = null;
  private runs = 0;

  constructor(
    readonly store: Store<State, Action>,
    readonly browser: Browser,
  ) {}

  /** A number for a run, by which late events are told from those of the present one. */
  newRun(): number {
    return ++this.runs;
  }

  /** The chosen learner. */
  learner(): LearnerInfo | null {
    const { engine, settings } = this.store.get();
    return learnerNamed(engine?.learners ?? [], settings.model);
  }

  trouble(place: Place, words: { message: string; hint: string }): void {
    this.store.dispatch({ type: 'trouble', trouble: { place, ...words, next: null } });
  }

  /** Sends a request; null if the worker died over it, which `onLost` has then told the user. */
  async ask(request: Asking, file?: Blob | Uint8Array<ArrayBuffer>, budget?: number): Promise<Reply | null> {
    try {
      return (await this.client?.request(request, file, budget)) ?? null;
    } catch (error) {
      if (error instanceof WorkerLost) return null;
      throw error;
    }
  }

  /** Puts the settings into the address, so that a link is an experiment. */
  writeAddress(): void {
    const { settings, source } = this.store.get();
    this.browser.setHash(encodeHash(settings, source ? source.sample : OWN_DATA));
  }
}
