import { describe, expect, it } from 'vitest';
import { feature } from '../fixtures/replies';
import {
  daysToTip,
  mergedFields,
  numberIn,
  rowCsv,
  rowFields,
  sliderStep,
  spelled,
  usualCells,
  type RowField,
} from './row';

const FEATURES = [
  feature({ name: 'price', range: [0, 2.5, 10], decimal: ',' }),
  feature({ name: 'unused', read: false }),
  feature({ name: 'colour', words: ['blue', 'red'] }),
  feature({ name: 'day (month)', column: 'day', part: 'month' }),
];

describe('the fields of a row', () => {
  const fields = rowFields(FEATURES);
  const price = fields[0] as Extract<RowField, { kind: 'number' }>;

  it('are the columns that the tree reads', () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['price', 'number'],
      ['colour', 'word'],
      ['day', 'text'],
    ]);
    expect(mergedFields([fields, fields])).toEqual(fields);
  });

  it('spell numbers as the file does, and read them back', () => {
    expect(spelled(price, 2.5)).toBe('2,5');
    expect(numberIn(price, '1.234,5')).toBe(1234.5);
    expect(numberIn({ ...price, decimal: '.', unit: '€' }, ' 1,234.5 € ')).toBe(1234.5);
    expect([numberIn(price, ''), numberIn(price, 'x')]).toEqual([null, null]);
    expect(usualCells(fields)).toEqual({ price: '2,5', colour: 'blue', day: '' });
  });

  it('become a table that any cell survives', () => {
    expect(rowCsv({ 'a,b': 'x "y"', c: '' })).toBe('"a,b","c"\n"x ""y""",""\n');
  });
});

it('a date tips by whole days', () => {
  // A threshold between two days is a threshold after the first.
  expect([
    daysToTip(19730, 19732.5),
    daysToTip(19732, 19732.5),
    daysToTip(19733, 19732.5),
    daysToTip(19740, 19732),
  ]).toEqual([3, 1, -1, -8]);
});

describe('a slider', () => {
  it('has about two hundred round steps', () => {
    expect([sliderStep(0, 1), sliderStep(0, 1000), sliderStep(3, 3)]).toEqual([0.005, 5, 1]);
  });
});
