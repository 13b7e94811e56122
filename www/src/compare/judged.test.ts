import { describe, expect, it } from 'vitest';
import { treeOf } from '../fixtures/trees';
import { answeredAnew, duel, nextDifferent, shades } from './judged';

/** Part, outcome, leaves, answers, position in the file. */
const ROWS = new Float32Array([
  ...[2, 1, 1, 1, 1, 0, 10],
  ...[2, 1, 1, 2, 1, 1, 11],
  ...[2, 0, 2, 2, 1, 1, 12],
  ...[2, 0, 2, 1, 1, 0, 13],
  ...[0, 0, 1, 1, 0, 1, 14],
]);

const RIGHT = { kind: 'right' } as const;

describe('a duel', () => {
  it('counts rows of one part', () => {
    expect(duel(ROWS, 'test', RIGHT)).toMatchObject({ cart: 1, gradient: 1, both: 1, neither: 1 });
    expect(duel(ROWS, 'train', RIGHT)).toMatchObject({ cart: 1, gradient: 0 });
    expect(duel(ROWS, 'valid', RIGHT).chance).toBe(1);
  });

  it('of numbers is decided by squared errors, not by how often one is nearer', () => {
    // CART is slightly nearer on most rows and far off on every third.
    const rows = new Float32Array(
      Array.from({ length: 90 }, (_, at) => [2, 0, 1, 1, at % 3 === 0 ? 4 + (at % 5) : 1, 1.05, at]).flat(),
    );
    const { cart, gradient, chance } = duel(rows, 'test', { kind: 'squares' });
    expect([cart, gradient]).toEqual([60, 30]);
    expect(chance).toBeLessThan(0.001);
  });
});

describe('a duel under imbalance', () => {
  /**
   * 90 rows of class 0 and 10 of class 1: CART never predicts 1; the other tree finds all ten and gives 20
   * false alarms.
   */
  const rows = new Float32Array(
    Array.from({ length: 100 }, (_, at) => {
      const truth = at < 10 ? 1 : 0;
      return [2, truth, 0, 0, 0, truth === 1 || at < 30 ? 1 : 0, at];
    }).flat(),
  );

  it('of right answers finds CART ahead', () => {
    expect(duel(rows, 'test', RIGHT)).toMatchObject({ cart: 20, gradient: 10, found: null });
  });

  it('of every class equally tests the difference of balanced accuracies', () => {
    const { chance, found } = duel(rows, 'test', { kind: 'balanced' });
    // Balanced accuracies are 0.5 and (70/90 + 1) / 2: a row of class 1 counts nine times as much as one of
    // class 0.
    expect(chance).toBeLessThan(0.05);
    expect(duel(rows, 'test', RIGHT).chance).toBeGreaterThan(0.05);
    expect(found).toEqual({ class: 1, rows: 10, cart: 0, gradient: 10 });
  });

  it('of costs goes by what the mistakes cost', () => {
    const chanceAt = (miss: number) =>
      duel(rows, 'test', {
        kind: 'costs',
        costs: [
          [0, 1],
          [miss, 0],
        ],
      }).chance;
    // Ten misses at 2 cost as much as twenty false alarms; at 20 each they cost ten times as much.
    expect(chanceAt(2)).toBe(1);
    expect(chanceAt(20)).toBeLessThan(0.01);
  });
});

it('rows get the answers of the rule on show', () => {
  const nodes = treeOf({
    split: 'x ≤ 1',
    yes: { answer: 'b', counts: [3, 1], class: 1 },
    no: { answer: 'b', counts: [0, 1] },
  });
  const tree = { nodes, size: 3, leaves: 2, depth: 1 };
  const before = new Float32Array([2, 0, 1, 2, 0, 0, 7]);
  const { rows } = answeredAnew({ rows: before, cart: [], gradient: [], metric: 'accuracy' }, tree, tree);
  expect([...rows]).toEqual([2, 0, 1, 2, 1, 1, 7]);
  expect([...before]).toEqual([2, 0, 1, 2, 0, 0, 7]);
});

describe('shades', () => {
  const nodes = treeOf({
    split: 'x ≤ 1',
    yes: { answer: 'a', counts: [1, 0] },
    no: { answer: 'b', counts: [0, 1] },
  });
  const tree = { nodes, size: 3, leaves: 2, depth: 1 };

  it('follow the rows of a node into the other tree', () => {
    expect(shades(ROWS, tree, 'cart', 'L', tree)).toEqual(
      new Map([
        ['', 1],
        ['L', 2 / 3],
        ['R', 1 / 3],
      ]),
    );
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
