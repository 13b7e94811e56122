/** Files on their way in: chosen, dropped, pasted, read again as the user says, drawn from when they are too large. */
import { withoutCosts } from '../compare/answers';
import { bytesPerRow } from '../engine/row-length';
import type { Sampled } from '../messages';
import { largestFile, rowsThatFit } from '../state/capacity';
import type { Reading, Source } from '../state/model';
import { sampleNamed, type Sample } from '../state/samples';
import {
  AS_GUESSED,
  NO_COLUMNS,
  fitToLearner,
  learnerNamed,
  readOptions,
  type Kind,
  type Settings,
  type Writing,
} from '../state/settings';
import { strings } from '../text/strings';
import type { Context } from './context';
import type { Takeaway } from './takeaway';
import type { TrainingActions } from './training';

export class FileActions {
  /** Counts the files asked for, so that a slow fetch does not overtake a later choice. */
  private choices = 0;
  /** Calls off the drawing of a sample. */
  private sampling: AbortController | null = null;

  constructor(
    private readonly context: Context,
    private readonly training: TrainingActions,
    private readonly takeaway: Takeaway,
  ) {}

  async chooseSample(name: string): Promise<void> {
    const sample = sampleNamed(name);
    const learner =
      learnerNamed(this.context.store.get().engine?.learners ?? [], sample?.model ?? '') ??
      this.context.learner();
    if (!sample || !learner) return;
    const { settings } = this.context.store.get();
    const fresh = { ...settings, ...presetOf(sample), answers: withoutCosts(settings.answers) };
    await this.readSample(sample, fitToLearner(fresh, learner));
  }

  async chooseFile(file: File): Promise<void> {
    if (/\.json$/i.test(file.name)) await this.takeaway.openTree(file);
    else await this.readOwn(file.name, file);
  }

  async choosePasted(text: string): Promise<void> {
    if (text.trim() === '') return this.context.trouble('data', strings.data.pasteEmpty);
    await this.readOwn(strings.data.pastedName, new Blob([text], { type: 'text/csv' }));
  }

  /** Files dropped on the page. */
  async drop(files: readonly File[]): Promise<void> {
    const [file, ...others] = files;
    if (!file) this.context.trouble('data', strings.data.noFile);
    else if (others.length > 0) this.context.trouble('data', strings.data.oneFile);
    else await this.chooseFile(file);
  }

  /** Reads the present file again with a column's kind set by the user, or left to the reader (null). */
  async setKind(column: string, kind: Kind | null): Promise<void> {
    const { [column]: _, ...others } = this.context.store.get().settings.kinds;
    await this.readAgain({ kinds: kind ? { ...others, [column]: kind } : others });
  }

  /** Reads the present file again with a column's spellings of a missing value set, or left to the reader (null). */
  async setMissing(column: string, tokens: readonly string[] | null): Promise<void> {
    const { [column]: _, ...others } = this.context.store.get().settings.missing;
    await this.readAgain({ missing: tokens ? { ...others, [column]: tokens } : others });
  }

  /** Reads the file again as the user says it is written. A file that was refused is tried before the present one. */
  async setWriting(change: Partial<Writing>): Promise<void> {
    const { refused, source, settings } = this.context.store.get();
    const from = refused ?? (source && { source, settings, again: true, quiet: false });
    if (!from) return;
    // Cut at another character the columns have other names, so what was said about them means nothing any more.
    const sameColumns = Object.keys(change).every((key) => key === 'skipBadRows');
    const writing = { ...from.settings.writing, ...change };
    const { target } = from.settings;
    const settingsNow: Settings = {
      ...from.settings,
      ...(sameColumns ? {} : { ...NO_COLUMNS, target }),
      writing,
    };
    await this.read(from.source, settingsNow, { again: from.again, quiet: false });
  }

  private async readAgain(change: Partial<Settings>): Promise<void> {
    const { source, settings } = this.context.store.get();
    if (source) await this.read(source, { ...settings, ...change }, { again: true, quiet: false });
  }

  /** Calls off the reading. What was there before stays. */
  cancelReading(): void {
    const { phase, run } = this.context.store.get();
    if (phase !== 'reading') return;
    this.choices++;
    if (this.sampling) this.sampling.abort();
    else this.context.client?.steer({ kind: 'stop', run });
  }

  /** Reads a random sample of a file that is too large to be read whole. */
  async takeSample(): Promise<void> {
    const { refused, error } = this.context.store.get();
    if (!refused || error?.next !== 'takeSample' || error.count === undefined) return;
    const { source, settings, again, quiet } = refused;
    const choice = ++this.choices;
    const run = this.context.newRun();
    const stop = new AbortController();
    this.sampling = stop;
    this.context.store.dispatch({
      type: 'reading',
      run,
      reading: { ...refused, stage: 'sampling', share: 0, rows: 0 },
    });
    let sample: Sampled;
    try {
      const report = (share: number) => this.context.store.dispatch({ type: 'sampling', run, share });
      sample = await this.context.browser.sampleRows(
        source.blob,
        error.count,
        settings.seed,
        report,
        stop.signal,
      );
    } catch {
      if (stop.signal.aborted) this.context.store.dispatch({ type: 'cancelled', run });
      else this.context.trouble('data', strings.data.unreadable(source.name));
      return;
    } finally {
      this.sampling = null;
    }
    if (choice !== this.choices) return;
    const drawn: Source = { ...source, blob: sample.blob };
    if (await this.read(drawn, settings, { again, quiet })) {
      this.context.store.dispatch({
        type: 'notice',
        text: strings.data.sampled(source.name, sample.taken, sample.rows, settings.seed),
      });
    }
  }

  /** Fetches a sample and reads it; whether that has worked. */
  async readSample(sample: Sample, settings: Settings): Promise<boolean> {
    const choice = ++this.choices;
    let blob: Blob;
    try {
      blob = await this.context.browser.fetchSample(sample.file);
    } catch {
      this.context.trouble(
        'data',
        strings.data.noSample(strings.data.sample[sample.name]?.name ?? sample.name),
      );
      return false;
    }
    if (choice !== this.choices) return false;
    return this.read({ name: sample.file, sample: sample.name, blob }, settings, {
      again: false,
      quiet: false,
    });
  }

  private async readOwn(name: string, blob: Blob): Promise<void> {
    this.choices++;
    const { settings, source } = this.context.store.get();
    // Costs are for the classes of one file; those of a link wait for the first one.
    const answers = source ? withoutCosts(settings.answers) : settings.answers;
    const fresh: Settings = { ...settings, ...NO_COLUMNS, writing: AS_GUESSED, answers };
    await this.read({ name, sample: null, blob }, fresh, { again: false, quiet: false });
  }

  /** Reads a file; whether it is the present one afterwards. */
  async read(source: Source, settings: Settings, how: { again: boolean; quiet: boolean }): Promise<boolean> {
    // What is being trained is finished first, so that a file that cannot be read costs nothing.
    await this.training.settle();
    const run = this.context.newRun();
    const { name, blob } = source;
    const reading: Reading = { source, settings, ...how, stage: 'reading', share: 0, rows: 0 };
    this.context.store.dispatch({ type: 'reading', run, reading });
    const limit = largestFile(this.context.browser.deviceMemory());
    if (blob.size > limit) return this.refuseSize(reading, limit);
    const reply = await this.context.ask({ kind: 'load', run, name, options: readOptions(settings) }, blob);
    // Another file may have been chosen meanwhile: then nothing may go on with this one.
    if (reply?.event.kind !== 'loaded' || run !== this.context.store.get().run) return false;
    this.context.writeAddress();
    return true;
  }

  /** Says before anything fails that the file is too large, and what can be done. */
  private async refuseSize(reading: Reading, limit: number): Promise<false> {
    const { name, blob } = reading.source;
    try {
      const count = rowsThatFit(limit, await bytesPerRow(blob));
      const words = strings.data.tooLarge(name, blob.size, limit, count);
      this.context.store.dispatch({
        type: 'trouble',
        trouble: { place: 'data', ...words, next: 'takeSample', count },
        refused: reading,
      });
    } catch {
      this.context.trouble('data', strings.data.unreadable(name));
    }
    return false;
  }
}

/** A sample's own settings; whatever was set for another file's columns is gone. */
export function presetOf(sample: Sample): Partial<Settings> {
  return { ...NO_COLUMNS, writing: AS_GUESSED, target: sample.target, depthFrom: 'recipe' };
}
