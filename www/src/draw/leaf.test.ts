import { describe, expect, it } from 'vitest';
import { cutTest, denied, lastTest, wholeWay } from './leaf';
import { IRIS } from './sample';

describe('a leaf', () => {
  it('is told by the last test before it, and by all of them', () => {
    const virginica = IRIS.find(({ answer }) => answer === 'virginica')!;
    expect(lastTest(IRIS, virginica)).toBe('petal width > 1.75');
    expect(wholeWay(IRIS, virginica)).toEqual(['petal width > 0.8', 'petal width > 1.75']);
    expect(lastTest(IRIS, IRIS[0]!)).toBe('');
    expect(lastTest(IRIS, IRIS[1]!)).toBe('petal width ≤ 0.8');
  });

  it('keeps the sign and the number of a test that is cut', () => {
    expect(cutTest('suction-side-displacement > 0.03394875')).toBe('suction…cement > 0.03394875');
    expect(cutTest('a ≤ 3')).toBe('a ≤ 3');
    expect(cutTest('not: colour is one of blue, green, red')).toHaveLength(26);
  });

  it('denies words as a whole', () => {
    expect(denied('Sex is female')).toBe('not: Sex is female');
    expect(denied('a ≤ b ≤ 3')).toBe('not: a ≤ b ≤ 3');
  });
});
