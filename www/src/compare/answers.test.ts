import { describe, expect, it } from 'vitest';
import {
  classCosts,
  costsProblem,
  isRule,
  readCosts,
  ruleOf,
  swapped,
  thresholdCosts,
  usualCosts,
  withoutCosts,
  writeCosts,
} from './answers';

describe('an answer rule', () => {
  it('has a name', () => {
    expect(['auto', 'likeliest', 'balanced', 'costs:0,1;5,0', 'else'].map(ruleOf)).toEqual([
      'auto',
      'likeliest',
      'balanced',
      'costs',
      'auto',
    ]);
  });

  it('in an address is one of the names or a usable matrix', () => {
    expect(['auto', 'balanced', 'costs:0,1;5,0', 'costs:0,1,1;1,0,1;9,1,0'].every(isRule)).toBe(true);
    expect(
      [
        'costs',
        'costs:',
        'costs:1',
        'costs:0,1;5',
        'costs:0,-1;1,0',
        'costs:0,0;0,0',
        'costs:0,x;1,0',
        'most',
      ].some(isRule),
    ).toBe(false);
  });
});

describe('costs', () => {
  it('come back as they were written', () => {
    expect(
      readCosts(
        writeCosts([
          [0, 1.5],
          [7, 0],
        ]),
      ),
    ).toEqual([
      [0, 1.5],
      [7, 0],
    ]);
    expect(writeCosts(usualCosts(3))).toBe('costs:0,1,1;1,0,1;1,1,0');
  });

  it('of many classes are one number for each, in short', () => {
    const many = usualCosts(9).map((row, truth) => row.map((cost) => (truth === 2 ? 5 * cost : cost)));
    expect(writeCosts(many)).toBe('costs:1;1;5;1;1;1;1;1;1');
    expect(readCosts(writeCosts(many))).toEqual(many);
    expect(isRule('costs:1;5')).toBe(true);
    expect(classCosts(many)).toEqual([1, 1, 5, 1, 1, 1, 1, 1, 1]);
    // Costs that depend on the answer stay a matrix.
    const other = many.map((row, truth) =>
      row.map((cost, answer) => (truth === 0 && answer === 1 ? 7 : cost)),
    );
    expect(classCosts(other)).toBeNull();
    expect(readCosts(writeCosts(other))).toEqual(other);
  });

  it('say what is wrong and where', () => {
    expect(
      costsProblem([
        [0, 1],
        [-1, 0],
      ]),
    ).toEqual({ kind: 'negative', truth: 1, answer: 0 });
    expect(
      costsProblem([
        [0, NaN],
        [1, 0],
      ]),
    ).toEqual({ kind: 'number', truth: 0, answer: 1 });
    expect(
      costsProblem([
        [0, 0],
        [0, 0],
      ]),
    ).toEqual({ kind: 'zero' });
    expect(
      costsProblem([
        [0, 0],
        [1, 0],
      ]),
    ).toBeNull();
  });

  it('of a threshold are a false alarm against a miss', () => {
    expect(thresholdCosts(0.22)).toBe('costs:0,0.22;0.78,0');
  });

  it('turn with the two classes, and end with their target', () => {
    expect(swapped('costs:0,1;5,0')).toBe('costs:0,5;1,0');
    expect(swapped('balanced')).toBe('balanced');
    expect([withoutCosts('costs:0,1;5,0'), withoutCosts('balanced')]).toEqual(['auto', 'balanced']);
  });
});
