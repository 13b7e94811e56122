import { describe, expect, it } from 'vitest';
import { ROWS } from '../fixtures/rows';
import { confusion, mistakes } from './confusion';

describe('mistakes', () => {
  it('are counted by class and answer, on one part', () => {
    expect(confusion(ROWS, 'test', 2, 'cart')).toEqual([
      [0, 2],
      [0, 2],
    ]);
    expect(confusion(ROWS, 'test', 2, 'gradient')).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(
      mistakes(
        [
          [5, 1, 0],
          [3, 2, 0],
          [0, 0, 9],
        ],
        5,
      ),
    ).toEqual([
      { truth: 1, answer: 0, count: 3 },
      { truth: 0, answer: 1, count: 1 },
    ]);
  });
});
