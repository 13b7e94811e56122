/** Mistakes of a tree: which class it answers for rows of which. */
import { forRows, type Part, type Side } from './judged';

/** Rows of the file's class by the tree's answer: `[truth][answer]`. */
export function confusion(rows: Float32Array, part: Part, classes: number, side: Side): number[][] {
  const counts = Array.from({ length: classes }, () => new Array<number>(classes).fill(0));
  forRows(rows, part, (truth, _cartLeaf, _gradientLeaf, cart, gradient) => (counts[truth]![side === 'cart' ? cart : gradient]! += 1));
  return counts;
}

/** The most frequent mistakes, the most frequent first. */
export function mistakes(counts: readonly (readonly number[])[], most: number): { truth: number; answer: number; count: number }[] {
  const all = counts.flatMap((line, truth) => line.map((count, answer) => ({ truth, answer, count })));
  const wrong = all.filter(({ truth, answer, count }) => truth !== answer && count > 0);
  return wrong.sort((a, b) => b.count - a.count).slice(0, most);
}
