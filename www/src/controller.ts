/**
 * What the page does: turns the user's wishes into requests and the answers into actions of the store.
 *
 * Everything with an effect is here; the reducer decides what the effects mean, the views only call these methods.
 */
import type { Browser } from './browser';
import { swapped, withoutCosts } from './state/answers';
import { decodeHash, encodeHash, OWN_DATA } from './state/hash';
import { largestFile, rowsThatFit } from './state/capacity';
import type { Action, Place, Reading, Source, State } from './state/model';
import { FIRST_SAMPLE, sampleNamed, type Sample } from './state/samples';
import { canShow, hasOwnTree, isBudgetUsed, isBusy, trainObstacle } from './state/selectors';
import {
  AS_GUESSED,
  DEFAULT_SETTINGS,
  GROUPING_LEARNER,
  NO_COLUMNS,
  defaultLearner,
  effectiveTask,
  fitToLearner,
  isGrouping,
  learnerNamed,
  readOptions,
  trainSettings,
  type Kind,
  type Settings,
  type Writing,
} from './state/settings';
import type { Store } from './state/store';
import { strings } from './strings';
import { Takeaway } from './takeaway';
import { WorkerLost, type Asking } from './worker/client';
import type { Engines, EnginesListener } from './worker/engines';
import type { Reply } from './worker/engine';
import { bytesPerRow, type Sampled } from './worker/sampling';
import type { Aside } from './worker/aside';
import { planeMap, type PlaneMap } from './draw/plane';
import type { Event } from './protocol';

/** A tree file larger than this is something else; a depth-10 tree has about one megabyte. */
const MAX_TREE_BYTES = 64 * 2 ** 20;

/** Settings that change what the recipes come to. */
const RESOLVED_BY: readonly (keyof Settings)[] = ['target', 'task', 'depth', 'depthSaid', 'config'];

/** One row's way through a tree. */
export type Traced = Extract<Event, { kind: 'traced' }>;

export class Controller {
  /** Set once the worker exists; the worker's events and the controller's requests need each other. */
  client: Pick<Engines, 'request' | 'steer'> | null = null;
  private nextRun = 1;
  /** Counts the files asked for, so that a slow fetch does not overtake a later choice. */
  private choices = 0;
  /** The frame that is asked for, and whether the engine is busy with one. */
  private wantedFrame: number | null = null;
  private scrubbing = false;
  /** The answer rule that is asked for, and whether the engine is busy with one. */
  private wantedAnswers: string | null = null;
  private answering = false;
  /** Calls off the drawing of a sample. */
  private sampling: AbortController | null = null;
  /** The address has been followed; a later worker must not begin again with it. */
  private begun = false;

  /** Trees as files, and answers for files. */
  readonly takeaway: Takeaway;

  constructor(
    private readonly store: Store<State, Action>,
    private readonly browser: Browser,
  ) {
    this.takeaway = new Takeaway(store, browser);
  }

  // --- what the worker says -------------------------------------------------------------------------------------

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
    if (kind === 'loaded') this.resolve();
    if (kind === 'progress') this.keepBudget();
    // What was filmed and where the rows ended belongs to a training that rests.
    // Groups are filmed by the page itself, and have no second tree to compare their rows with.
    if (this.store.get().problem?.task === 'clustering') return;
    // Another rule leaves the rows where they are, another tree does not.
    const moved = reply.event.kind === 'shown' && reply.event.alone !== alone;
    if (kind === 'trained' || moved) void this.ask({ kind: 'rows', run });
    if (kind === 'trained' || kind === 'paused') void this.ask({ kind: 'frames', run });
  }

  private onLost(reason: string, restarting: boolean): void {
    this.store.dispatch({ type: 'lost', reason, restarting });
  }

  private onReady(): void {
    const { source, settings } = this.store.get();
    // A worker that took another's place knows no table yet.
    if (source) void this.read(source, settings, { again: true, quiet: true });
    else if (!this.begun) void this.openAddress();
    this.begun = true;
  }

  // --- the address ----------------------------------------------------------------------------------------------

  /** Does what the address says. An address that says nothing gives the first sample, trained. */
  async openAddress(): Promise<void> {
    const learners = this.store.get().engine?.learners ?? [];
    const address = decodeHash(this.browser.hash(), learners);
    const notice = address.refused.length > 0 ? strings.settings.badHash(address.refused) : '';
    this.store.dispatch({ type: 'notice', text: notice });
    const own = address.sample === OWN_DATA;
    const sample = sampleNamed(address.sample ?? '') ?? FIRST_SAMPLE;
    const asked = address.settings.model ?? (own ? '' : sample.model);
    const learner = learnerNamed(learners, asked) ?? defaultLearner(learners);
    if (!learner) return;
    const preset = own ? { depth: learner.defaultDepth } : presetOf(sample);
    const settings = fitToLearner({ ...DEFAULT_SETTINGS, ...preset, ...address.settings, model: learner.key }, learner);
    if (own) {
      // The address knows nothing of the file's columns, so it changes nothing about them.
      const { target: _t, label: _l, ignore: _i, kinds: _k, missing: _m, positive: _p, writing: _w, ...change } = settings;
      this.store.dispatch({ type: 'settings', change });
      return;
    }
    if (await this.readSample(sample, settings)) await this.train();
  }

  private writeAddress(): void {
    const { settings, source } = this.store.get();
    this.browser.setHash(encodeHash(settings, source ? source.sample : OWN_DATA));
  }

  // --- data -----------------------------------------------------------------------------------------------------

  async chooseSample(name: string): Promise<void> {
    const sample = sampleNamed(name);
    const learner = learnerNamed(this.store.get().engine?.learners ?? [], sample?.model ?? '') ?? this.learner();
    if (!sample || !learner) return;
    const { settings } = this.store.get();
    const fresh = { ...settings, ...presetOf(sample), answers: withoutCosts(settings.answers) };
    await this.readSample(sample, fitToLearner(fresh, learner));
  }

  async chooseFile(file: File): Promise<void> {
    if (/\.json$/i.test(file.name)) await this.openTree(file);
    else await this.readOwn(file.name, file);
  }

  async choosePasted(text: string): Promise<void> {
    if (text.trim() === '') return this.trouble('data', strings.data.pasteEmpty);
    await this.readOwn(strings.data.pastedName, new Blob([text], { type: 'text/csv' }));
  }

  /** Files dropped on the page. */
  async drop(files: readonly File[]): Promise<void> {
    const [file, ...others] = files;
    if (!file) this.trouble('data', strings.data.noFile);
    else if (others.length > 0) this.trouble('data', strings.data.oneFile);
    else await this.chooseFile(file);
  }

  /** Reads the present file again with a column's kind set by the user, or left to the reader (null). */
  async setKind(column: string, kind: Kind | null): Promise<void> {
    const { [column]: _, ...others } = this.store.get().settings.kinds;
    await this.readAgain({ kinds: kind ? { ...others, [column]: kind } : others });
  }

  /** Reads the present file again with a column's spellings of a missing value set, or left to the reader (null). */
  async setMissing(column: string, tokens: readonly string[] | null): Promise<void> {
    const { [column]: _, ...others } = this.store.get().settings.missing;
    await this.readAgain({ missing: tokens ? { ...others, [column]: tokens } : others });
  }

  /** Reads the file again as the user says it is written. A file that was refused is tried before the present one. */
  async setWriting(change: Partial<Writing>): Promise<void> {
    const { refused, source, settings } = this.store.get();
    const from = refused ?? (source && { source, settings, again: true, quiet: false });
    if (!from) return;
    // Cut at another character the columns have other names, so what was said about them means nothing any more.
    const sameColumns = Object.keys(change).every((key) => key === 'skipBadRows');
    const writing = { ...from.settings.writing, ...change };
    const { target } = from.settings;
    const settingsNow: Settings = { ...from.settings, ...(sameColumns ? {} : { ...NO_COLUMNS, target }), writing };
    await this.read(from.source, settingsNow, { again: from.again, quiet: false });
  }

  private async readAgain(change: Partial<Settings>): Promise<void> {
    const { source, settings } = this.store.get();
    if (source) await this.read(source, { ...settings, ...change }, { again: true, quiet: false });
  }

  /** Calls off the reading. What was there before stays. */
  cancelReading(): void {
    const { phase, run } = this.store.get();
    if (phase !== 'reading') return;
    this.choices++;
    if (this.sampling) this.sampling.abort();
    else this.client?.steer({ kind: 'stop', run });
  }

  /** Reads a random sample of a file that is too large to be read whole. */
  async takeSample(): Promise<void> {
    const { refused, error } = this.store.get();
    if (!refused || error?.next !== 'takeSample' || error.count === undefined) return;
    const { source, settings, again, quiet } = refused;
    const choice = ++this.choices;
    const run = this.nextRun++;
    const stop = new AbortController();
    this.sampling = stop;
    this.store.dispatch({ type: 'reading', run, reading: { ...refused, stage: 'sampling', share: 0, rows: 0 } });
    let sample: Sampled;
    try {
      const report = (share: number) => this.store.dispatch({ type: 'sampling', run, share });
      sample = await this.browser.sampleRows(source.blob, error.count, settings.seed, report, stop.signal);
    } catch {
      if (stop.signal.aborted) this.store.dispatch({ type: 'cancelled', run });
      else this.trouble('data', strings.data.unreadable(source.name));
      return;
    } finally {
      this.sampling = null;
    }
    if (choice !== this.choices) return;
    const drawn: Source = { ...source, blob: sample.blob };
    if (await this.read(drawn, settings, { again, quiet })) {
      this.store.dispatch({ type: 'notice', text: strings.data.sampled(source.name, sample.taken, sample.rows, settings.seed) });
    }
  }

  private async readSample(sample: Sample, settings: Settings): Promise<boolean> {
    const choice = ++this.choices;
    let blob: Blob;
    try {
      blob = await this.browser.fetchSample(sample.file);
    } catch {
      this.trouble('data', strings.data.noSample(strings.data.sample[sample.name]?.name ?? sample.name));
      return false;
    }
    if (choice !== this.choices) return false;
    return this.read({ name: sample.file, sample: sample.name, blob }, settings, { again: false, quiet: false });
  }

  private async readOwn(name: string, blob: Blob): Promise<void> {
    this.choices++;
    const { settings, source } = this.store.get();
    // Costs are for the classes of one file; those of a link wait for the first one.
    const answers = source ? withoutCosts(settings.answers) : settings.answers;
    const fresh: Settings = { ...settings, ...NO_COLUMNS, writing: AS_GUESSED, answers };
    await this.read({ name, sample: null, blob }, fresh, { again: false, quiet: false });
  }

  private async read(source: Source, settings: Settings, how: { again: boolean; quiet: boolean }): Promise<boolean> {
    // What is being trained is finished first, so that a file that cannot be read costs nothing.
    await this.settle();
    const run = this.nextRun++;
    const { name, blob } = source;
    const reading: Reading = { source, settings, ...how, stage: 'reading', share: 0, rows: 0 };
    this.store.dispatch({ type: 'reading', run, reading });
    const limit = largestFile(this.browser.deviceMemory());
    if (blob.size > limit) return this.refuseSize(reading, limit);
    const reply = await this.ask({ kind: 'load', run, name, options: readOptions(settings) }, blob);
    // Another file may have been chosen meanwhile: then nothing may go on with this one.
    if (reply?.event.kind !== 'loaded' || run !== this.store.get().run) return false;
    this.writeAddress();
    return true;
  }

  /** Says before anything fails that the file is too large, and what can be done. */
  private async refuseSize(reading: Reading, limit: number): Promise<false> {
    const { name, blob } = reading.source;
    try {
      const count = rowsThatFit(limit, await bytesPerRow(blob));
      const words = strings.data.tooLarge(name, blob.size, limit, count);
      this.store.dispatch({ type: 'trouble', trouble: { place: 'data', ...words, next: 'takeSample', count }, refused: reading });
    } catch {
      this.trouble('data', strings.data.unreadable(name));
    }
    return false;
  }

  // --- settings -------------------------------------------------------------------------------------------------

  set(change: Partial<Settings>): void {
    this.store.dispatch({ type: 'settings', change });
    this.writeAddress();
    if (RESOLVED_BY.some((key) => key in change)) this.resolve();
  }

  /** Asks what the recipes come to for the present target and what was set by hand. The answer goes to the store. */
  private resolve(): void {
    const state = this.store.get();
    const { settings, run, table } = state;
    if (!table || isBusy(state) || (settings.target === '' && !isGrouping(settings))) return;
    // A depth that was not set by hand is an answer here, not a question.
    const classes = effectiveTask(settings, table.columns) === 'classification';
    const { said: { depth, ...others }, ...wanted } = trainSettings(settings, classes);
    const said = settings.depthSaid && depth !== undefined ? { ...others, depth } : others;
    void this.ask({ kind: 'resolve', run, settings: { ...wanted, said } });
  }

  /** Chooses the target; none (null) has the rows grouped, which one learner can do. */
  setTarget(target: string | null): void {
    const { settings } = this.store.get();
    if (target === null && settings.model !== GROUPING_LEARNER) this.store.dispatch({ type: 'model', key: GROUPING_LEARNER });
    const answers = withoutCosts(settings.answers);
    this.setValidity('answers', '');
    this.set({ target: target ?? '', task: target === null ? 'clustering' : 'auto', positive: '', label: '', answers });
  }

  /** Chooses which of two classes is positive, which is the second one. `usual` is the one that is it by itself. */
  setPositive(positive: string, usual: string): void {
    const { settings } = this.store.get();
    const turned = (settings.positive || usual) !== (positive || usual);
    this.set({ positive, answers: turned ? swapped(settings.answers) : settings.answers });
  }

  /** Sets the answer rule. Finished trees answer by it at once; only the newest wish counts while the engine is busy with one. */
  async setAnswers(answers: string): Promise<void> {
    this.setValidity('answers', '');
    this.set({ answers });
    if (!canShow(this.store.get())) return;
    this.wantedAnswers = answers;
    if (this.answering) return;
    this.answering = true;
    try {
      for (let wanted = this.wantedAnswers; canShow(this.store.get()); wanted = this.wantedAnswers) {
        const { run, alone } = this.store.get();
        const reply = await this.ask({ kind: 'show', run, alone, answers: wanted });
        if (reply?.event.kind !== 'shown' || this.wantedAnswers === wanted) break;
      }
    } finally {
      this.answering = false;
    }
    // What columns are worth depends on the answers too.
    const { run } = this.store.get();
    if (canShow(this.store.get())) void this.ask({ kind: 'rows', run });
  }

  setModel(key: string): void {
    this.store.dispatch({ type: 'model', key });
    this.writeAddress();
    this.resolve();
  }

  setValidity(field: string, message: string): void {
    this.store.dispatch({ type: 'validity', field, message });
  }

  newSeed(): void {
    this.setValidity('seed', '');
    this.set({ seed: this.browser.randomSeed() });
  }

  // --- training -------------------------------------------------------------------------------------------------

  async train(): Promise<void> {
    const state = this.store.get();
    const obstacle = trainObstacle(state);
    if (obstacle) {
      if (!isBusy(state)) this.trouble('train', { message: obstacle, hint: '' });
      return;
    }
    const run = this.nextRun++;
    this.store.dispatch({ type: 'training', run, at: this.browser.now() });
    this.writeAddress();
    const classes = effectiveTask(state.settings, state.table?.columns ?? []) === 'classification';
    await this.ask({ kind: 'train', run, settings: trainSettings(state.settings, classes) });
  }

  pauseOrResume(): void {
    const { phase, run } = this.store.get();
    if (phase === 'training') this.client?.steer({ kind: 'pause', run });
    if (phase !== 'paused') return;
    this.client?.steer({ kind: 'resume', run });
    this.store.dispatch({ type: 'resumed' });
  }

  step(): void {
    const { phase, run } = this.store.get();
    if (phase === 'paused') this.client?.steer({ kind: 'step', run });
  }

  /** Ends a training that has used up its time. */
  private keepBudget(): void {
    const state = this.store.get();
    if (state.phase === 'training' && isBudgetUsed(state) && hasOwnTree(state)) this.stop();
  }

  stop(): void {
    const state = this.store.get();
    if (isBusy(state)) this.client?.steer({ kind: 'stop', run: state.run });
  }

  /** Stops a training and waits until its tree has arrived, or the worker was lost. */
  private settle(): Promise<void> {
    if (!isBusy(this.store.get())) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = this.store.subscribe((state) => {
        if (isBusy(state)) return;
        leave();
        resolve();
      });
      this.stop();
    });
  }

  // --- looking closer -------------------------------------------------------------------------------------------

  /** Shows a frame of the film, or the tree itself (null). Only the newest wish counts while the engine is busy with one. */
  async scrub(frame: number | null): Promise<void> {
    this.wantedFrame = frame;
    if (frame === null) this.store.dispatch({ type: 'present' });
    if (this.scrubbing) return;
    this.scrubbing = true;
    try {
      for (let wanted = this.wantedFrame; wanted !== null; wanted = this.wantedFrame) {
        const { run, film } = this.store.get();
        if (film?.own) {
          this.store.dispatch({ type: 'seenFrame', frame: wanted });
          break;
        }
        if (!film || (await this.ask({ kind: 'frame', run, frame: wanted })) === null) break;
        if (this.wantedFrame === wanted) break;
      }
    } finally {
      this.scrubbing = false;
    }
    if (this.wantedFrame === null) this.store.dispatch({ type: 'present' });
  }

  /** Puts the best tree of descent alone in the place of the kept one, or the kept one back. */
  async show(alone: boolean): Promise<void> {
    const { phase, run, problem, trainedWith } = this.store.get();
    if (phase !== 'done' || !trainedWith) return;
    await this.ask({ kind: 'show', run, alone, answers: trainSettings(trainedWith, problem?.decision != null).answers });
  }

  /** Both trees over the plane of two columns; null if that could not be had. */
  async map(frame: number | null, x: string, y: string): Promise<PlaneMap | null> {
    const reply = await this.ask({ kind: 'map', run: this.store.get().run, frame, x, y });
    return reply?.event.kind === 'map' && reply.numbers ? planeMap(reply.numbers, reply.event.side) : null;
  }

  /** The cells of a row of the file, counted from 0; null if the engine no longer has it. */
  async row(row: number): Promise<readonly string[] | null> {
    const reply = await this.ask({ kind: 'row', run: this.store.get().run, row });
    return reply?.event.kind === 'row' ? reply.event.cells : null;
  }

  /** One row's way through a tree; the row as a table of its own. */
  async trace(tree: string, csv: string): Promise<Traced | null> {
    const bytes = new TextEncoder().encode(csv);
    const reply = await this.ask({ kind: 'trace', run: this.store.get().run, tree }, bytes);
    return reply?.event.kind === 'traced' ? reply.event : null;
  }

  /** A second engine with the present file, for work that must not hold up the first. */
  async aside(): Promise<Aside> {
    const { source, trainedWith } = this.store.get();
    if (!source || !trainedWith) throw new WorkerLost('There is no file.');
    return this.browser.openAside(source, readOptions(trainedWith));
  }

  // --- trees that are read back -------------------------------------------------------------------------------------------

  async openTree(file: File): Promise<void> {
    if (isBusy(this.store.get())) return this.trouble('result', { message: strings.take.busy, hint: '' });
    if (file.size > MAX_TREE_BYTES) return this.trouble('result', strings.take.notTree(file.name));
    const run = this.nextRun++;
    this.store.dispatch({ type: 'opening', run, name: file.name });
    let tree: string;
    try {
      tree = await file.text();
    } catch {
      return this.trouble('result', strings.data.unreadable(file.name));
    }
    await this.ask({ kind: 'open', run, tree });
  }

  closeOpened(): void {
    this.store.dispatch({ type: 'closeOpened' });
  }

  // --- shared ---------------------------------------------------------------------------------------------------

  dismiss(what: 'error' | 'notice'): void {
    this.store.dispatch({ type: 'dismiss', what });
  }

  private trouble(place: Place, words: { message: string; hint: string }): void {
    this.store.dispatch({ type: 'trouble', trouble: { place, ...words, next: null } });
  }

  private learner() {
    const { engine, settings } = this.store.get();
    return learnerNamed(engine?.learners ?? [], settings.model);
  }

  /** Sends a request; null if the worker died over it, which `onLost` has then told the user. */
  private async ask(request: Asking, file?: Blob | Uint8Array<ArrayBuffer>): Promise<Reply | null> {
    try {
      return (await this.client?.request(request, file)) ?? null;
    } catch (error) {
      if (error instanceof WorkerLost) return null;
      throw error;
    }
  }
}

/** A sample's own settings; whatever was set for another file's columns is gone. */
function presetOf(sample: Sample): Partial<Settings> {
  return { ...NO_COLUMNS, writing: AS_GUESSED, target: sample.target, depth: sample.depth, depthSaid: false };
}
