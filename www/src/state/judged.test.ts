import { describe, expect, it } from 'vitest';
import { treeOf } from '../draw/sample';
import { duel, nextDifferent, shades, signTest } from './judged';

describe('the sign test', () => {
  it('gives the probabilities of a fair coin', () => {
    expect(signTest(0, 0)).toBe(1);
    expect(signTest(0, 5)).toBeCloseTo(2 / 32, 12);
    expect(signTest(1, 5)).toBeCloseTo((2 * 7) / 64, 12);
    expect(signTest(5, 5)).toBe(1);
  });

  it('holds for thousands of rows', () => {
    expect(signTest(4800, 5200)).toBeCloseTo(6.6e-5, 5);
    expect(signTest(10_000, 0)).toBeGreaterThanOrEqual(0);
    expect(Number.isFinite(signTest(40_000, 40_100))).toBe(true);
  });
});

/** Part, outcome, leaves, answers, position in the file. */
const ROWS = new Float32Array([
  ...[2, 1, 1, 1, 1, 0, 10],
  ...[2, 1, 1, 2, 1, 1, 11],
  ...[2, 0, 2, 2, 1, 1, 12],
  ...[2, 0, 2, 1, 1, 0, 13],
  ...[0, 0, 1, 1, 0, 1, 14],
]);

describe('a duel', () => {
  it('counts rows of one part', () => {
    expect(duel(ROWS, 'test', false)).toMatchObject({ cart: 1, gradient: 1, both: 1, neither: 1 });
    expect(duel(ROWS, 'train', false)).toMatchObject({ cart: 1, gradient: 0 });
    expect(duel(ROWS, 'valid', false).chance).toBe(1);
  });
});

describe('shades', () => {
  const nodes = treeOf({ split: 'x ≤ 1', yes: { answer: 'a', counts: [1, 0] }, no: { answer: 'b', counts: [0, 1] } });
  const tree = { nodes, size: 3, leaves: 2, depth: 1 };

  it('follow the rows of a node into the other tree', () => {
    expect(shades(ROWS, tree, 'cart', 'L', tree)).toEqual(new Map([['', 1], ['L', 2 / 3], ['R', 1 / 3]]));
    expect(shades(ROWS, tree, 'gradient', '', tree).get('R')).toBeCloseTo(2 / 5);
  });
});

describe('rows on which the trees differ', () => {
  it('follow each other through the file and begin again', () => {
    expect(nextDifferent(ROWS, false, -1)).toBe(10);
    expect(nextDifferent(ROWS, false, 10)).toBe(13);
    expect(nextDifferent(ROWS, false, 13)).toBe(14);
    expect(nextDifferent(ROWS, false, 14)).toBe(10);
    expect(nextDifferent(new Float32Array([2, 1, 1, 1, 1, 1, 0]), false, -1)).toBeNull();
  });

  it('are those that differ most where the answers are numbers', () => {
    const rows = new Float32Array(Array.from({ length: 20 }, (_, at) => [2, 0, 1, 1, 0, at + 1, at]).flat());
    expect(nextDifferent(rows, true, -1)).toBe(18);
    expect(nextDifferent(rows, true, 18)).toBe(19);
    expect(nextDifferent(rows, true, 19)).toBe(18);
  });
});
