import { describe, expect, it } from 'vitest';
import { ROWS } from '../fixtures/rows';
import { treeOf } from '../fixtures/trees';
import { hitsAt, roc } from './roc';

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
    // CART's leaf 1 holds the two rows of class 1 and has the higher probability: perfect.
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
