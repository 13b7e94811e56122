import { describe, expect, it } from 'vitest';
import { curvePoints, withPoints } from './curve';
import { problem, progress, ready, result, table } from '../fixtures/replies';
import { INITIAL_STATE, type State } from './model';
import { reduce } from './reducer';
import {
  isBudgetUsed,
  keptLoss,
  mainScore,
  namesInSentence,
  nextLeft,
  statusText,
  stem,
  takeable,
  trainObstacle,
  treeNames,
} from './selectors';
import { trainSettings } from './settings';

const up = reduce(INITIAL_STATE, { type: 'reply', reply: ready, asked: null, at: 0 });
const loaded: State = {
  ...up,
  phase: 'loaded',
  table: table('x', 'y'),
  settings: { ...up.settings, target: 'y' },
};

describe('training', () => {
  it('needs an engine, a table, a target and usable settings', () => {
    expect(trainObstacle(INITIAL_STATE)).not.toBe('');
    expect(trainObstacle(up)).not.toBe('');
    expect(trainObstacle({ ...loaded, settings: { ...loaded.settings, target: '' } })).not.toBe('');
    expect(trainObstacle({ ...loaded, invalid: { depth: 'no' } })).not.toBe('');
    expect(trainObstacle({ ...loaded, phase: 'paused' })).not.toBe('');
    expect(trainObstacle(loaded)).toBe('');
  });

  it('never leaves out its own target', () => {
    expect(trainSettings({ ...loaded.settings, ignore: ['x', 'y'] }).ignore).toEqual(['x']);
  });
});

describe('the time left', () => {
  const training: State = {
    ...loaded,
    phase: 'training',
    setUp: 4000,
    trainedWith: { ...loaded.settings, budget: 45 },
  };

  it('is never above what remains of the budget', () => {
    const left = nextLeft({ ...training, progress: progress({ share: 0.05 }), active: 31_000 });
    expect(left).toMatchObject({ kind: 'atMost', seconds: 10 });
    expect(statusText({ ...training, progress: progress({ share: 0.05 }), left })).toMatch(
      /, at most 10 s left\.$/,
    );
  });

  it('is not guessed at too early', () => {
    const open = { ...training, trainedWith: loaded.settings };
    expect(nextLeft(open)).toBeNull();
    expect(nextLeft({ ...open, progress: progress({ share: 0 }), active: 9000 })).toBeNull();
  });
});

describe('the time budget', () => {
  it('covers what comes before the first step and after the last one', () => {
    const training = { ...loaded, setUp: 500, trainedWith: { ...loaded.settings, budget: 2 } };
    expect(isBudgetUsed({ ...training, active: 1270 })).toBe(false);
    expect(isBudgetUsed({ ...training, active: 1280 })).toBe(true);
    expect(isBudgetUsed({ ...training, setUp: 0, active: 1890 })).toBe(false);
    expect(isBudgetUsed({ ...training, active: 1e6, trainedWith: { ...loaded.settings, budget: 0 } })).toBe(
      false,
    );
    const asked = reduce(
      { ...loaded, settings: { ...loaded.settings, budget: 2 } },
      { type: 'training', run: 3, at: 1000 },
    );
    expect(asked.frameAt).toBe(1000);
    // The greedy tree beside it is within the budget too.
    const growing = (at: number) =>
      reduce(asked, {
        type: 'reply',
        reply: { event: { kind: 'growing', run: 3, share: 0.4 } },
        asked: null,
        at,
      });
    expect(isBudgetUsed(growing(2000))).toBe(false);
    expect(isBudgetUsed(growing(2600))).toBe(true);
    expect(statusText(growing(2000))).toMatch(/greedy tree: 40/);
    expect(growing(2000).left).toMatchObject({ kind: 'atMost', seconds: 1 });
  });
});

describe('a budget that is up', () => {
  const waiting: State = {
    ...loaded,
    phase: 'training',
    run: 3,
    setUp: 1000,
    trainedWith: { ...loaded.settings, budget: 4 },
  };

  it('keeps back what scoring was measured to take', () => {
    expect(isBudgetUsed({ ...waiting, scoring: 1000, active: 1390 })).toBe(false);
    expect(isBudgetUsed({ ...waiting, scoring: 1000, active: 1400 })).toBe(true);
  });

  it('keeps back more for a relaxed tree, which is scored a second time', () => {
    const relaxed = {
      ...waiting,
      scoring: 500,
      trainedWith: { ...loaded.settings, budget: 4, model: 'relaxed' },
    };
    expect(isBudgetUsed({ ...relaxed, active: 1390 })).toBe(false);
    expect(isBudgetUsed({ ...relaxed, active: 1400 })).toBe(true);
  });

  it('is told as it was: with the best tree, late, or without any tree', () => {
    const ended = (active: number, nodes: number) => {
      const tree = { nodes: Array(nodes).fill({}), size: nodes };
      const event = {
        kind: 'trained',
        run: 3,
        result: { ...result('gradtree'), tree },
        gradient: null,
        progress: progress({ share: 0.5 }),
        reason: 'stopped',
        yardstick: null,
      };
      return reduce(
        { ...waiting, active, frameAt: 0 },
        { type: 'reply', reply: { event: event as never }, asked: null, at: 0 },
      ).reason;
    };
    expect(ended(2900, 7)).toMatch(/4 s was used up; the best tree so far was kept\.$/);
    expect(ended(4000, 7)).toMatch(/kept, after 5 s in all\.$/);
    expect(ended(4000, 1)).toMatch(/before the learner had a tree/);
  });
});

describe('the status line', () => {
  it('says something in every phase', () => {
    for (const phase of ['loading', 'ready', 'reading', 'loaded', 'training', 'paused', 'done'] as const) {
      expect(statusText({ ...loaded, phase })).toMatch(/\.$/);
    }
  });
});

describe('the tree beside CART', () => {
  const named = (learner: string, alone = false) => {
    const state = { ...loaded, learner, alone };
    return [treeNames(state).gradient, namesInSentence(state).gradient];
  };

  it('is called by its learner, however it was made', () => {
    expect(named('GET-Linear')).toEqual(['GET-Linear', 'GET-Linear']);
    expect(named('Relaxed tree')).toEqual(['Relaxed tree', 'the relaxed tree']);
    expect(named('GradTree', true)).toEqual(['GradTree, descent alone', 'GradTree by descent alone']);
    expect(named('CART')).toEqual(['CART, with your settings', 'CART with your settings']);
    expect(named('')).toEqual(['GradTree', 'GradTree']);
    expect(treeNames(INITIAL_STATE).gradient).toBe('Tree');
  });

  it('is taken home under that name', () => {
    const state = { ...loaded, learner: 'GradTree' };
    expect(takeable({ ...state, gradient: result('gradtree'), alone: true })[0]?.label).toBe(
      'GradTree, descent alone',
    );
    expect(takeable({ ...state, checkpoint: '{}' })[0]?.label).toBe('GradTree so far');
  });
});

describe('scores of a finished tree', () => {
  const decision = {
    rule: 'balanced',
    sentence: '',
    weights: [],
    costs: [],
    threshold: null,
    metric: 'balanced_accuracy',
    constantClass: '',
    constantScores: {},
  };
  const classes = { ...problem('classification', 20), decision };
  const scored = (metrics: Record<string, Record<string, number>>) => ({ ...result('gradtree'), metrics });

  it('are told by the metric that counts, on the test rows if there are any', () => {
    const both = scored({ test: { accuracy: 0.9, balanced_accuracy: 0.7 }, valid: { accuracy: 0.8 } });
    expect(mainScore(classes, both)).toEqual({ metric: 'balanced_accuracy', part: 'test', value: 0.7 });
    expect(mainScore({ ...classes, decision: null }, both)).toMatchObject({ metric: 'accuracy', value: 0.9 });
    expect(mainScore(problem('regression', 0), scored({ test: {}, valid: { r2: 0.5 } }))).toEqual({
      metric: 'r2',
      part: 'valid',
      value: 0.5,
    });
    expect(mainScore(classes, scored({}))).toBeNull();
  });

  it('give the status its loss, which is that of the table, also while the other tree is shown', () => {
    const kept = scored({ valid: { log_loss: 0.545 } });
    const over: State = {
      ...loaded,
      phase: 'done',
      reason: 'Enough.',
      gradient: kept,
      progress: progress({ bestLoss: 0.705 }),
    };
    expect(statusText(over)).toBe(
      'Finished. Enough. On the validation rows the kept tree has a log loss of 0.545.',
    );
    expect(keptLoss({ ...over, gradient: scored({}), other: kept, alone: true })).toEqual({
      metric: 'log_loss',
      value: 0.545,
    });
    expect(statusText({ ...over, gradient: scored({}) })).toBe('Finished. Enough.');
  });

  it("are not there while it trains, which is told in the engine's words", () => {
    const moving: State = {
      ...loaded,
      phase: 'training',
      progress: progress({ doing: 'growing the 50 trees that teach: 12 of 50' }),
    };
    expect(statusText(moving)).toBe('Training: growing the 50 trees that teach: 12 of 50.');
    expect(statusText({ ...moving, phase: 'paused' })).toBe(
      'Paused: growing the 50 trees that teach: 12 of 50.',
    );
  });
});

describe('loss points', () => {
  it('belong to the restart they were made in', () => {
    const points = curvePoints(new Float32Array([3, 8, 1, 0.5, NaN, 4, 1, 2, NaN, 3]));
    expect(points).toEqual([
      { restart: 3, epoch: 8, train: 1, valid: 0.5, hard: NaN },
      { restart: 4, epoch: 1, train: 2, valid: NaN, hard: 3 },
    ]);
  });

  it('of other workers stand in their place', () => {
    const of = (...pairs: [number, number][]) =>
      curvePoints(new Float32Array(pairs.flatMap(([restart, epoch]) => [restart, epoch, 0, 0, NaN])));
    const curve = withPoints(withPoints(of([1, 1], [1, 2]), of([3, 1])), of([2, 1], [2, 2]));
    expect(withPoints(curve, of([3, 2])).map(({ restart, epoch }) => [restart, epoch])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
      [3, 1],
      [3, 2],
    ]);
    expect(withPoints(curve, [])).toBe(curve);
  });
});

describe('file names', () => {
  it.each([
    ['a.csv', 'a'],
    ['iris-gradtree.tree.json', 'iris-gradtree'],
    ['my data (2).csv', 'my-data-2'],
    ['Größe.tsv', 'Größe'],
    ['../../etc/passwd', 'etc-passwd'],
    ['???', 'data'],
  ])('%s gives %s', (name, expected) => expect(stem(name)).toBe(expected));
});
