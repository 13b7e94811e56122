/** What the address asks for: a sample, settings, a training. */
import { decodeHash, OWN_DATA } from '../state/hash';
import { FIRST_SAMPLE, sampleNamed } from '../state/samples';
import { DEFAULT_SETTINGS, defaultLearner, fitToLearner, learnerNamed } from '../state/settings';
import { strings } from '../text/strings';
import type { Context } from './context';
import { presetOf, type FileActions } from './file';
import type { TrainingActions } from './training';

export class Address {
  constructor(
    private readonly context: Context,
    private readonly file: FileActions,
    private readonly training: TrainingActions,
  ) {}

  /** Does what the address says. An address that says nothing gives the first sample, trained. */
  async open(): Promise<void> {
    const learners = this.context.store.get().engine?.learners ?? [];
    const address = decodeHash(this.context.browser.hash(), learners);
    const notice = address.refused.length > 0 ? strings.settings.badHash(address.refused) : '';
    this.context.store.dispatch({ type: 'notice', text: notice });
    const own = address.sample === OWN_DATA;
    const sample = sampleNamed(address.sample ?? '') ?? FIRST_SAMPLE;
    const asked = address.settings.model ?? (own ? '' : sample.model);
    const learner = learnerNamed(learners, asked) ?? defaultLearner(learners);
    if (!learner) return;
    const preset = own ? {} : presetOf(sample);
    const settings = fitToLearner(
      { ...DEFAULT_SETTINGS, ...preset, ...address.settings, model: learner.key },
      learner,
    );
    if (own) {
      // The address knows nothing of the file's columns, so it changes nothing about them.
      const {
        target: _t,
        label: _l,
        ignore: _i,
        kinds: _k,
        missing: _m,
        positive: _p,
        writing: _w,
        ...change
      } = settings;
      this.context.store.dispatch({ type: 'settings', change });
      return;
    }
    if (await this.file.readSample(sample, settings)) await this.training.train();
  }
}
