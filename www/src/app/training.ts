/** A training: begun, held, stepped through, ended. */
import { isBudgetUsed, isBusy, trainObstacle } from '../state/selectors';
import { effectiveTask, trainSettings } from '../state/settings';
import type { Context } from './context';

export class TrainingActions {
  constructor(private readonly context: Context) {}

  async train(): Promise<void> {
    const state = this.context.store.get();
    const obstacle = trainObstacle(state);
    if (obstacle) {
      if (!isBusy(state)) this.context.trouble('train', { message: obstacle, hint: '' });
      return;
    }
    const run = this.context.newRun();
    this.context.store.dispatch({ type: 'training', run, at: this.context.browser.now() });
    this.context.writeAddress();
    const classes = effectiveTask(state.settings, state.table?.columns ?? []) === 'classification';
    const budget = 1000 * state.settings.budget;
    await this.context.ask(
      { kind: 'train', run, settings: trainSettings(state.settings, classes) },
      undefined,
      budget,
    );
  }

  pauseOrResume(): void {
    const { phase, run } = this.context.store.get();
    if (phase === 'training') this.context.client?.steer({ kind: 'pause', run });
    if (phase !== 'paused') return;
    this.context.client?.steer({ kind: 'resume', run });
    this.context.store.dispatch({ type: 'resumed' });
  }

  step(): void {
    const { phase, run } = this.context.store.get();
    if (phase === 'paused') this.context.client?.steer({ kind: 'step', run });
  }

  /** Ends a training that has used up its time. While the greedy tree grows it has not begun: the worker cuts that tree off. */
  keepBudget(): void {
    const state = this.context.store.get();
    if (state.phase === 'training' && state.growth === null && isBudgetUsed(state)) this.stop();
  }

  stop(): void {
    const state = this.context.store.get();
    if (isBusy(state)) this.context.client?.steer({ kind: 'stop', run: state.run });
  }

  /** Stops a training and waits until its tree has arrived, or the worker was lost. */
  settle(): Promise<void> {
    if (!isBusy(this.context.store.get())) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = this.context.store.subscribe((state) => {
        if (isBusy(state)) return;
        leave();
        resolve();
      });
      this.stop();
    });
  }
}
