import { describe, expect, it } from 'vitest';
import { confusion, disagreement, errorsOf, hitsAt, mistakes, roc, spreadAround, verdictOf } from './judge';
import { treeOf } from './sample';

/** Part, outcome, leaves in CART and the gradient tree, answers, position in the file. */
const ROWS = new Float32Array([
  ...[2, 1, 1, 1, 1, 0, 10],
  ...[2, 1, 1, 2, 1, 1, 11],
  ...[2, 0, 2, 2, 1, 1, 12],
  ...[2, 0, 2, 1, 1, 0, 13],
  ...[0, 0, 1, 1, 0, 1, 14],
]);

describe('mistakes', () => {
  it('are counted by class and answer, on one part', () => {
    expect(confusion(ROWS, 'test', 2, 'cart')).toEqual([[0, 2], [0, 2]]);
    expect(confusion(ROWS, 'test', 2, 'gradient')).toEqual([[1, 1], [1, 1]]);
    expect(mistakes([[5, 1, 0], [3, 2, 0], [0, 0, 9]], 5)).toEqual([
      { truth: 1, answer: 0, count: 3 },
      { truth: 0, answer: 1, count: 1 },
    ]);
  });
});

describe('hits against false alarms', () => {
  const tree = (yes: number[], no: number[]) => {
    const nodes = treeOf({ split: 'x', yes: { answer: 'a', counts: yes }, no: { answer: 'b', counts: no } });
    return { nodes, size: 3, leaves: 2, depth: 1 };
  };

  it('can be asked for either class, and read off at any share of false alarms', () => {
    const sure = tree([1, 9], [9, 1]);
    expect(roc(ROWS, 'test', sure, 'cart', 0)!.area).toBe(1);
    expect(roc(ROWS, 'test', sure, 'cart', 5), 'no such class').toBeNull();
    const curve = roc(ROWS, 'test', sure, 'gradient')!;
    expect(hitsAt(curve, 0)).toBe(0);
    expect(hitsAt(curve, 0.25)).toBe(0.25);
    expect(hitsAt(curve, 1)).toBe(1);
    expect(hitsAt(roc(ROWS, 'test', sure, 'cart')!, 0), 'all hits before the first alarm').toBe(1);
  });

  it('run from nothing to everything, with the area of a rank test', () => {
    // CART's leaf 1 holds the two of class 1 and is given the higher probability: perfect.
    const perfect = roc(ROWS, 'test', tree([1, 9], [9, 1]), 'cart')!;
    expect(perfect.points.at(0)).toEqual({ x: 0, y: 0 });
    expect(perfect.points.at(-1)).toEqual({ x: 1, y: 1 });
    expect(perfect.area).toBe(1);
    expect(roc(ROWS, 'test', tree([9, 1], [1, 9]), 'cart')!.area).toBe(0);
    expect(roc(ROWS, 'test', tree([1, 9], [9, 1]), 'gradient')!.area).toBe(0.5);
  });

  it('need rows of both classes', () => {
    expect(roc(ROWS, 'train', tree([1, 9], [9, 1]), 'cart')).toBeNull();
  });
});

describe('a disagreement', () => {
  it('lists the leaves whose answers differ and who is right', () => {
    const found = disagreement(ROWS, 'test', false, 10);
    expect(found).toMatchObject({ differ: 2, all: 4, right: { cart: 1, gradient: 1 }, cart: [1, 2], gradient: [1], omitted: 0 });
    expect(found.cells[0]![0]).toMatchObject({ rows: 1, cart: 1, gradient: 0 });
    expect(disagreement(ROWS, 'test', false, 1).omitted).toBe(1);
  });

  it('is judged by the clear majority', () => {
    expect(verdictOf({ rows: 5, cart: 0, gradient: 0 })).toBe('neither');
    expect(verdictOf({ rows: 9, cart: 8, gradient: 1 })).toBe('cart');
    expect(verdictOf({ rows: 9, cart: 0, gradient: 1 })).toBe('gradient');
    expect(verdictOf({ rows: 9, cart: 4, gradient: 5 })).toBe('mixed');
  });
});

describe('errors of numbers', () => {
  it('are answers minus truth, thinned for the drawing only', () => {
    const { points, errors } = errorsOf(ROWS, 'test', 'gradient', 2);
    expect(errors).toEqual([-1, 0, 1, 0]);
    expect(points).toHaveLength(2);
    expect(spreadAround([-9, -1, 0, 0.4, 9], 1, 4)).toEqual([2, 0, 2, 1]);
  });
});
