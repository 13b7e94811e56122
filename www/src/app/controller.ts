/**
 * What the page does: turns the user's wishes into requests and the answers into actions of the store.
 *
 * Everything with an effect is in the parts named here; the reducer decides what the effects mean, the views only call the parts.
 */
import type { Asking } from '../engine/client';
import type { Engines, EnginesListener } from '../engine/engines';
import type { Reply } from '../messages';
import type { Action, State } from '../state/model';
import type { Store } from '../state/store';
import { Address } from './address';
import type { Browser } from './browser';
import { ComparingActions } from './comparing';
import { Context } from './context';
import { FileActions } from './file';
import { FormActions } from './form';
import { Takeaway } from './takeaway';
import { TrainingActions } from './training';

export class Controller {
  readonly file: FileActions;
  readonly form: FormActions;
  readonly training: TrainingActions;
  readonly comparing: ComparingActions;
  /** Trees as files, and answers for files. */
  readonly takeaway: Takeaway;
  private readonly context: Context;
  private readonly address: Address;
  /** The address has been followed; a later worker must not begin again with it. */
  private begun = false;

  constructor(
    private readonly store: Store<State, Action>,
    private readonly browser: Browser,
  ) {
    this.context = new Context(store, browser);
    this.form = new FormActions(this.context);
    this.training = new TrainingActions(this.context);
    this.comparing = new ComparingActions(this.context);
    this.takeaway = new Takeaway(this.context);
    this.file = new FileActions(this.context, this.training, this.takeaway);
    this.address = new Address(this.context, this.file, this.training);
  }

  /** Set once the worker exists; the worker's events and the page's requests need each other. */
  set client(client: Pick<Engines, 'request' | 'steer'>) {
    this.context.client = client;
  }

  /** Does what the address says. */
  openAddress(): Promise<void> {
    return this.address.open();
  }

  dismiss(what: 'error' | 'notice'): void {
    this.store.dispatch({ type: 'dismiss', what });
  }

  /** For the worker's client. */
  asListener(): EnginesListener {
    return {
      onReply: (reply, asked) => this.onReply(reply, asked),
      onLost: (reason, again) => this.onLost(reason, again),
      onWorkers: (run, count) => this.store.dispatch({ type: 'workers', run, count }),
    };
  }

  private onReply(reply: Reply, asked: Asking['kind'] | null): void {
    const { alone } = this.store.get();
    this.store.dispatch({ type: 'reply', reply, asked, at: this.browser.now() });
    const { kind, run } = reply.event;
    if (kind === 'ready') this.onReady();
    if (kind === 'loaded') this.form.resolve();
    if (kind === 'progress') this.training.keepBudget();
    // What was filmed and where the rows ended belongs to a training that rests.
    // Groups are filmed by the page itself, and have no second tree to compare their rows with.
    if (this.store.get().problem?.task === 'clustering') return;
    // Another rule leaves the rows where they are, another tree does not.
    const moved = reply.event.kind === 'shown' && reply.event.alone !== alone;
    if (kind === 'trained' || moved) void this.context.ask({ kind: 'rows', run });
    if (kind === 'trained' || kind === 'paused') void this.context.ask({ kind: 'frames', run });
  }

  private onLost(reason: string, restarting: boolean): void {
    this.store.dispatch({ type: 'lost', reason, restarting });
  }

  private onReady(): void {
    const { source, settings } = this.store.get();
    // A worker that took another's place knows no table yet.
    if (source) void this.file.read(source, settings, { again: true, quiet: true });
    else if (!this.begun) void this.openAddress();
    this.begun = true;
  }
}
