import { describe, expect, it } from 'vitest';
import { axis, axisColumns } from './axis';

const json = (...features: object[]) => JSON.stringify({ features });

describe('an axis of a map', () => {
  it('is a column of numbers or of not too many words', () => {
    const many = Array.from({ length: 40 }, (_, at) => `w${at}`);
    const found = axisColumns(
      json(
        { name: 'a', type: 'numerical' },
        { name: 'c', type: 'categorical', categories: ['x', 'y'] },
        { name: 'd', type: 'categorical', categories: many },
      ),
    );
    expect(found).toEqual([
      { name: 'a', words: null, part: null },
      { name: 'c', words: ['x', 'y'], part: null },
    ]);
    expect(axisColumns('')).toEqual([]);
  });

  it('has each word in the middle of its band, cut to it and complete beside', () => {
    const { ticks } = axis({ name: 'c', words: ['a rather long word', 'b'], part: null }, [-0.5, 1.5], [0, 100], true, 40);
    expect(ticks.map(({ at }) => at)).toEqual([25, 75]);
    expect(ticks[0]!.label).toMatch(/^a.*…/);
    expect(ticks[0]!.full).toBe('a rather long word');
  });

  it('leaves out names where they would lie on each other', () => {
    const words = Array.from({ length: 30 }, (_, at) => `word ${at}`);
    const { ticks } = axis({ name: 'c', words, part: null }, [-0.5, 29.5], [0, 260], true, 40);
    expect(ticks.length).toBeLessThan(12);
    expect(ticks.every(({ label }) => label.length <= 4)).toBe(true);
  });

  it('has round numbers', () => {
    expect(axis({ name: 'a', words: null, part: null }, [0, 10], [0, 100], true, 40).ticks.map(({ at }) => at)).toContain(40);
  });

  it('has dates where its numbers are days, and names where they are months', () => {
    const [days] = axisColumns(json({ name: 'joined (days since 1970-01-01)', type: 'numerical', date_part: 'days' }));
    const written = (column: typeof days, domain: [number, number]) =>
      axis(column!, domain, [0, 100], true, 40).ticks.map(({ label }) => label);
    expect(written(days, [19000, 19899])).toEqual(['Jul 2022', 'Jan 2023', 'Jul 2023', 'Jan 2024']);
    expect(written({ ...days!, part: 'month' }, [1, 12])).toContain('Apr');
    expect(written({ ...days!, part: 'year' }, [2019, 2023])).toEqual(['2019', '2020', '2021', '2022', '2023']);
  });
});
