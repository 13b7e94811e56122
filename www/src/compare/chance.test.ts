import { describe, expect, it } from 'vitest';
import { pairedTest, signTest } from './chance';

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

describe('the paired test', () => {
  it("gives Student's probabilities", () => {
    // From tables of t: 2.776 with 4 and 2.045 with 29 degrees of freedom are 5 %.
    expect(pairedTest(withT(5, 2.776))).toBeGreaterThan(0.05);
    expect(pairedTest(withT(5, 2.776))).toBeLessThan(0.07);
    expect(pairedTest(withT(30, 2.045))).toBeCloseTo(0.05, 3);
    expect(pairedTest(withT(1000, 1.962))).toBeCloseTo(0.05, 3);
    expect(pairedTest(withT(1000, -3.3))).toBeCloseTo(0.001, 4);
  });

  it('is certain of nothing where there is nothing', () => {
    expect(pairedTest([])).toBe(1);
    expect(pairedTest([3])).toBe(1);
    expect(pairedTest([0, 0, 0])).toBe(1);
    expect(pairedTest([1, -1])).toBe(1);
    expect(pairedTest([2, 2, 2])).toBe(0);
  });
});

/** Numbers with a given t. */
function withT(n: number, t: number): number[] {
  const plain = Array.from({ length: n }, (_, at) => at - (n - 1) / 2);
  const deviation = Math.sqrt(plain.reduce((sum, value) => sum + value * value, 0) / (n - 1));
  return plain.map((value) => value + (t * deviation) / Math.sqrt(n));
}
