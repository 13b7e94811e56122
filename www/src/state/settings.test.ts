import { describe, expect, it } from 'vitest';
import type { ColumnInfo, LearnerInfo, TableInfo } from '../protocol';
import { learners, table } from '../fixtures/replies';
import {
  DEFAULT_SETTINGS,
  fitToLearner,
  fitToTable,
  readOptions,
  resolvedValues,
  trainSettings,
  twoClasses,
  withUsualDepth,
  type Settings,
} from './settings';

function target(change: Partial<ColumnInfo>, cells: string[] = []): TableInfo {
  const made = table('y');
  return {
    ...made,
    columns: [{ ...(made.columns[0] as ColumnInfo), ...change }],
    preview: cells.map((cell) => [cell]),
  };
}
const words = (...spelled: string[]): Partial<ColumnInfo> => ({
  distinct: spelled.length,
  profile: { kind: 'words', words: spelled, counts: spelled.map(() => 1), others: 0 },
});

describe('two classes', () => {
  it('are told as the file spells them, in the usual order', () => {
    expect(twoClasses(target(words('yes', 'no')), 'y')).toEqual(['no', 'yes']);
    expect(twoClasses(target({ distinct: 2 }, ['10', '', '9', '10', '?']), 'y')).toEqual([]);
    expect(
      twoClasses(target({ distinct: 2, missingTokens: ['?'] }, ['10', '', '9', '10', '?']), 'y'),
    ).toEqual(['9', '10']);
  });

  it('are none when there are more, or when not both are known', () => {
    expect(twoClasses(target(words('a', 'b', 'c')), 'y')).toEqual([]);
    expect(twoClasses(target({ distinct: 2 }, ['1', '1']), 'y')).toEqual([]);
    expect(twoClasses(target(words('a', 'b')), 'other')).toEqual([]);
  });
});

describe('settings of another table', () => {
  const said = {
    ...DEFAULT_SETTINGS,
    target: 'y',
    positive: 'no',
    kinds: { gone: 'date' },
    missing: { gone: ['x'], y: ['-'] },
  } as const;

  it('keep what still means something', () => {
    const fitted = fitToTable(said, target(words('yes', 'no')));
    expect(fitted).toMatchObject({ positive: 'no', kinds: {}, missing: { y: ['-'] } });
    expect(fitToTable(said, target(words('up', 'down'))).positive).toBe('');
  });

  it('reach the reader and the learner', () => {
    const settings = {
      ...said,
      writing: { delimiter: ';', encoding: 'utf-8', header: false, skipBadRows: true },
    };
    expect(readOptions(settings)).toMatchObject({
      delimiter: ';',
      encoding: 'utf-8',
      header: false,
      skipBadRows: true,
      kinds: { gone: 'date' },
      missing: { y: ['-'] },
    });
    expect(trainSettings(settings).positive).toBe('no');
  });
});

describe('what is set by hand', () => {
  const [, gradtree, relaxed] = learners as [LearnerInfo, LearnerInfo, LearnerInfo];
  const free = { ...DEFAULT_SETTINGS, model: 'gradtree' };
  const resolved = [
    { model: 'gradtree', recipe: 'espalier', values: { depth: 9 } },
    { model: 'gradtree', recipe: 'published', values: { depth: 10, epochs: 30 } },
  ];

  it('stays, also where it is the default', () => {
    expect(fitToLearner({ ...free, config: { epochs: 200, prune: 0.2 } }, gradtree).config).toEqual({
      epochs: 200,
    });
    expect(
      withUsualDepth({ ...free, depth: 7, depthFrom: 'hand', recipe: 'published' }, gradtree, 'xor', resolved)
        .depth,
    ).toBe(7);
    expect(fitToLearner({ ...free, depth: 7, depthFrom: 'hand' }, relaxed)).toMatchObject({
      depth: 7,
      depthFrom: 'hand',
    });
  });

  it('is apart from the depth of a sample, a learner or a paper', () => {
    const depth = (change: Partial<Settings>, sample: string | null) => {
      const { depth, depthFrom } = withUsualDepth({ ...free, ...change }, gradtree, sample, resolved);
      return [depth, depthFrom];
    };
    expect(depth({}, 'xor')).toEqual([2, 'sample']);
    // Of another learner's sample, of a file: what the recipe says, once the engine has said it.
    expect(depth({}, 'airfoil')).toEqual([9, 'recipe']);
    expect(depth({ depthFrom: 'sample', depth: 2 }, null)).toEqual([9, 'recipe']);
    expect(withUsualDepth(free, gradtree, null, [])).toMatchObject({ depth: 5, depthFrom: 'recipe' });
    expect(depth({ recipe: 'published' }, 'xor')).toEqual([10, 'recipe']);
    expect(resolvedValues({ ...free, recipe: 'published' }, resolved)['epochs']).toBe(30);
    for (const recipe of ['espalier', 'published'] as const) {
      expect(trainSettings({ ...free, recipe }).said).toEqual({});
      expect(trainSettings({ ...free, recipe, depth: 3, depthFrom: 'hand' }).said).toEqual({ depth: 3 });
    }
    // A sample is a link that sets it.
    expect(trainSettings({ ...free, depth: 2, depthFrom: 'sample' }).said).toEqual({ depth: 2 });
  });
});

describe('groups', () => {
  const grouping = { ...DEFAULT_SETTINGS, task: 'clustering', label: 'y' } as const;

  it('need no target, and keep a label that is there', () => {
    expect(fitToTable(grouping, table('x', 'y'))).toMatchObject({ target: '', label: 'y' });
    expect(fitToTable(grouping, table('x', 'z'))).toMatchObject({ target: '', label: '' });
    expect(fitToTable({ ...grouping, task: 'auto' }, table('x', 'y'))).toMatchObject({
      target: 'y',
      label: '',
    });
    expect(trainSettings(grouping)).toMatchObject({ target: '', task: 'clustering', label: 'y' });
  });
});
