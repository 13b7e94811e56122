import { describe, expect, it } from 'vitest';
import { axis, axisColumns } from './axis';

const json = (...features: object[]) => JSON.stringify({ features });

describe('an axis of a map', () => {
  it('is a column of numbers or of not too many words', () => {
    const many = Array.from({ length: 40 }, (_, at) => `w${at}`);
    const found = axisColumns(
      json({ name: 'a', type: 'numerical' }, { name: 'c', type: 'categorical', categories: ['x', 'y'] }, { name: 'd', type: 'categorical', categories: many }),
    );
    expect(found).toEqual([{ name: 'a', words: null }, { name: 'c', words: ['x', 'y'] }]);
    expect(axisColumns('')).toEqual([]);
  });

  it('has each word in the middle of its band, cut to it and complete beside', () => {
    const { ticks } = axis({ name: 'c', words: ['a rather long word', 'b'] }, [-0.5, 1.5], [0, 100], true, 40);
    expect(ticks.map(({ at }) => at)).toEqual([25, 75]);
    expect(ticks[0]!.label).toMatch(/^a.*…/);
    expect(ticks[0]!.full).toBe('a rather long word');
  });

  it('leaves out names where they would lie on each other', () => {
    const words = Array.from({ length: 30 }, (_, at) => `word ${at}`);
    const { ticks } = axis({ name: 'c', words }, [-0.5, 29.5], [0, 260], true, 40);
    expect(ticks.length).toBeLessThan(12);
    expect(ticks.every(({ label }) => label.length <= 4)).toBe(true);
  });

  it('has round numbers', () => {
    expect(axis({ name: 'a', words: null }, [0, 10], [0, 100], true, 40).ticks.map(({ at }) => at)).toContain(40);
  });
});
