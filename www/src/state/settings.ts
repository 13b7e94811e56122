/** The form's values, and what the engine makes of them. */
import type {
  ColumnInfo,
  LearnerInfo,
  ParamInfo,
  ParamValue,
  ReadOptions,
  ResolvedInfo,
  TableInfo,
  TrainSettings,
} from '../protocol';
import { sampleNamed } from './samples';

export type Task = 'auto' | 'classification' | 'regression' | 'clustering';

/** Tasks of a target; the fourth is to have none. */
export const TASKS: readonly Task[] = ['auto', 'classification', 'regression'];

/** Where hyper-parameters come from that are not set by hand, the default first. */
export const RECIPES = ['espalier', 'published'] as const;

export type Recipe = (typeof RECIPES)[number];

/** Seeds are 32-bit. */
export const MAX_SEED = 0xffff_ffff;

/** The longest time budget, in seconds: a day. */
export const MAX_BUDGET = 86_400;

/** Greatest share that one of the two held-out parts may take. */
export const MAX_SHARE = 0.8;

/** How the file is written, where the user knows better than the reader. Empty and null leave it to the reader. */
export interface Writing {
  delimiter: string;
  encoding: string;
  header: boolean | null;
  /** Leave out rows that cannot be read. */
  skipBadRows: boolean;
}

export const AS_GUESSED: Writing = { delimiter: '', encoding: '', header: null, skipBadRows: false };

export const DELIMITERS = [',', ';', '\t', '|'] as const;

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

/** Kinds a user can give a column. */
export const KINDS = ['number', 'category', 'yes-no', 'date', 'text', 'constant', 'identifier'] as const;

export type Kind = (typeof KINDS)[number];

/** The recipe of the learner, the sample that is shown with a depth of its own, or the user. */
export type DepthFrom = 'recipe' | 'sample' | 'hand';

/** Everything the form holds. */
export interface Settings {
  /** Empty until a table is there, and where rows are grouped without one. */
  target: string;
  task: Task;
  /** A column that groups are scored by; empty for none. */
  label: string;
  /** Empty until the engine has named its learners. */
  model: string;
  /** Where hyper-parameters come from that are not set here. */
  recipe: Recipe;
  depth: number;
  /** Who says the depth; see `withUsualDepth`. */
  depthFrom: DepthFrom;
  seed: number;
  test: number;
  valid: number;
  /** Seconds after which a training is stopped with the best tree so far; 0 for no limit. */
  budget: number;
  /** Columns not to be used. */
  ignore: readonly string[];
  /** Columns whose kind the user has set. */
  kinds: Readonly<Record<string, Kind>>;
  /** Spellings of a missing value by column, where the user has set them. */
  missing: Readonly<Record<string, readonly string[]>>;
  /** Of two classes the one that counts as positive; empty for the usual order. */
  positive: string;
  /** Which class trees answer: `auto`, `likeliest`, `balanced` or `costs:` with a matrix. */
  answers: string;
  writing: Writing;
  /** Hyper-parameters set by hand, also where that is what the recipe says. */
  config: Readonly<Record<string, ParamValue>>;
}

export const DEFAULT_SETTINGS: Settings = {
  target: '',
  task: 'auto',
  label: '',
  model: '',
  recipe: 'espalier',
  depth: 4,
  depthFrom: 'recipe',
  seed: 1,
  test: 0.2,
  valid: 0.2,
  budget: 0,
  ignore: [],
  kinds: {},
  missing: {},
  positive: '',
  answers: 'auto',
  writing: AS_GUESSED,
  config: {},
};

/** The learner the form starts with: the first that is not the greedy baseline. */
export function defaultLearner(learners: readonly LearnerInfo[]): LearnerInfo | null {
  return learners.find(({ key }) => key !== 'cart') ?? learners[0] ?? null;
}

export function learnerNamed(learners: readonly LearnerInfo[], key: string): LearnerInfo | null {
  return learners.find((learner) => learner.key === key) ?? null;
}

/** Whether a value may be given to a hyper-parameter. */
export function fits(param: ParamInfo, value: ParamValue): boolean {
  if (typeof param.default === 'boolean') return typeof value === 'boolean';
  if (param.choices.length > 0) return typeof value === 'string' && param.choices.includes(value);
  return typeof value === 'number' && inRange(value, param.min, param.max, param.whole);
}

export function inRange(value: number, min: number | null, max: number | null, whole: boolean): boolean {
  return (
    Number.isFinite(value) &&
    (min === null || value >= min) &&
    (max === null || value <= max) &&
    (!whole || Number.isInteger(value))
  );
}

/** Settings that a learner accepts: depth within its limit, only hyper-parameters it has. */
export function fitToLearner(settings: Settings, learner: LearnerInfo): Settings {
  const config: Record<string, ParamValue> = {};
  for (const param of learner.params) {
    const value = settings.config[param.key];
    if (value !== undefined && fits(param, value)) config[param.key] = value;
  }
  return {
    ...settings,
    model: learner.key,
    depth: Math.max(1, Math.min(settings.depth, learner.maxDepth)),
    config,
  };
}

/** What every hyper-parameter of the chosen learner comes to under the chosen recipe; empty until the engine has said it. */
export function resolvedValues(
  { model, recipe }: Settings,
  resolved: readonly ResolvedInfo[],
): Readonly<Record<string, ParamValue>> {
  return resolved.find((one) => one.model === model && one.recipe === recipe)?.values ?? {};
}

/**
 * Settings with the depth that is used where none was set by hand: the one with which a sample tells its story with our recipe and its
 * own learner, else the recipe's.
 */
export function withUsualDepth(
  settings: Settings,
  learner: LearnerInfo | null,
  sample: string | null,
  resolved: readonly ResolvedInfo[],
): Settings {
  if (settings.depthFrom === 'hand' || !learner) return settings;
  const story = sampleNamed(sample ?? '');
  if (story?.model === settings.model && settings.recipe === 'espalier')
    return { ...settings, depth: story.depth, depthFrom: 'sample' };
  const { depth } = resolvedValues(settings, resolved);
  return {
    ...settings,
    depth: typeof depth === 'number' ? depth : learner.defaultDepth,
    depthFrom: 'recipe',
  };
}

/** Settings that name only columns of this table; the target falls back to the suggested one. */
export function fitToTable(settings: Settings, table: TableInfo): Settings {
  const columns = new Set(table.columns.map(({ name }) => name));
  const isTarget = table.columns.some(({ name, task }) => name === settings.target && task !== '');
  const target = isGrouping(settings) ? '' : isTarget ? settings.target : table.suggestedTarget;
  const known = <Value>(byColumn: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(byColumn).filter(([name]) => columns.has(name)));
  return {
    ...settings,
    target,
    label: isGrouping(settings) && columns.has(settings.label) ? settings.label : '',
    positive: twoClasses(table, target).includes(settings.positive) ? settings.positive : '',
    ignore: settings.ignore.filter((name) => columns.has(name)),
    kinds: known(settings.kinds),
    missing: known(settings.missing),
  };
}

/** What the reader is told about the columns. */
export function readOptions({ kinds, missing, writing }: Settings): ReadOptions {
  return {
    ...writing,
    kinds: { ...kinds },
    missing: Object.fromEntries(Object.entries(missing).map(([name, tokens]) => [name, [...tokens]])),
  };
}

/** What the learner is told. Only `classes` have an answer rule; numbers and groups have none to choose from. */
export function trainSettings(settings: Settings, classes = true): TrainSettings {
  const { target, task, label, model, recipe, depth, depthFrom, seed, test, valid, positive, config } =
    settings;
  const answers = classes ? settings.answers : DEFAULT_SETTINGS.answers;
  // The target cannot be left out of its own problem.
  const ignore = settings.ignore.filter((name) => name !== target);
  // The depth of a recipe is the engine's to say: some learners search for it unless one is set.
  const said = depthFrom === 'recipe' ? { ...config } : { ...config, depth };
  return { target, task, label, model, recipe, seed, test, valid, ignore, positive, answers, said };
}

/** What is said about columns and cannot outlive the file. */
export const NO_COLUMNS = {
  target: '',
  task: 'auto',
  label: '',
  ignore: [],
  kinds: {},
  missing: {},
  positive: '',
} as const satisfies Partial<Settings>;

/** The classes of a column that has exactly two, in the usual order, as the file spells them; otherwise none. */
export function twoClasses(table: TableInfo, name: string): string[] {
  const at = table.columns.findIndex((column) => column.name === name);
  const column = table.columns[at];
  if (!column || column.distinct !== 2) return [];
  const { profile } = column;
  const words = profile?.kind === 'words' ? [...profile.words] : cellsOf(table, at, column);
  if (words.length !== 2) return [];
  const numbers = words.map(Number);
  return numbers.some(Number.isNaN) ? words.sort() : words.sort((a, b) => Number(a) - Number(b));
}

/** The different cells of a column among the rows that are shown. */
function cellsOf(table: TableInfo, at: number, { missingTokens }: ColumnInfo): string[] {
  const cells = table.preview.map((row) => row[at] ?? '');
  return [...new Set(cells)].filter((cell) => cell !== '' && !missingTokens.includes(cell));
}

/** Whether rows are to be grouped without a target. */
export function isGrouping({ task }: Pick<Settings, 'task'>): boolean {
  return task === 'clustering';
}

/** The task that will be learned: the chosen one, or the one the target poses. */
export function effectiveTask(settings: Settings, columns: readonly ColumnInfo[]): string {
  if (settings.task !== 'auto') return settings.task;
  return columns.find(({ name }) => name === settings.target)?.task ?? '';
}
