/** What the user sets in the form. */
import { swapped, withoutCosts } from '../compare/answers';
import { canShow, isBusy } from '../state/selectors';
import { isGrouping, trainSettings, type Settings } from '../state/settings';
import type { Context } from './context';

/** Settings that change what the recipes come to. */
const RESOLVED_BY: readonly (keyof Settings)[] = [
  'target',
  'task',
  'positive',
  'depth',
  'depthFrom',
  'config',
];

export class FormActions {
  /** The answer rule that is asked for, and whether the engine is busy with one. */
  private wantedAnswers: string | null = null;
  private answering = false;

  constructor(private readonly context: Context) {}

  set(change: Partial<Settings>): void {
    this.context.store.dispatch({ type: 'settings', change });
    this.context.writeAddress();
    if (RESOLVED_BY.some((key) => key in change)) this.resolve();
  }

  /** Asks what the recipes come to for the present target and what was set by hand. The answer goes to the store. */
  resolve(): void {
    const state = this.context.store.get();
    const { settings, run, table } = state;
    if (!table || isBusy(state) || (settings.target === '' && !isGrouping(settings))) return;
    // What the recipe says stands beside the depth of a sample. The answer rule is no part of it, and its costs may not fit yet.
    const depthFrom = settings.depthFrom === 'hand' ? 'hand' : 'recipe';
    void this.context.ask({
      kind: 'resolve',
      run,
      settings: trainSettings({ ...settings, depthFrom }, false),
    });
  }

  /** Chooses the target; none (null) has the rows grouped, which one learner can do. */
  setTarget(target: string | null): void {
    const { settings, engine } = this.context.store.get();
    const able = engine?.learners.find(({ groups }) => groups);
    if (target === null && able && !this.context.learner()?.groups)
      this.context.store.dispatch({ type: 'model', key: able.key });
    const answers = withoutCosts(settings.answers);
    this.setValidity('answers', '');
    this.set({
      target: target ?? '',
      task: target === null ? 'clustering' : 'auto',
      positive: '',
      label: '',
      answers,
    });
  }

  /** Chooses which of two classes is positive, which is the second one. `usual` is the one that is it by itself. */
  setPositive(positive: string, usual: string): void {
    const { settings } = this.context.store.get();
    const turned = (settings.positive || usual) !== (positive || usual);
    this.set({ positive, answers: turned ? swapped(settings.answers) : settings.answers });
  }

  /** Sets the answer rule. Finished trees answer by it at once; only the newest wish counts while the engine is busy with one. */
  async setAnswers(answers: string): Promise<void> {
    this.setValidity('answers', '');
    this.set({ answers });
    if (!canShow(this.context.store.get())) return;
    this.wantedAnswers = answers;
    if (this.answering) return;
    this.answering = true;
    try {
      for (let wanted = this.wantedAnswers; canShow(this.context.store.get()); wanted = this.wantedAnswers) {
        const { run, alone } = this.context.store.get();
        const reply = await this.context.ask({ kind: 'show', run, alone, answers: wanted });
        if (reply?.event.kind !== 'shown' || this.wantedAnswers === wanted) break;
      }
    } finally {
      this.answering = false;
    }
    // What columns are worth depends on the answers too.
    const { run } = this.context.store.get();
    if (canShow(this.context.store.get())) void this.context.ask({ kind: 'rows', run });
  }

  setModel(key: string): void {
    this.context.store.dispatch({ type: 'model', key });
    this.context.writeAddress();
    this.resolve();
  }

  setValidity(field: string, message: string): void {
    this.context.store.dispatch({ type: 'validity', field, message });
  }

  newSeed(): void {
    this.setValidity('seed', '');
    this.set({ seed: this.context.browser.randomSeed() });
  }
}
