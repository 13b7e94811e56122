/** The confusion matrix of a tree. */
import { forRows, type Part, type Side } from './judged';

/** Rows by true class and predicted class: `[truth][answer]`. */
export function confusion(rows: Float32Array, part: Part, classes: number, side: Side): number[][] {
  const counts = Array.from({ length: classes }, () => new Array<number>(classes).fill(0));
  forRows(
    rows,
    part,
    (truth, _cartLeaf, _gradientLeaf, cart, gradient) =>
      (counts[truth]![side === 'cart' ? cart : gradient]! += 1),
  );
  return counts;
}

/** The most frequent mistakes, in descending order. */
export function mistakes(
  counts: readonly (readonly number[])[],
  most: number,
): { truth: number; answer: number; count: number }[] {
  const all = counts.flatMap((line, truth) => line.map((count, answer) => ({ truth, answer, count })));
  const wrong = all.filter(({ truth, answer, count }) => truth !== answer && count > 0);
  return wrong.sort((a, b) => b.count - a.count).slice(0, most);
}
