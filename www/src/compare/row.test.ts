import { describe, expect, it } from 'vitest';
import { daysToTip, mergedFields, numberIn, rowCsv, rowFields, sliderStep, spelled, tipOf, usualCells, type RowField } from './row';

const JSON_TEXT = JSON.stringify({
  features: [
    { name: 'price', type: 'numerical', decimal_separator: ',', summary: { min: 0, quartiles: [1, 2.5, 3], max: 10 } },
    { name: 'unused', type: 'numerical', summary: { min: 0, quartiles: [1, 2, 3], max: 4 } },
    { name: 'colour', type: 'categorical', categories: ['blue', 'red'] },
    { name: 'day (month)', type: 'numerical', source: 'day', summary: { min: 1, quartiles: [1, 2, 3], max: 12 } },
  ],
  trees: [{ nodes: [{ split_feature: 0 }, { split_features: [2, 3] }, { leaf_value: [1] }] }],
});

describe('the fields of a row', () => {
  const fields = rowFields(JSON_TEXT);
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
  expect([daysToTip(19730, 19732.5), daysToTip(19732, 19732.5), daysToTip(19733, 19732.5), daysToTip(19740, 19732)]).toEqual([
    3, 1, -1, -8,
  ]);
});

describe('a slider', () => {
  it('has about two hundred round steps', () => {
    expect([sliderStep(0, 1), sliderStep(0, 1000), sliderStep(3, 3)]).toEqual([0.005, 5, 1]);
  });
});

describe('a weighted sum', () => {
  const json = JSON.stringify({
    features: [
      { name: 'a', type: 'numerical', summary: { min: 0, quartiles: [1, 2, 3], max: 10 } },
      { name: 'b', type: 'numerical', summary: { min: 0, quartiles: [1, 2, 3], max: 1000 } },
      { name: 'flat', type: 'numerical', summary: { min: 5, quartiles: [5, 5, 5], max: 5 } },
    ],
    trees: [{ nodes: [{ split_features: [0, 1, 2], weights: [0.5, -0.02, 9] }, { split_feature: 0 }] }],
  });

  it('tips by the column that has to move least in its range', () => {
    // 2 / 0.5 = 4 of a range of 10; 2 / −0.02 = −100 of a range of 1000.
    const tip = tipOf(json, 0, 2);
    expect(tip?.name).toBe('b');
    expect(tip?.by).toBeCloseTo(-100);
    expect(tipOf(json, 1, 2)).toBeNull();
    expect(tipOf(json, 9, 2)).toBeNull();
  });
});
