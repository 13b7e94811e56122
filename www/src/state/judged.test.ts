import { describe, expect, it } from 'vitest';
import { treeOf } from '../draw/sample';
import { duel, nextDifferent, shades } from './judged';

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

  it('of numbers is decided by squared errors, not by how often one is nearer', () => {
    // CART is nearer by a little on most rows and far off on every third.
    const rows = new Float32Array(Array.from({ length: 90 }, (_, at) => [2, 0, 1, 1, at % 3 === 0 ? 4 + (at % 5) : 1, 1.05, at]).flat());
    const { cart, gradient, chance } = duel(rows, 'test', true);
    expect([cart, gradient]).toEqual([60, 30]);
    expect(chance).toBeLessThan(0.001);
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
