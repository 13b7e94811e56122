import { describe, expect, it } from 'vitest';
import { cutTest, denied, lastTest, wholeWay } from './leaf';
import { IRIS } from '../fixtures/trees';

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

  it('is told by dates, not by days, and a date stays whole', () => {
    const joined = {
      ...IRIS[0]!,
      condition: 'joined (days since 1970-01-01) ≤ 19732.5',
      threshold: 19732.5,
      date: { column: 'joined', part: 'days', times: false },
    };
    const nodes = [joined, ...IRIS.slice(1)];
    expect(wholeWay(nodes, IRIS[1]!)[0]).toMatch(/^joined ≤ .*2024/);
    expect(cutTest('the day on which she joined > 10 Jan 2024')).toBe('the day…joined > 10 Jan 2024');
  });

  it.each([
    ['Sex is female', 'Sex', 'Sex is not female'],
    ['Embarked is not S', 'Embarked', 'Embarked is S'],
    ['what is it is one of a, b', 'what is it', 'what is it is none of a, b'],
    ['port is none of a, b', 'port', 'port is one of a, b'],
    ['age is not missing', 'age', 'age is missing'],
    ['joined in Jan–Mar', 'joined (month)', 'not: joined in Jan–Mar'],
    ['a ≤ b ≤ 3', '', 'not: a ≤ b ≤ 3'],
  ])('%s, denied', (condition, feature, opposite) => expect(denied(condition, feature)).toBe(opposite));
});
