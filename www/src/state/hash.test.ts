import { describe, expect, it } from 'vitest';
import { learners } from '../fixtures/replies';
import { OWN_DATA, decodeHash, encodeHash } from './hash';
import { DEFAULT_SETTINGS, type Settings } from './settings';

const full: Settings = {
  target: 'größe & co = 1',
  task: 'regression',
  label: 'kind, maybe',
  model: 'gradtree',
  recipe: 'published',
  depth: 7,
  depthFrom: 'hand',
  seed: 4294967295,
  test: 0.25,
  valid: 0.1,
  budget: 30,
  ignore: ['a,b', 'id#'],
  kinds: { zip: 'category', 'x=y': 'number', row: 'identifier', ok: 'yes-no' },
  missing: { zip: ['-', 'n/a & co'], 'x.y': [] },
  answers: 'costs:0,1;5,0',
  positive: 'yes & no',
  writing: { delimiter: '\t', encoding: 'windows-1252', header: false, skipBadRows: true },
  config: { epochs: 12, rate: 0.0003, loss: 'cross_entropy', swa: false },
};

describe('the address', () => {
  it('brings back every setting of a sample', () => {
    const { sample, settings, refused } = decodeHash(`#${encodeHash(full, 'iris')}`, learners);
    expect(refused).toEqual([]);
    expect(sample).toBe('iris');
    expect({ ...DEFAULT_SETTINGS, ...settings }).toEqual(full);
  });

  it('reads the recipe of older links and refuses an unknown one', () => {
    expect(decodeHash('set.preset=paper', learners)).toMatchObject({
      settings: { recipe: 'published' },
      refused: [],
    });
    expect(decodeHash('recipe=published', learners)).toMatchObject({
      settings: { recipe: 'published' },
      refused: [],
    });
    expect(decodeHash('recipe=cake', learners)).toMatchObject({ settings: {}, refused: ['recipe=cake'] });
  });

  it('holds a depth only if it was set by hand, and what was said also where it is the default', () => {
    expect(encodeHash({ ...full, depthFrom: 'sample' }, 'iris')).not.toContain('depth');
    const hash = encodeHash({ ...full, config: { epochs: 200 } }, 'iris');
    expect(decodeHash(hash, learners).settings).toMatchObject({
      depth: 7,
      depthFrom: 'hand',
      config: { epochs: 200 },
    });
  });

  it("says nothing about the columns of the user's own file", () => {
    const hash = encodeHash(full, null);
    for (const word of ['missing', 'windows', 'gr%C3%B6', 'größe', 'zip', 'id%23', 'a%2Cb', 'yes'])
      expect(hash).not.toContain(word);
    const { sample, settings } = decodeHash(hash, learners);
    expect(sample).toBe(OWN_DATA);
    expect(settings).toMatchObject({ depth: 7, seed: 4294967295, config: full.config });
    expect(settings.target).toBeUndefined();
  });

  it('says nothing at all when empty', () => {
    for (const hash of ['', '#'])
      expect(decodeHash(hash, learners)).toEqual({ sample: null, settings: {}, refused: [] });
  });

  it.each([
    'sample=mars',
    'depth=abc',
    'depth=0',
    'depth=2.5',
    'depth=',
    'depth=999',
    'seed=-1',
    'seed=4294967296',
    'seed=1e999',
    'test=2',
    'valid=NaN',
    'task=guess',
    'model=oracle',
    'colour=red',
    'target=',
    'delimiter=x',
    'encoding=ebcdic',
    'header=maybe',
    'skipBadRows=false',
    'missing.=x',
    'identifier=',
  ])('refuses %s and keeps the default', (part) => {
    const { settings, sample, refused } = decodeHash(`#${part}&test=0.3`, learners);
    expect(refused).toEqual([part.replace(/=$/, '')]);
    expect(sample).toBeNull();
    expect(settings.depth).toBeUndefined();
    expect(settings.test).toBe(0.3);
  });

  it.each([
    'set.epochs=0',
    'set.epochs=1.5',
    'set.rate=x',
    'set.loss=hinge',
    'set.swa=maybe',
    'set.unknown=1',
  ])('refuses %s of a known learner', (part) => {
    const { settings, refused } = decodeHash(`model=gradtree&${part}`, learners);
    expect(refused).toEqual([part]);
    expect(settings).toEqual({ model: 'gradtree' });
  });

  it("needs no learner's name for the settings of the usual one", () => {
    expect(decodeHash('set.epochs=12&depth=9', learners)).toMatchObject({
      settings: { depth: 9, config: { epochs: 12 } },
      refused: [],
    });
  });

  it('groups rows without a target with the one learner that can', () => {
    const settings = {
      ...full,
      model: 'relaxed',
      depth: 6,
      task: 'clustering',
      target: '',
      positive: '',
      config: { prune: 0.5 },
    } as const;
    const hash = encodeHash(settings, 'iris');
    expect(decodeHash(hash, learners)).toMatchObject({
      settings: { task: 'clustering', label: 'kind, maybe', config: { prune: 0.5 } },
      refused: [],
    });
    expect(decodeHash('model=gradtree&task=clustering', learners).refused).toEqual(['task=clustering']);
    expect(encodeHash(settings, null)).not.toContain('kind');
  });

  it('survives garbage', () => {
    for (const hash of [
      '#%E0%A4%A',
      '#&&&===',
      `#${'x'.repeat(10_000)}`,
      '#__proto__=1',
      '#set.constructor=1&model=gradtree',
    ]) {
      expect(() => decodeHash(hash, learners)).not.toThrow();
    }
  });
});
