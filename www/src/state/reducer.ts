/** The only place that makes state. Pure: same state and action, same result. */
import type { ErrorInfo, Event, Request, TableInfo } from '../protocol';
import { strings } from '../text/strings';
import { curvePoints, withPoints } from './curve';
import { filmFrames, seenFilm, seenFrame, withSeen } from './film';
import { answeredAnew } from '../compare/judged';
import { INITIAL_STATE, type Action, type Place, type State } from './model';
import { isBudgetUsed, nextLeft } from './selectors';
import {
  defaultLearner,
  fitToLearner,
  fitToTable,
  learnerNamed,
  withUsualDepth,
  type Settings,
} from './settings';
import { withStart } from './starts';

const {
  problem,
  cart,
  gradient,
  other,
  alone,
  trainedRun,
  yardstick,
  learner,
  live,
  cartMarks,
  marks,
  film,
  seen,
  judged,
  trainedWith,
} = INITIAL_STATE;
const { checkpoint, progress, curve, starts, reason, active, workers } = INITIAL_STATE;
const SEEN = { live, cartMarks, marks, film, seen, judged, trainedWith };
const RESULT = { problem, cart, gradient, other, alone, trainedRun, yardstick, learner };
const NOTHING_TRAINED = { ...RESULT, ...SEEN, checkpoint, progress, curve, starts, reason, active, workers };

type Reply = Extract<Action, { type: 'reply' }>;

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'reply':
      return onReply(state, action);
    case 'reading': {
      const { run, reading } = action;
      const error = reading.quiet ? state.error : null;
      return { ...state, run, reading, refused: null, phase: 'reading', error };
    }
    case 'sampling':
      return state.reading && action.run === state.run
        ? { ...state, reading: { ...state.reading, share: action.share } }
        : state;
    case 'cancelled':
      return action.run === state.run ? { ...state, reading: null, phase: settled(state) } : state;
    case 'training':
      return {
        ...state,
        ...UNMEASURED,
        run: action.run,
        phase: 'training',
        opened: null,
        error: null,
        frameAt: action.at,
      };
    case 'present':
      return state.film?.shown ? { ...state, film: { ...state.film, shown: null } } : state;
    case 'seenFrame':
      return state.film?.own
        ? { ...state, film: { ...state.film, shown: seenFrame(state.seen, action.frame) } }
        : state;
    case 'opening':
      return {
        ...state,
        run: action.run,
        resting: state.opened ? state.resting : state.run,
        opening: action.name,
        error: null,
      };
    case 'closeOpened':
      return state.opened
        ? { ...state, run: state.resting, opened: null, phase: settled({ ...state, opened: null }) }
        : state;
    case 'workers':
      return action.run === state.run ? { ...state, workers: action.count } : state;
    case 'resumed':
      return state.phase === 'paused' ? { ...state, phase: 'training' } : state;
    case 'settings':
      return { ...state, settings: withDepth(state, { ...state.settings, ...action.change }) };
    case 'model': {
      const learner = learnerNamed(state.engine?.learners ?? [], action.key);
      if (!learner) return state;
      const settings = withDepth(state, fitToLearner(state.settings, learner));
      // The fields of the other learner are gone, and so are their complaints.
      return { ...state, settings, invalid: {} };
    }
    case 'validity': {
      const { [action.field]: before = '', ...others } = state.invalid;
      if (before === action.message) return state;
      return { ...state, invalid: action.message ? { ...others, [action.field]: action.message } : others };
    }
    case 'trouble': {
      const next = { ...state, error: action.trouble, refused: action.refused ?? state.refused };
      return state.phase === 'reading' ? { ...next, reading: null, phase: settled(state) } : next;
    }
    case 'lost':
      return onLost(state, action.reason, action.restarting);
    case 'notice':
      return { ...state, notice: action.text };
    case 'dismiss':
      return action.what === 'error' ? { ...state, error: null, refused: null } : { ...state, notice: '' };
  }
}

const NO_POINTS = new Float32Array();

/** What was measured of an earlier training says nothing about the one that is asked for. */
const UNMEASURED = { progress, active, setUp: 0, scoring: null, growth: null, left: null };

/** What is said of a training that its budget ended: whether there was time for a tree, and whether it had to wait for one. */
function budgetReason(state: State, tree: { nodes: unknown[] }, at: number): string {
  const budget = state.trainedWith?.budget ?? 0;
  const took = (state.setUp + state.active + Math.max(0, at - state.frameAt)) / 1000;
  if (tree.nodes.length === 1) return strings.train.budgetWithoutTree(budget, took);
  return took > 1.05 * budget + LATE
    ? strings.train.budgetLate(budget, took)
    : strings.train.budgetUsed(budget);
}

/** A budget may be exceeded by so many seconds, a slice, without a word. */
const LATE = 0.1;

/** Requests whose failure the caller shows, or which need no message. */
const LOOKING = new Set<Request['kind']>([
  'frames',
  'frame',
  'rows',
  'row',
  'map',
  'trace',
  'why',
  'lend',
  'take',
]);

/** Settings for the present file with the depth that is usual where none was set by hand. */
function withDepth({ engine, source, resolved }: State, settings: Settings): Settings {
  return withUsualDepth(
    settings,
    learnerNamed(engine?.learners ?? [], settings.model),
    source?.sample ?? null,
    resolved,
  );
}

/** The phase when nothing is under way. */
function settled(state: State): State['phase'] {
  if (!state.engine) return 'loading';
  if (state.opened || state.gradient) return 'done';
  return state.table ? 'loaded' : 'ready';
}

function onReply(state: State, { reply, asked, at }: Reply): State {
  const { event } = reply;
  if (event.kind === 'ready') return onReady(state, event);
  if (event.kind === 'resolved') {
    // Answers come in the order of the questions, and every new file or target is asked about: the last one is right whatever
    // its run.
    const next = { ...state, resolved: event.resolved, classes: event.classes };
    return { ...next, settings: withDepth(next, state.settings) };
  }
  if (event.run !== state.run) return state;
  switch (event.kind) {
    case 'reading': {
      const { share, rows } = event;
      return state.reading
        ? { ...state, reading: { ...state.reading, stage: 'reading', share, rows } }
        : state;
    }
    case 'loaded':
      return onLoaded(state, event.table);
    case 'growing': {
      // The wish to train is where the budget begins, so `frameAt` stays there.
      const next = { ...state, growth: event.share, setUp: Math.max(0, at - state.frameAt) };
      return { ...next, left: nextLeft(next) };
    }
    case 'started': {
      const learner =
        learnerNamed(state.engine?.learners ?? [], state.settings.model)?.name ?? state.settings.model;
      const { problem, cart } = event;
      const cartMarks = reply.numbers ?? null;
      const setUp = Math.max(0, at - state.frameAt);
      const measured = { setUp, scoring: reply.scoring ?? null, growth: null, left: null, frameAt: at };
      const notice = reply.cut ? strings.train.greedyCut : state.notice;
      return {
        ...state,
        ...NOTHING_TRAINED,
        problem,
        cart,
        cartMarks,
        learner,
        trainedWith: state.settings,
        ...measured,
        notice,
      };
    }
    case 'progress': {
      const active = state.active + (state.phase === 'training' ? Math.max(0, at - state.frameAt) : 0);
      return {
        ...state,
        left: nextLeft({ ...state, active, progress: event.progress }),
        scoring: reply.scoring ?? state.scoring,
        live: event.tree,
        marks: reply.numbers ?? null,
        // A frame of the past would hide the tree that moves.
        film: null,
        seen: withSeen(state.seen, event.tree, reply.numbers ?? null, event.progress),
        progress: event.progress,
        starts: withStart(state.starts, event.progress),
        checkpoint: event.checkpoint ?? state.checkpoint,
        curve: withPoints(state.curve, curvePoints(reply.curve ?? NO_POINTS)),
        active,
        frameAt: at,
      };
    }
    case 'unit':
      return { ...state, curve: withPoints(state.curve, curvePoints(reply.curve ?? NO_POINTS)) };
    case 'paused':
      return { ...state, phase: 'paused', film: filmOfGroups(state) };
    case 'trained': {
      const { result, progress, yardstick } = event;
      const reason =
        progress.share < 1 && isBudgetUsed(state) ? budgetReason(state, result.tree, at) : event.reason;
      const marks = reply.numbers ?? null;
      const film = filmOfGroups(state);
      const ended = { checkpoint: null, progress, reason, film, trainedRun: event.run };
      return {
        ...state,
        phase: 'done',
        gradient: result,
        other: event.gradient,
        alone: false,
        yardstick,
        live: result.tree,
        marks,
        ...ended,
      };
    }
    case 'shown': {
      const { result, other, alone } = event;
      // Only the rule is another one: views that are set up for the columns and classes stay as they are.
      const problem = state.problem
        ? { ...event.problem, classes: state.problem.classes, features: state.problem.features }
        : event.problem;
      // The greedy learner stands in both places.
      const cart = event.cart ?? (result.model === 'cart' ? result : state.cart);
      const judged =
        state.judged && cart && alone === state.alone
          ? answeredAnew(state.judged, cart.tree, result.tree)
          : null;
      // What is told about the trees from now on is by this rule.
      const trainedWith = state.trainedWith && { ...state.trainedWith, answers: state.settings.answers };
      // A frame on show would keep the answers of the other rule.
      const film = state.film && { ...state.film, shown: null };
      return {
        ...state,
        problem,
        cart,
        gradient: result,
        other,
        alone,
        live: result.tree,
        marks: reply.numbers ?? null,
        judged,
        film,
        trainedWith,
      };
    }
    case 'opened': {
      const { problem, result, proved } = event;
      return { ...state, phase: 'done', opened: { name: state.opening, problem, result, proved } };
    }
    case 'frames':
      return reply.numbers
        ? { ...state, film: { frames: filmFrames(reply.numbers), shown: null, own: false } }
        : state;
    case 'frame': {
      if (!state.film) return state;
      const shown = {
        index: event.frame,
        tree: event.tree,
        marks: reply.numbers ?? null,
        metrics: event.metrics,
      };
      return { ...state, film: { ...state.film, shown } };
    }
    case 'rows':
      return reply.numbers
        ? {
            ...state,
            judged: { rows: reply.numbers, cart: event.cart, gradient: event.gradient, metric: event.metric },
          }
        : state;
    case 'failed':
      return onFailed(state, event.error, asked);
    default:
      // Answers go to the caller and a pong to no one: neither is state.
      return state;
  }
}

/** Groups are filmed by the page; of other trainings the engine has a better film, which is asked for. */
function filmOfGroups({ problem, seen, film }: State): State['film'] {
  return problem?.task === 'clustering' ? seenFilm(seen) : film;
}

function onFailed(
  state: State,
  { code, message, hint, badRows, badLines }: ErrorInfo,
  asked: Reply['asked'],
): State {
  // Whoever looks closer shows by itself that there is nothing to see.
  if (asked === 'resolve') return { ...state, resolved: [], classes: [] };
  if (asked !== null && LOOKING.has(asked)) return state;
  const place = placeOf(asked);
  const error = {
    place,
    ...(code === 'no_study' ? strings.noStudy(message) : { message, hint }),
    next: null,
  };
  // A request beside a training leaves it as it is.
  if (place === 'result')
    return { ...state, run: asked === 'open' && !state.opened ? state.resting : state.run, error };
  const { reading } = state;
  const next: State = { ...state, reading: null, phase: settled(state) };
  if (asked === 'train' && code === 'cancelled') return next;
  if (asked !== 'load' || !reading) return { ...next, error };
  switch (code) {
    case 'cancelled':
      return next;
    case 'unreadable':
      return { ...next, error: { ...error, ...strings.data.unreadable(reading.source.name) } };
    case 'too_large':
      return { ...next, error: { ...error, ...strings.data.noRoom } };
    default:
      if (badRows === 0) return { ...next, error };
      return {
        ...next,
        refused: reading,
        error: { ...error, next: 'skipRows', count: badRows, lines: badLines },
      };
  }
}

/** The new table takes the old one's place; what was trained on another file would only mislead beside it. */
function onLoaded(state: State, table: TableInfo): State {
  const { reading } = state;
  if (!reading) return state;
  const settings = withDepth({ ...state, source: reading.source }, fitToTable(reading.settings, table));
  const wanted = reading.settings.target;
  const notice =
    wanted !== '' && wanted !== settings.target
      ? strings.data.noSuchTarget(wanted, settings.target)
      : state.notice;
  // The engine lets go of a training with its table, and of the film with it: what is left is what the page saw.
  const next = {
    ...state,
    source: reading.source,
    reading: null,
    table,
    settings,
    notice,
    film: seenFilm(state.seen),
  };
  if (!reading.again)
    return { ...next, ...NOTHING_TRAINED, classes: [], invalid: {}, opened: null, phase: 'loaded' };
  return { ...next, phase: reading.quiet ? settled(next) : 'loaded' };
}

function onReady(
  state: State,
  { version, learners, recipes, formats }: Extract<Event, { kind: 'ready' }>,
): State {
  const engine = { version, learners, recipes, formats };
  const learner = learnerNamed(learners, state.settings.model) ?? defaultLearner(learners);
  const settings = learner
    ? withDepth({ ...state, engine }, fitToLearner(state.settings, learner))
    : state.settings;
  return { ...state, engine, settings, phase: state.phase === 'loading' ? 'ready' : state.phase };
}

function placeOf(asked: Reply['asked']): Place {
  if (asked === 'load') return 'data';
  return asked === null || asked === 'train' ? 'train' : 'result';
}

/** The trees, the curve and the last checkpoint stay; only what the dead worker was doing is over. */
function onLost(state: State, reason: string, restarting: boolean): State {
  // A file that kills the engine when it is read again would do so for ever, so it is let go.
  const deadly = state.reading?.quiet === true;
  const kept: State = deadly ? { ...state, source: null, table: null } : state;
  const next: State = { ...kept, reading: null, film: seenFilm(kept.seen), phase: settled(kept) };
  // Nothing was under way, so nothing is said, unless it cannot be mended.
  if (restarting && state.phase === 'loading') return next;
  const training = state.phase === 'training' || state.phase === 'paused';
  const place: Place = state.phase === 'reading' ? 'data' : 'train';
  const words = strings.lost(reason, { restarting, training, kept: training && state.checkpoint !== null });
  return {
    ...next,
    error: { place, ...words, next: restarting ? (training ? 'trainAgain' : null) : 'reload' },
  };
}
