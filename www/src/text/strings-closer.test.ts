import { describe, expect, it } from 'vitest';
import { closer } from './strings-closer';

describe('five seeds in words', () => {
  const verdict = (cart: number, gradient: number, ties: number) =>
    closer.seeds.verdict('the relaxed tree', cart, gradient, ties);

  it('say when a lead can be chance', () => {
    expect(verdict(1, 3, 1)).toMatch(
      /^The relaxed tree is better with 3 of 5 seeds, level with 1\. That can be chance\./,
    );
    expect(verdict(3, 0, 2)).toMatch(/^CART is better with 3 of 5 .*chance/);
    expect(verdict(1, 4, 0)).toMatch(/chance/);
    expect(verdict(0, 5, 0)).toBe('The relaxed tree is better with 5 of 5 seeds.');
    expect(verdict(2, 2, 1)).toMatch(/^Neither is ahead/);
  });
});

it('the worth of a column has three decimals, and no sign where it is none', () => {
  expect([0.1234, 0.00002, -0.00002, -0.008, null].map(closer.importance.worth)).toEqual([
    '0.123',
    '0.000',
    '0.000',
    '-0.008',
    '–',
  ]);
});

describe('first cuts in words', () => {
  const cut = { condition: 'a ≤ 3', gain: 0.25, rank: 1 };

  it('are ranked among cuts of one column, a weighted sum beside them', () => {
    expect(closer.why.first('CART', cut, 807, false)).toBe(
      "CART's first cut, a ≤ 3, takes 0.25 off the impurity at once: the best of 807 cuts of one column.",
    );
    expect(closer.why.first('CART', { ...cut, rank: 22 }, 807, false)).toMatch(/the 22nd best of 807/);
    expect(closer.why.first('GET', { ...cut, condition: '↑a ↓b' }, 807, true)).toMatch(
      /the weighted sum ↑a ↓b, .*: more than any of the 807 cuts/,
    );
    expect(closer.why.first('GET', { ...cut, rank: 5 }, 807, true)).toMatch(/less than 4 of the 807/);
    expect(closer.why.first('CART', { ...cut, condition: '' }, 807, false)).toBe('CART makes no cut at all.');
  });
});

describe('why in words', () => {
  const verdict = (scores: number[], noise: number, metric = 'accuracy') =>
    closer.why.verdict(scores, noise, 'GradTree', metric);

  it('is as plain when CART wins or when it is noise', () => {
    expect(verdict([0.9, 0.9, 0.9, 0.91], 0.05)).toMatch(/level .* can be chance/);
    expect(verdict([0.5, 0.55, 0.88, 0.9], 0.05)).toMatch(/^The first cut was the cost/);
    expect(verdict([0.5, 0.85, 0.5, 0.9], 0.05)).toMatch(
      /^The growth below made the difference: from CART's own first cut GradTree/,
    );
    expect(verdict([0.5, 0.55, 0.55, 0.9], 0.05)).toMatch(/^It takes both/);
    expect(verdict([0.9, 0.85, 0.6, 0.5], 0.05)).toMatch(/^CART wins by its first cut/);
    expect(verdict([0.9, 0.5, 0.85, 0.5], 0.05)).toMatch(/^CART wins below the first cut/);
    expect(verdict([0.9, 0.55, 0.55, 0.5], 0.05)).toMatch(/^CART is better/);
  });

  it('goes by the metric that decides, of which less may be better', () => {
    expect(verdict([0.9, 0.85, 0.55, 0.5], 0.05, 'cost')).toMatch(
      /^The first cut was the cost: .* reaches 0\.550 instead of 0\.900/,
    );
    expect(verdict([-0.1, 0.1, 0.1, 0.9], 0.05, 'r2')).toMatch(/CART has -0\.100/);
    expect(closer.why.score('cost', 40)).toMatch(/^Cost per row \(less is better\) on 40 rows/);
    expect(closer.why.score('balanced_accuracy', 40)).toMatch(/^Balanced accuracy on 40 rows/);
    expect(closer.importance.help('cost')).toMatch(/^By how much cost per row rises/);
    expect(closer.importance.help('balanced_accuracy')).toMatch(/^By how much balanced accuracy falls/);
  });
});
