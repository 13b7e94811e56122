import { describe, expect, it } from 'vitest';
import { along, classBars, histogramAt, trailPath, valueBars } from './histogram';
import { treeOf } from '../fixtures/trees';
import { follow, NO_TRAILS } from './trails';

/**
 * Two bars of two slots: a split at 0.25 of [0, 1], greedy at 0.75; then a leaf; then a split of three words.
 */
const NAN = NaN;
const MARKS = new Float32Array([
  4,
  2,
  ...[0, 1, 0.25, 0.75, 3, 1, 0, 2, 0, 0, 4, 0],
  ...[0, 0, NAN, NAN, 0, 0, 0, 0, 0, 0, 0, 0],
  ...[0, 3, 1, -Infinity, 5, 0, 0, 1, 2, 2, 0, 0],
]);

describe('a histogram', () => {
  it('is read from the engine’s numbers', () => {
    expect(histogramAt(MARKS, 0)).toMatchObject({
      low: 0,
      high: 1,
      cut: 0.25,
      greedy: 0.75,
      words: false,
      bars: 4,
      slots: 2,
    });
    expect(histogramAt(MARKS, 1)).toBeNull();
    expect(histogramAt(MARKS, 2)).toMatchObject({ words: true, bars: 3, greedy: null, cut: 1 });
    expect(histogramAt(MARKS, 3)).toBeNull();
    expect(histogramAt(null, 0)).toBeNull();
  });

  it('keeps every value on its axis', () => {
    const histogram = histogramAt(MARKS, 0)!;
    expect([-1, 0, 0.25, 1, 9].map((value) => along(histogram, value, 80))).toEqual([0, 0, 20, 80, 80]);
  });

  it('stacks classes, one path each, the tallest bar over the whole height', () => {
    const bars = classBars(histogramAt(MARKS, 0)!, 40, 20);
    expect(bars.map(({ slot }) => slot)).toEqual([0, 1]);
    expect(bars[0]!.d.match(/M/g)).toHaveLength(2);
    // Four rows in the first bar, three of them of the first class.
    expect(bars[0]!.d.startsWith('M0,20V5H9.2V20Z')).toBe(true);
    expect(bars[1]!.d.startsWith('M0,5V0H9.2V5Z')).toBe(true);
  });

  it('shows the mean of a number in each bar and breaks the line where there are no rows', () => {
    const { bars, mean } = valueBars(histogramAt(MARKS, 0)!, { low: 0, high: 2 }, 40, 20);
    expect(bars.match(/M/g)).toHaveLength(2);
    expect(mean).toBe('M0,10H10M30,20H40');
  });
});

describe('a trail', () => {
  const nodes = treeOf({
    split: 'x ≤ 1',
    yes: { answer: 'a', counts: [1, 0] },
    no: { answer: 'b', counts: [0, 1] },
  });

  it('remembers where a cut was until the node turns to another column', () => {
    const at = (cut: number) => {
      const marks = MARKS.slice();
      marks[4] = cut;
      return marks;
    };
    const once = follow(NO_TRAILS, nodes, at(0.25));
    const twice = follow(follow(once, nodes, at(0.5)), nodes, at(0.5));
    expect(twice.get('')?.cuts).toEqual([0.25, 0.5]);
    expect(trailPath(histogramAt(MARKS, 0)!, twice.get('')!.cuts, 40)).toBe('M10,0V3M20,0V3');
    const other = nodes.map((node) => ({ ...node, feature: 'z' }));
    expect(follow(twice, other, at(0.5)).get('')?.cuts).toEqual([0.5]);
  });
});
