/** What the views read from the state; pure functions. */
import type { ColumnInfo, LearnerInfo, ProblemInfo, TreeResult, TreeView } from '../protocol';
import { strings, type TreeNames } from '../text/strings';
import type { Phase, ShownFrame, State } from './model';
import { isGrouping, learnerNamed, type Settings } from './settings';
import { timeLeft, type TimeLeft } from './time-left';

/** The word in `document.documentElement.dataset.state`. */
export type PageState = Phase | 'error';

export function pageState(state: State): PageState {
  return state.error ? 'error' : state.phase;
}

/** A training is under way, running or held. */
export function isBusy({ phase }: State): boolean {
  return phase === 'training' || phase === 'paused';
}

export function learnerOf(state: State): LearnerInfo | null {
  return learnerNamed(state.engine?.learners ?? [], state.settings.model);
}

/** The learner of the training on show, which the form may have left; null before one. */
export function trainedLearner({ engine, trainedWith }: State): LearnerInfo | null {
  return learnerNamed(engine?.learners ?? [], trainedWith?.model ?? '');
}

/** The trees on show by name: in headings, and within sentences. */
export function treeNames(state: State): TreeNames {
  return {
    cart: strings.metrics.cart,
    gradient: strings.treeName(state.learner || (learnerOf(state)?.name ?? ''), state.alone),
  };
}

export function namesInSentence(state: State): TreeNames {
  const { cart, gradient } = treeNames(state);
  return { cart, gradient: strings.treeInSentence(gradient) };
}

/** Why training cannot start now, or empty. */
export function trainObstacle(state: State): string {
  if (!state.engine) return strings.train.noEngine;
  if (state.phase === 'reading') return strings.train.reading;
  if (isBusy(state)) return strings.train.busy;
  if (!state.table) return strings.train.noData;
  if (Object.keys(state.invalid).length > 0) return strings.train.invalid;
  return state.settings.target === '' && !isGrouping(state.settings) ? strings.train.noTarget : '';
}

/** Whether finished trees are on show that can answer by another rule: their engine is there, and so is their target. */
export function canShow({ phase, opened, problem, gradient, settings, trainedWith }: State): boolean {
  const same = trainedWith?.target === settings.target && trainedWith.positive === settings.positive;
  return phase === 'done' && opened === null && gradient !== null && problem?.decision != null && same;
}

/** How a column takes part. */
export function columnRole(
  { target, ignore, label }: Settings,
  column: ColumnInfo,
): 'target' | 'used' | 'ignored' | 'unusable' {
  if (column.name === target) return 'target';
  if (!column.usable) return 'unusable';
  return ignore.includes(column.name) || column.name === label ? 'ignored' : 'used';
}

/** The trees on show: a tree read from a file takes the whole stage until it is put away. */
export interface Stage {
  problem: ProblemInfo | null;
  cart: TreeResult | null;
  gradient: TreeResult | null;
  cartTree: TreeView | null;
  gradientTree: TreeView | null;
  /** What their nodes look like. */
  cartMarks: Float32Array | null;
  gradientMarks: Float32Array | null;
}

export function stage(state: State): Stage {
  const { opened, problem, cart, gradient, live, film } = state;
  if (opened) {
    const { problem, result } = opened;
    return {
      problem,
      cart: null,
      gradient: result,
      cartTree: null,
      gradientTree: result.tree,
      cartMarks: null,
      gradientMarks: null,
    };
  }
  const gradientTree = film?.shown?.tree ?? gradient?.tree ?? live;
  const gradientMarks = film?.shown ? film.shown.marks : state.marks;
  return {
    problem,
    cart,
    gradient,
    cartTree: cart?.tree ?? null,
    gradientTree,
    cartMarks: state.cartMarks,
    gradientMarks,
  };
}

/** A score of a tree: the metric by which trees are compared, on the test rows if there are any. */
export function mainScore(
  problem: ProblemInfo,
  { metrics }: Pick<ShownFrame, 'metrics'>,
): { metric: string; part: 'test' | 'valid' | 'train'; value: number } | null {
  for (const part of ['test', 'valid', 'train'] as const) {
    for (const metric of [problem.decision?.metric ?? '', 'accuracy', 'r2']) {
      const value = metrics[part]?.[metric];
      if (value !== undefined) return { metric, part, value };
    }
  }
  return null;
}

/** The tree that the training kept, also while the other one is shown. */
export function keptTree({ gradient, other, alone }: State): TreeResult | null {
  return alone ? other : gradient;
}

/** Whether the engine still has the training whose trees are on show, so that the other one can be shown. */
export function canShowOther({ phase, other, opened, run, trainedRun }: State): boolean {
  return phase === 'done' && other !== null && opened === null && run === trainedRun;
}

/** The loss of the kept tree on the validation rows, as the scores have it; null where they have none. */
export function keptLoss(state: State): { metric: string; value: number } | null {
  const scores = keptTree(state)?.metrics['valid'];
  const metric = ['log_loss', 'rmse'].find((key) => scores?.[key] !== undefined);
  const value = metric === undefined ? undefined : scores?.[metric];
  return metric === undefined || value === undefined ? null : { metric, value };
}

/** A tree that can be taken home. */
export interface Takeable {
  key: 'gradient' | 'cart' | 'opened';
  label: string;
  json: string;
  /** Begin of a file name. */
  stem: string;
}

export function takeable(state: State): Takeable[] {
  const { opened, gradient, checkpoint, cart, source, settings, problem } = state;
  if (opened) {
    return [
      {
        key: 'opened',
        label: strings.take.opened(opened.name),
        json: opened.result.json,
        stem: stem(opened.name),
      },
    ];
  }
  const from = stem(source?.name ?? 'data');
  const trees: Takeable[] = [];
  if (gradient) {
    trees.push({
      key: 'gradient',
      label: problem?.task === 'clustering' ? strings.take.groups : treeNames(state).gradient,
      json: gradient.json,
      stem: `${from}-${gradient.model}${state.alone ? '-descent-alone' : ''}`,
    });
  } else if (checkpoint) {
    trees.push({
      key: 'gradient',
      label: strings.take.checkpoint(treeNames(state).gradient),
      json: checkpoint,
      stem: `${from}-${settings.model}-so-far`,
    });
  }
  // A hierarchy of groups has no greedy tree beside it.
  if (cart) trees.push({ key: 'cart', label: strings.take.cart, json: cart.json, stem: `${from}-cart` });
  return trees;
}

/** A file's name without its endings, safe on every system. */
export function stem(name: string): string {
  const bare = name.replace(/(\.tree)?\.[a-z0-9]{1,5}$/i, '').replace(/[^\p{L}\p{N}_-]+/gu, '-');
  return bare.replace(/^-+|-+$/g, '') || 'data';
}

/** Before it was measured how long a tree takes to be made and scored: about this share of the time before the first step, */
const FINISH = 0.25;
/** else so many times what was measured: a tree of descent alone may be scored beside the result, */
const MARGIN = 1.5;
/** which may itself be scored a second time, before it is read hard, */
const MARGIN_TWICE = 3;
/** and its drawing and film take about so many milliseconds. */
const DRAWN = 100;

/** The budget of the training under way in milliseconds; 0 without one. While the greedy tree grows, what is on show is of earlier settings. */
function budgetOf({ growth, settings, trainedWith }: State): number {
  return ((growth === null ? trainedWith : settings)?.budget ?? 0) * 1000;
}

/** Milliseconds that follow the last step. */
function finishOf(state: State): number {
  const { scoring, setUp } = state;
  const margin = trainedLearner(state)?.scoredTwice ? MARGIN_TWICE : MARGIN;
  return (scoring === null ? FINISH * setUp : margin * scoring) + DRAWN;
}

/** Whether a training has to end now to be shown within its time budget, which begins with the wish to train. */
export function isBudgetUsed(state: State): boolean {
  const [budget, { active, setUp }] = [budgetOf(state), state];
  return budget > 0 && active >= budget - setUp - finishOf(state);
}

/** How long the training will still take, after what was said last; null before anything can be said. */
export function nextLeft(state: State): TimeLeft | null {
  const { progress, active, setUp, left } = state;
  const [budget, finish] = [budgetOf(state), finishOf(state)];
  return timeLeft(
    { share: progress?.share ?? 0, active, finish, budget: budget > 0 ? budget - setUp - active : null },
    left,
  );
}

/** What the page is doing, for the status line. */
export function statusText(state: State): string {
  const { phase, progress, table, source, reading, settings, opened, reason } = state;
  switch (phase) {
    case 'loading':
      return strings.status.loading;
    case 'ready':
      return strings.status.ready;
    case 'reading':
      return reading?.stage === 'sampling'
        ? strings.status.sampling(reading.source.name)
        : strings.status.reading(reading?.source.name ?? '');
    case 'loaded':
      if (!table) return strings.status.ready;
      return strings.status.loaded(
        source?.name ?? '',
        table.rows,
        table.columns.length,
        settings.target,
        isGrouping(settings),
      );
    case 'training':
      if (progress) return strings.status.training(progress, state.left);
      return isGrouping(settings) ? strings.status.startingGroups : strings.status.starting(state.growth);
    case 'paused':
      return strings.status.paused(progress);
    case 'done':
      if (opened) return strings.status.opened(opened.name, opened.proved);
      return strings.status.done(reason, keptLoss(state));
  }
}
