// The plane of two columns: each tree's prediction in each of its cells, and the rows there.

export interface PlaneMap {
  x: readonly [number, number];
  y: readonly [number, number];
  side: number;
  /** Predictions line by line from the smallest y. */
  cart: Float32Array;
  gradient: Float32Array;
  /** x, y and outcome of some rows. */
  points: Float32Array;
}

/** Reads the engine's numbers. */
export function planeMap(numbers: Float32Array, side: number): PlaneMap {
  const cells = side * side;
  const [x0 = 0, x1 = 1, y0 = 0, y1 = 1] = numbers;
  return {
    x: [x0, x1],
    y: [y0, y1],
    side,
    cart: numbers.subarray(4, 4 + cells),
    gradient: numbers.subarray(4 + cells, 4 + 2 * cells),
    points: numbers.subarray(4 + 2 * cells),
  };
}

/** The newer map, reusing unchanged parts of the older one, so that they need not be drawn again. */
export function unchanged(before: PlaneMap | null, now: PlaneMap): PlaneMap {
  if (before === null || before.side !== now.side) return now;
  const keep = <Numbers extends ArrayLike<number>>(old: Numbers, fresh: Numbers): Numbers =>
    alike(old, fresh) ? old : fresh;
  return {
    ...now,
    x: keep(before.x, now.x),
    y: keep(before.y, now.y),
    cart: keep(before.cart, now.cart),
    gradient: keep(before.gradient, now.gradient),
    points: keep(before.points, now.points),
  };
}

/** Whether numbers are equal; missing numbers count as equal. */
function alike(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (!Object.is(a[at], b[at])) return false;
  return true;
}

/**
 * Runs of cells with one prediction along each line, as rectangles of `width` × `height` pixels, the smallest
 * y at the bottom.
 */
export function planeRuns(
  answers: Float32Array,
  side: number,
  width: number,
  height: number,
): { answer: number; d: string }[] {
  const paths = new Map<number, string>();
  const [w, h] = [width / side, height / side];
  for (let line = 0; line < side; line += 1) {
    const top = height - (line + 1) * h;
    let from = 0;
    for (let at = 1; at <= side; at += 1) {
      const answer = answers[line * side + from]!;
      if (at < side && answers[line * side + at] === answer) continue;
      // Half a pixel of overlap, so that no seam shows between lines.
      const d = `M${fixed(from * w)},${fixed(top - 0.3)}H${fixed(at * w)}V${fixed(top + h)}H${fixed(from * w)}Z`;
      paths.set(answer, (paths.get(answer) ?? '') + d);
      from = at;
    }
  }
  return [...paths].map(([answer, d]) => ({ answer, d }));
}

/** The borders between cells with different predictions, as one path. */
export function planeBorders(answers: Float32Array, side: number, width: number, height: number): string {
  const [w, h] = [width / side, height / side];
  let d = '';
  for (let line = 0; line < side; line += 1) {
    for (let at = 0; at < side; at += 1) {
      const here = answers[line * side + at];
      const [x, y] = [at * w, height - line * h];
      if (at + 1 < side && answers[line * side + at + 1] !== here)
        d += `M${fixed(x + w)},${fixed(y - h)}V${fixed(y)}`;
      if (line + 1 < side && answers[(line + 1) * side + at] !== here)
        d += `M${fixed(x)},${fixed(y - h)}H${fixed(x + w)}`;
    }
  }
  return d;
}

function fixed(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The predictions and their shares of the map, the largest first. */
export function answerShares(answers: Float32Array): { answer: number; share: number }[] {
  const counts = new Map<number, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts]
    .map(([answer, count]) => ({ answer, share: count / answers.length }))
    .sort((a, b) => b.share - a.share);
}

/** The offset of a row within its band of width one: always the same, between −0.35 and 0.35. */
export function jitter(row: number): number {
  const scattered = Math.sin(row * 12.9898 + 78.233) * 43758.5453;
  return (scattered - Math.floor(scattered) - 0.5) * 0.7;
}
