import { describe, expect, it } from 'vitest';
import { classLetter, classSigns, countsBySlot } from './classes';

const named = (count: number) => Array.from({ length: count }, (_, index) => `class ${index}`);

describe('classSigns', () => {
  it('gives up to eight classes a colour of their own', () => {
    expect(classSigns(named(8)).map((sign) => sign.slot)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('shares the last colour among the rest, but no letter', () => {
    const signs = classSigns(named(30));
    expect(signs.map((sign) => sign.slot).slice(5, 10)).toEqual([5, 6, 7, 7, 7]);
    expect(new Set(signs.map((sign) => sign.letter)).size).toBe(30);
  });
});

it('counts letters as spreadsheets do', () => {
  expect([0, 1, 25, 26, 27, 51, 52, 701, 702].map(classLetter)).toEqual([
    'A',
    'B',
    'Z',
    'AA',
    'AB',
    'AZ',
    'BA',
    'ZZ',
    'AAA',
  ]);
});

it('adds the counts of classes that share a mark', () => {
  const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  expect(countsBySlot(counts, classSigns(named(10)))).toEqual([1, 2, 3, 4, 5, 6, 7, 27]);
  expect(countsBySlot([4, 5], classSigns(named(2)))).toEqual([4, 5]);
});
