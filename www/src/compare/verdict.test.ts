import { describe, expect, it } from 'vitest';
import { decision, problem, result } from '../fixtures/replies';
import { decidingMetric, metricRows } from './metrics';
import { verdict } from './verdict';

const names = { cart: 'CART', gradient: 'GradTree' };
const classes = (rows: number, cart: number, gradient: number) =>
  verdict(
    problem('classification', rows),
    result('cart', { accuracy: cart }),
    result('gradtree', { accuracy: gradient }),
    names,
  );
const numbers = (cart: number, gradient: number) =>
  verdict(
    problem('regression', 301),
    result('cart', { rmse: cart }),
    result('gradtree', { rmse: gradient }),
    names,
  );

describe('who is better on the test rows', () => {
  it('names the tree by its learner', () => {
    expect(classes(120, 0.5, 0.95)).toEqual({
      winner: 'gradient',
      sentence: 'GradTree is better here: of 120 test rows it gets 114 right, CART 60.',
    });
  });

  it('names CART just as plainly', () => {
    expect(classes(120, 0.95, 0.5)).toEqual({
      winner: 'cart',
      sentence: 'CART is better here: of 120 test rows it gets 114 right, GradTree 60.',
    });
  });

  it('says when a difference is small enough to be chance', () => {
    expect(classes(30, 28 / 30, 29 / 30).sentence).toBe(
      'Too close to call: of 30 test rows, GradTree gets 29 right, CART 28. So small a difference can be chance.',
    );
    expect(classes(3000, 2800 / 3000, 2900 / 3000).sentence).not.toMatch(/chance/);
  });

  it('says how often either is alone right, in words a person would use', () => {
    // Part, outcome, leaves, answers, position: CART is right on rows 0 to 7, GradTree on 0 to 5 and 8.
    const right = (at: number) => [at < 8 ? 1 : 0, at < 6 || at === 8 ? 1 : 0];
    const rows = new Float32Array(
      Array.from({ length: 10 }, (_, at) => [2, 1, 0, 0, ...right(at), at]).flat(),
    );
    const { sentence } = verdict(
      problem('classification', 10),
      result('cart', { accuracy: 0.8 }),
      result('gradtree', { accuracy: 0.7 }),
      names,
      rows,
    );
    expect(sentence).toMatch(
      /^Too close to call: of 10 test rows, CART gets 8 right, GradTree 7\..* Only CART is right on 2 rows, only GradTree on 1 row\. .*\(p = 1\.000, sign test\)\.$/,
    );
  });

  it('says when both are the one tree of CART', () => {
    const both = result('cart', { accuracy: 0.9 });
    expect(verdict(problem('classification', 30), both, both, names).sentence).toMatch(/same tree/);
  });

  it('says when they tie', () => {
    expect(classes(30, 29 / 30, 29 / 30)).toEqual({
      winner: 'tie',
      sentence: 'A tie: of 30 test rows, both trees get 29 right.',
    });
  });

  it('compares errors for numbers, less being better', () => {
    expect(numbers(3.51, 2.94).winner).toBe('gradient');
    expect(numbers(3.51, 2.94).sentence).toContain(
      '301 test rows its root mean squared error is 2.940, that of CART 3.510',
    );
    expect(numbers(2.94, 3.51).winner).toBe('cart');
    expect(numbers(2.94, 2.94001).winner).toBe('tie');
  });

  it('goes by balanced accuracy where every class counts equally, whatever the accuracy says', () => {
    const rule = decision({ rule: 'balanced', metric: 'balanced_accuracy', weights: [0.6, 2.3] });
    const by = problem('classification', 6000, rule);
    const said = verdict(
      by,
      result('cart', { accuracy: 0.82, balanced_accuracy: 0.655 }),
      result('gradtree', { accuracy: 0.76, balanced_accuracy: 0.684 }),
      names,
    );
    expect(said.winner).toBe('gradient');
    expect(said.sentence).toBe(
      'GradTree is better here: on 6,000 test rows its balanced accuracy is 0.684, that of CART 0.655.',
    );
    expect(
      metricRows({ accuracy: 0.82, balanced_accuracy: 0.655 }, {}, decidingMetric(by)).map(({ key }) => key),
    ).toEqual(['balanced_accuracy', 'accuracy']);
  });

  it('goes by costs where they are set, less being better, and tests them', () => {
    const rule = decision({
      rule: 'costs',
      metric: 'cost',
      costs: [
        [0, 1],
        [5, 0],
      ],
    });
    const by = { ...problem('classification', 40, rule), classes: ['no', 'yes'] };
    // CART misses all ten of “yes”; the other finds them and is wrong on ten others.
    const rows = new Float32Array(
      Array.from({ length: 40 }, (_, at) => [2, at < 10 ? 1 : 0, 0, 0, 0, at < 20 ? 1 : 0, at]).flat(),
    );
    const said = verdict(
      by,
      result('cart', { accuracy: 0.75, cost: 1.25 }),
      result('gradtree', { accuracy: 0.75, cost: 0.25 }),
      { ...names, gradient: 'the relaxed tree' },
      rows,
    );
    expect(said.winner).toBe('gradient');
    expect(said.sentence).toMatch(
      /^The relaxed tree is better here: on 40 test rows its cost per row is 0\.250, that of CART 1\.250\. Of 10 rows with “yes” it finds 10, CART 0\. A gap this large would be rare by chance \(p = 0\.\d+, paired t test\)\.$/,
    );
  });

  it('says nothing about rows that do not exist', () => {
    expect(classes(0, 0.5, 0.9).winner).toBeNull();
    expect(
      verdict(problem('classification', 10), result('cart', {}), result('gradtree', {}), names).winner,
    ).toBeNull();
  });
});
