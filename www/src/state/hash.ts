/**
 * Settings, sample and seed in the address, so that a link is an experiment.
 *
 * The user's data never goes there, and column names and classes are part of it: target, ignored columns, column kinds,
 * spellings of missing values, how the file is written and the positive class are there for the samples only.
 */
import type { LearnerInfo, ParamInfo, ParamValue } from '../protocol';
import { isRule } from '../compare/answers';
import { sampleNamed } from './samples';
import {
  AS_GUESSED,
  DEFAULT_SETTINGS,
  DELIMITERS,
  ENCODINGS,
  KINDS,
  MAX_BUDGET,
  MAX_SEED,
  MAX_SHARE,
  RECIPES,
  TASKS,
  defaultLearner,
  fits,
  inRange,
  learnerNamed,
  type Kind,
  type Recipe,
  type Settings,
  type Task,
  type Writing,
} from './settings';

/** Stands for a file of the user's own, which the address cannot bring back. */
export const OWN_DATA = 'own';

/** Before the name of a column whose spellings of a missing value follow. */
const MISSING = 'missing.';

/** What an address says. */
export interface Address {
  /** A sample's name, `own`, or null if the address does not say. */
  sample: string | null;
  /** Only what the address names. */
  settings: Partial<Settings>;
  /** The parts that could not be understood, as they are spelled. */
  refused: string[];
}

/** The hash for these settings, without the `#`. Defaults are left out. */
export function encodeHash(settings: Settings, sample: string | null): string {
  const parts = new URLSearchParams();
  parts.set('sample', sample ?? OWN_DATA);
  if (sample !== null) {
    if (settings.target) parts.set('target', settings.target);
    for (const name of settings.ignore) parts.append('ignore', name);
    for (const [name, kind] of Object.entries(settings.kinds)) parts.append(kind, name);
    for (const [name, tokens] of Object.entries(settings.missing)) {
      for (const token of tokens.length > 0 ? tokens : ['']) parts.append(MISSING + name, token);
    }
    if (settings.positive) parts.set('positive', settings.positive);
    if (settings.label) parts.set('label', settings.label);
    for (const [key, value] of Object.entries(settings.writing)) {
      if (value !== AS_GUESSED[key as keyof Writing]) parts.set(key, String(value));
    }
  }
  if (settings.task !== DEFAULT_SETTINGS.task) parts.set('task', settings.task);
  if (settings.model) parts.set('model', settings.model);
  if (settings.recipe !== DEFAULT_SETTINGS.recipe) parts.set('recipe', settings.recipe);
  if (settings.answers !== DEFAULT_SETTINGS.answers) parts.set('answers', settings.answers);
  if (settings.depthFrom === 'hand') parts.set('depth', String(settings.depth));
  parts.set('seed', String(settings.seed));
  if (settings.test !== DEFAULT_SETTINGS.test) parts.set('test', String(settings.test));
  if (settings.valid !== DEFAULT_SETTINGS.valid) parts.set('valid', String(settings.valid));
  if (settings.budget !== DEFAULT_SETTINGS.budget) parts.set('budget', String(settings.budget));
  for (const [key, value] of Object.entries(settings.config)) parts.set(`set.${key}`, String(value));
  return parts.toString();
}

/** Reads a hash (with or without `#`). Never throws: what cannot be understood is listed and left at its default. */
export function decodeHash(hash: string, learners: readonly LearnerInfo[]): Address {
  const address: Address = { sample: null, settings: {}, refused: [] };
  const parts = [...new URLSearchParams(hash.replace(/^#/, ''))];
  // The learner decides which depths and hyper-parameters exist, so it is read before them.
  const said = (wanted: string) => parts.findLast(([key]) => key === wanted)?.[1];
  const named = said('model');
  const usual =
    learnerNamed(learners, sampleNamed(said('sample') ?? '')?.model ?? '') ?? defaultLearner(learners);
  const learner = named === undefined ? usual : learnerNamed(learners, named);
  for (const [key, text] of parts) {
    if (!take(address, key, text, learner)) address.refused.push(text === '' ? key : `${key}=${text}`);
  }
  return address;
}

/** Takes over one part; false if it means nothing. */
function take(address: Address, key: string, text: string, learner: LearnerInfo | null): boolean {
  const { settings } = address;
  const number = text.trim() === '' ? NaN : Number(text);
  switch (key) {
    case 'sample':
      if (text !== OWN_DATA && !sampleNamed(text)) return false;
      address.sample = text;
      return true;
    case 'target':
      settings.target = text;
      return text !== '';
    case 'ignore':
      settings.ignore = [...(settings.ignore ?? []), text];
      return text !== '';
    case 'positive':
      settings.positive = text;
      return text !== '';
    case 'label':
      settings.label = text;
      return text !== '';
    case 'delimiter':
      return takeWriting(settings, DELIMITERS.includes(text as (typeof DELIMITERS)[number]), {
        delimiter: text,
      });
    case 'encoding':
      return takeWriting(settings, ENCODINGS.includes(text as (typeof ENCODINGS)[number]), {
        encoding: text,
      });
    case 'header':
      return takeWriting(settings, text === 'true' || text === 'false', { header: text === 'true' });
    case 'skipBadRows':
      return takeWriting(settings, text === 'true', { skipBadRows: true });
    case 'task':
      // Only one learner can do without a target.
      if (text === 'clustering' ? !learner?.groups : !TASKS.includes(text as Task)) return false;
      settings.task = text as Task;
      return true;
    case 'model':
      if (!learner) return false;
      settings.model = learner.key;
      return true;
    case 'answers':
      if (!isRule(text)) return false;
      settings.answers = text;
      return true;
    case 'recipe':
      if (!RECIPES.includes(text as Recipe)) return false;
      settings.recipe = text as Recipe;
      return true;
    case 'set.preset':
      // What links of before say.
      if (!['paper', 'default', 'quick'].includes(text)) return false;
      settings.recipe = text === 'paper' ? 'published' : 'espalier';
      return true;
    case 'depth':
      if (!learner || !inRange(number, 1, learner.maxDepth, true)) return false;
      settings.depth = number;
      settings.depthFrom = 'hand';
      return true;
    case 'seed':
      if (!inRange(number, 0, MAX_SEED, true)) return false;
      settings.seed = number;
      return true;
    case 'budget':
      if (!inRange(number, 0, MAX_BUDGET, true)) return false;
      settings.budget = number;
      return true;
    case 'test':
    case 'valid':
      if (!inRange(number, 0, MAX_SHARE, false)) return false;
      settings[key] = number;
      return true;
    default:
      if (KINDS.includes(key as Kind)) {
        settings.kinds = { ...settings.kinds, [text]: key as Kind };
        return text !== '';
      }
      return key.startsWith(MISSING)
        ? takeMissing(settings, key.slice(MISSING.length), text)
        : takeParam(settings, key, text, learner);
  }
}

function takeWriting(settings: Partial<Settings>, known: boolean, change: Partial<Writing>): boolean {
  if (known) settings.writing = { ...(settings.writing ?? AS_GUESSED), ...change };
  return known;
}

/** A spelling of a missing value in a column; an empty one stands for none beside the empty cell. */
function takeMissing(settings: Partial<Settings>, column: string, token: string): boolean {
  const tokens = [...(settings.missing?.[column] ?? []), ...(token === '' ? [] : [token])];
  if (column !== '') settings.missing = { ...settings.missing, [column]: tokens };
  return column !== '';
}

function takeParam(
  settings: Partial<Settings>,
  key: string,
  text: string,
  learner: LearnerInfo | null,
): boolean {
  const param = learner?.params.find((one) => `set.${one.key}` === key);
  if (!param) return false;
  const value = parseParam(param, text);
  if (value === null || !fits(param, value)) return false;
  settings.config = { ...settings.config, [param.key]: value };
  return true;
}

function parseParam(param: ParamInfo, text: string): ParamValue | null {
  if (typeof param.default === 'boolean') return text === 'true' ? true : text === 'false' ? false : null;
  if (param.choices.length > 0) return text;
  return text.trim() === '' ? null : Number(text);
}
