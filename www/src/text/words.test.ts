import { afterEach, describe, expect, it, vi } from 'vitest';
import { IRIS, treeOf } from '../fixtures/trees';
import {
  answerShare,
  answerText,
  isFormula,
  missingWay,
  nodeLabel,
  numberText,
  percentText,
  rowsText,
  shortDescription,
  shortText,
  shorterTexts,
  sizeText,
  treeText,
} from './words';

describe('nodeLabel', () => {
  it('says the test, the rows and where each answer leads', () => {
    expect(nodeLabel(IRIS, IRIS[0]!, false)).toBe(
      'petal width at most 0.8, 90 rows; yes leads to a leaf: setosa, 100% of 30 rows; no leads to: petal width at most 1.75',
    );
    expect(nodeLabel(IRIS, IRIS[1]!, false)).toBe('Leaf: setosa, 100% of 30 rows');
  });

  it('says the real share of the answered class, and why it is answered against the majority', () => {
    // The weighted or shrunk probability is another number, and is not shown here.
    const [shape] = treeOf({
      answer: 'yes',
      counts: [301, 230],
      class: 1,
      reason: 'answers yes from 22 % on: every class counts equally',
    });
    const leaf = { ...shape!, probabilities: [0.36, 0.64] };
    expect(answerShare(leaf)).toBeCloseTo(230 / 531);
    expect(nodeLabel([leaf], leaf, false)).toBe(
      'Leaf: yes, 43% of 531 rows; answers yes from 22 % on: every class counts equally',
    );
    expect(answerShare({ ...leaf, rows: 0, counts: [0, 0] })).toBeNull();
  });

  it('says where missing values go, unless the condition asks for them', () => {
    expect(missingWay({ ...IRIS[0]!, defaultLeft: true })).toBe('left');
    expect(missingWay(IRIS[0]!)).toBe('right');
    expect(missingWay({ ...IRIS[0]!, condition: 'age is not missing' })).toBeNull();
    expect(missingWay(IRIS[1]!)).toBeNull();
  });

  it('says mean and deviation of a number', () => {
    const [leaf] = treeOf({ answer: '124.83594512939453', counts: [] });
    const node = { ...leaf!, rows: 1204, mean: 124.83594, deviation: 6.9012, probabilities: [] };
    expect(nodeLabel([node], node, true)).toBe('Leaf: 124.8, 1,204 rows, mean 124.8, deviation 6.901');
  });

  it('says how far a formula may go', () => {
    const [leaf] = treeOf({ answer: '1.5 − 0.25·Age', counts: [] });
    const node = {
      ...leaf!,
      rows: 7,
      mean: 3,
      deviation: 1,
      probabilities: [],
      bounds: [-10.000001, 30.5] as [number, number],
    };
    expect(nodeLabel([node], node, true)).toBe(
      'Leaf: 1.5 − 0.25·Age, kept from -10 to 30.5, 7 rows, mean 3, deviation 1',
    );
    expect(shortText(node, true)).toBe('ƒ ≈ 3');
    expect(shorterTexts({ ...node, mean: 1234.5678 }, true)).toEqual([
      'ƒ ≈ 1,235',
      'ƒ 1,235',
      'ƒ 1,235',
      'ƒ 1,235',
    ]);
    expect(shorterTexts({ ...node, answer: '124.8359' }, true)).toEqual(['124.8', '124.8', '125', '125']);
    expect(isFormula(node)).toBe(true);
    expect(isFormula({ ...node, answer: '124.8' })).toBe(false);
    expect(isFormula(IRIS[1]!)).toBe(false);
  });
});

it('writes the tree as text, a line per node', () => {
  expect(treeText(IRIS, false).split('\n')).toEqual([
    'petal width ≤ 0.8? (90 rows)',
    '├─ yes: setosa (100% of 30 rows)',
    '└─ no:  petal width ≤ 1.75? (60 rows)',
    '   ├─ yes: versicolor (90% of 31 rows)',
    '   └─ no:  virginica (93% of 29 rows)',
  ]);
  expect(treeText([], false)).toBe('');
});

it('never rounds a probability to certainty', () => {
  expect([1, 0.9999, 0.997, 0.5, 0.003, 0.0001, 0].map(percentText)).toEqual([
    '100%',
    '>99.9%',
    '99.7%',
    '50%',
    '0.3%',
    '<0.1%',
    '0%',
  ]);
});

it('writes numbers short', () => {
  expect([0, 0.000012, 1.23456, -45.678, 12345.6, 1e9].map(numberText)).toEqual([
    '0',
    '1.2E-5',
    '1.235',
    '-45.68',
    '12,346',
    '1E9',
  ]);
  expect(rowsText(1)).toBe('1 row');
  expect(rowsText(0)).toBe('0 rows');
  expect(sizeText(1, 1, 0)).toBe('1 node, 1 leaf, depth 0');
});

it('leaves a class that looks like a number alone', () => {
  const [leaf] = treeOf({ answer: '3.00000', counts: [1, 2] });
  expect(answerText(leaf!, false)).toBe('3.00000');
});

describe('shortDescription', () => {
  it.each([
    ['petal width lower: 0.2 on average, elsewhere 1.7', 'petal width ↓0.2'],
    ['RI higher: 1.5204 on average, elsewhere 1.5181', 'RI ↑1.5204'],
    ['colour is red in 95 %, elsewhere in 3 %', 'colour: red 95%'],
    ['anything else', 'anything else'],
  ])('%s', (line, short) => expect(shortDescription(line)).toBe(short));
});

describe('a description in German', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    [
      'v1.2 lower: 0.20 on average, elsewhere 1.75',
      'v1.2 lower: 0,20 on average, elsewhere 1,75',
      'v1.2 ↓0,20',
    ],
    [
      'colour is 1.5 in 95 %, elsewhere in 3 %',
      'colour is 1.5 in 95\u00a0%, elsewhere in 3\u00a0%',
      'colour: 1.5 95\u00a0%',
    ],
    ['anything 1.5 else', 'anything 1.5 else', 'anything 1.5 else'],
  ])('%s', async (line, whole, short) => {
    vi.stubGlobal('navigator', { language: 'de-DE' });
    vi.resetModules();
    const words = await import('./words');
    expect(words.descriptionText(line)).toBe(whole);
    expect(words.shortDescription(line)).toBe(short);
  });
});
