import { describe, expect, it } from 'vitest';
import { feature } from '../fixtures/replies';
import { axis, axisColumns } from './axis';

const named = (name: string, words: string[]) => feature({ name, words });

describe('an axis of a map', () => {
  it('is a column of numbers or of not too many words', () => {
    const many = Array.from({ length: 40 }, (_, at) => `w${at}`);
    const found = axisColumns([named('a', []), named('c', ['x', 'y']), named('d', many)]);
    expect(found.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  it('has each word in the middle of its band, cut to it and complete beside', () => {
    const { ticks } = axis(
      { words: ['a rather long word', 'b'], part: null },
      [-0.5, 1.5],
      [0, 100],
      true,
      40,
    );
    expect(ticks.map(({ at }) => at)).toEqual([25, 75]);
    expect(ticks[0]!.label).toMatch(/^a.*…/);
    expect(ticks[0]!.full).toBe('a rather long word');
  });

  it('leaves out names where they would lie on each other', () => {
    const words = Array.from({ length: 30 }, (_, at) => `word ${at}`);
    const { ticks } = axis({ words, part: null }, [-0.5, 29.5], [0, 260], true, 40);
    expect(ticks.length).toBeLessThan(12);
    expect(ticks.every(({ label }) => label.length <= 4)).toBe(true);
  });

  it('has round numbers', () => {
    expect(axis({ words: [], part: null }, [0, 10], [0, 100], true, 40).ticks.map(({ at }) => at)).toContain(
      40,
    );
  });

  it('has dates where its numbers are days, and names where they are months', () => {
    const written = (part: string, domain: [number, number]) =>
      axis({ words: [], part }, domain, [0, 100], true, 40).ticks.map(({ label }) => label);
    expect(written('days', [19000, 19899])).toEqual(['Jul 2022', 'Jan 2023', 'Jul 2023', 'Jan 2024']);
    expect(written('month', [1, 12])).toContain('Apr');
    expect(written('year', [2019, 2023])).toEqual(['2019', '2020', '2021', '2022', '2023']);
  });
});
