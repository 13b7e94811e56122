/** The shape of the page's state and everything that can happen to it. */
import type { Judged } from '../compare/judged';
import type {
  FormatInfo,
  LearnerInfo,
  ProblemInfo,
  ProgressInfo,
  RecipeInfo,
  Request,
  ResolvedInfo,
  Scores,
  TableInfo,
  TreeResult,
  TreeView,
  YardstickInfo,
} from '../protocol';
import type { LossPoint, Reply } from '../messages';
import { NOTHING_SEEN, type Seen } from './film';
import { DEFAULT_SETTINGS, type Settings } from './settings';
import type { Starts } from './starts';
import type { TimeLeft } from './time-left';

/** How far the page is. An error is shown beside the phase, not instead of it: see `pageState`. */
export type Phase = 'loading' | 'ready' | 'reading' | 'loaded' | 'training' | 'paused' | 'done';

/** The section of the page an error belongs to. */
export type Place = 'data' | 'train' | 'result';

/** What went wrong, in words for the user. */
export interface Trouble {
  place: Place;
  message: string;
  hint: string;
  /** The button offered beside it. */
  next: 'trainAgain' | 'reload' | 'skipRows' | 'takeSample' | null;
  /** How many rows the button is about. */
  count?: number;
  /** Lines of the file with the same trouble, or the first of them. */
  lines?: readonly number[];
}

/** Where the table comes from. Kept, so that it can be read again. */
export interface Source {
  name: string;
  /** The sample's name, or null for the user's own data. */
  sample: string | null;
  blob: Blob;
}

/** A file on its way into the page. Takes the place of the present one only when it could be read. */
export interface Reading {
  source: Source;
  settings: Settings;
  /** The same file, so what was trained on it stays. */
  again: boolean;
  /** Read again after the worker died: the error that says so stays too. */
  quiet: boolean;
  /** Rows are being drawn from a file that is too large, or the file itself is being read. */
  stage: 'sampling' | 'reading';
  /** Share of the work that is done, 0 to 1. */
  share: number;
  /** Rows read so far. */
  rows: number;
}

/** What the engine offers. */
export interface EngineInfo {
  version: string;
  learners: readonly LearnerInfo[];
  recipes: readonly RecipeInfo[];
  formats: readonly FormatInfo[];
}

/** A training as a film. */
export interface Film {
  frames: readonly FilmFrame[];
  /** The frame on show; null for the tree itself. */
  shown: ShownFrame | null;
  /** The frames are those that the page saw, since the engine has none or is gone. They have no scores. */
  own: boolean;
}

/** Where the training was when a frame was taken. */
export interface FilmFrame {
  restart: number;
  epoch: number;
  /** A node tests another column than in the frame before. */
  changed: boolean;
  train: number;
  valid: number;
}

export interface ShownFrame {
  index: number;
  tree: TreeView;
  marks: Float32Array | null;
  metrics: { [part: string]: Scores | undefined };
}

/** A tree read back from a file; shown in place of what was trained here until dismissed. */
export interface OpenedTree {
  name: string;
  problem: ProblemInfo;
  result: TreeResult;
  proved: number;
}

export interface State {
  phase: Phase;
  /** The present run. Events of other runs are late and are dropped. */
  run: number;
  engine: EngineInfo | null;
  source: Source | null;
  reading: Reading | null;
  /** The file that could not be read as it is, for a second attempt. */
  refused: Reading | null;
  table: TableInfo | null;
  settings: Settings;
  /** What the recipes come to for the present target; empty until the engine has said it. */
  resolved: readonly ResolvedInfo[];
  /** The classes of the present target in the engine's order; empty until the engine has said them, and where there are none. */
  classes: readonly string[];
  /** Form fields that hold no usable value, with what is wrong. */
  invalid: Readonly<Record<string, string>>;

  // What was trained last. Stays when something fails.
  problem: ProblemInfo | null;
  cart: TreeResult | null;
  gradient: TreeResult | null;
  /** The other finished tree, if there are two: the best one of descent alone, or the kept one where that is shown. */
  other: TreeResult | null;
  /** Whether the tree of descent alone stands in the place of the kept one. */
  alone: boolean;
  /** The run that made them; the engine has it until another file or tree takes its place. */
  trainedRun: number;
  /** What k-means on the same rows comes to, where rows were grouped. */
  yardstick: YardstickInfo | null;
  /** The name of the learner whose tree stands beside CART's. */
  learner: string;
  /** The tree of the last frame while the training goes on. */
  live: TreeView | null;
  /** What the nodes of CART's tree and of the learner's on show look like. */
  cartMarks: Float32Array | null;
  marks: Float32Array | null;
  film: Film | null;
  /** What the page saw of the training, in case that the engine's film is lost. */
  seen: Seen;
  judged: Judged | null;
  /** The settings that what was trained last was trained with. */
  trainedWith: Settings | null;
  /** The last downloadable copy of an unfinished training. */
  checkpoint: string | null;
  progress: ProgressInfo | null;
  curve: readonly LossPoint[];
  /** What the restarts begin at. */
  starts: Starts;
  /** Why the training ended. */
  reason: string;
  /** Milliseconds spent training, without pauses. */
  active: number;
  /** When the last frame arrived, or the training was asked for, in milliseconds. */
  frameAt: number;
  /** Milliseconds from the wish to train to the first step: encoding, the greedy tree and its scores. */
  setUp: number;
  /** Milliseconds in which a tree of this training was last made and scored; null before that was measured. */
  scoring: number | null;
  /** Share of the greedy tree that has grown; null before it begins, and once the training has begun. */
  growth: number | null;
  /** How long the training will still take, as it was said last. */
  left: TimeLeft | null;
  /** Workers that train, or trained. */
  workers: number;

  /** The name of a tree file that is being read. */
  opening: string;
  /** The run on show before a tree file was opened: the engine knows its training by that. */
  resting: number;
  opened: OpenedTree | null;
  error: Trouble | null;
  /** Something worth knowing that is not an error. */
  notice: string;
}

export const INITIAL_STATE: State = {
  phase: 'loading',
  run: 0,
  engine: null,
  source: null,
  reading: null,
  refused: null,
  table: null,
  settings: DEFAULT_SETTINGS,
  resolved: [],
  classes: [],
  invalid: {},
  problem: null,
  cart: null,
  gradient: null,
  other: null,
  alone: false,
  trainedRun: 0,
  yardstick: null,
  learner: '',
  live: null,
  cartMarks: null,
  marks: null,
  film: null,
  seen: NOTHING_SEEN,
  judged: null,
  trainedWith: null,
  checkpoint: null,
  progress: null,
  curve: [],
  starts: {},
  reason: '',
  active: 0,
  frameAt: 0,
  setUp: 0,
  scoring: null,
  growth: null,
  left: null,
  workers: 1,
  opening: '',
  resting: 0,
  opened: null,
  error: null,
  notice: '',
};

export type Action =
  /** The worker spoke. `asked` is the request it answers; `at` is the time in milliseconds. */
  | { type: 'reply'; reply: Reply; asked: Request['kind'] | null; at: number }
  /** A file is about to be read. */
  | { type: 'reading'; run: number; reading: Reading }
  /** Rows are being drawn from a file that is too large. */
  | { type: 'sampling'; run: number; share: number }
  /** The reading was called off before the worker had the file. */
  | { type: 'cancelled'; run: number }
  /** A training is about to start. */
  | { type: 'training'; run: number; at: number }
  /** Back from the film to the tree itself. */
  | { type: 'present' }
  /** A frame that the page saw is to be shown. */
  | { type: 'seenFrame'; frame: number }
  /** A downloaded tree is about to be read. */
  | { type: 'opening'; run: number; name: string }
  | { type: 'closeOpened' }
  | { type: 'resumed' }
  /** The training runs in so many workers. */
  | { type: 'workers'; run: number; count: number }
  | { type: 'settings'; change: Partial<Settings> }
  | { type: 'model'; key: string }
  /** A form field has a usable value again (empty message) or none. */
  | { type: 'validity'; field: string; message: string }
  | { type: 'trouble'; trouble: Trouble; refused?: Reading }
  /** The worker died. */
  | { type: 'lost'; reason: string; restarting: boolean }
  | { type: 'notice'; text: string }
  | { type: 'dismiss'; what: 'error' | 'notice' };
