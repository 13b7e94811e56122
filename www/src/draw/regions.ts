// Where words can be written on a map: the roomiest place of every region of one answer.

export interface Region {
  answer: number;
  /** Cells from the left and from the bottom, to the middle of the roomiest place. */
  x: number;
  y: number;
  /** Which cell that is. */
  cell: number;
  /** Cells from there to the nearest border, at least 1. */
  room: number;
}

/** Every connected region with room for `least` cells around its roomiest place. Answers line by line from the bottom. */
export function regions(answers: Float32Array, side: number, least: number): Region[] {
  const room = roomOf(answers, side);
  const seen = new Uint8Array(answers.length);
  const found: Region[] = [];
  for (let start = 0; start < answers.length; start += 1) {
    if (seen[start]) continue;
    const answer = answers[start]!;
    let roomiest = 0;
    // Of a long region many places are as roomy; the one nearest to the middle of these is taken.
    let best: number[] = [];
    const waiting = [start];
    seen[start] = 1;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (room[at]! > roomiest) [roomiest, best] = [room[at]!, []];
      if (room[at]! === roomiest) best.push(at);
      for (const next of neighbours(at, side)) {
        if (seen[next] || answers[next] !== answer) continue;
        seen[next] = 1;
        waiting.push(next);
      }
    }
    if (roomiest >= least) found.push({ answer, ...middle(best, side), room: roomiest });
  }
  return found;
}

/** The cell nearest to the mean of several. */
function middle(cells: readonly number[], side: number): { x: number; y: number; cell: number } {
  const place = (cell: number) => ({ x: (cell % side) + 0.5, y: Math.floor(cell / side) + 0.5, cell });
  const places = cells.map(place);
  const mean = (of: (place: { x: number; y: number }) => number) => places.reduce((sum, one) => sum + of(one), 0) / places.length;
  const [x, y] = [mean((one) => one.x), mean((one) => one.y)];
  const off = (one: { x: number; y: number }) => (one.x - x) ** 2 + (one.y - y) ** 2;
  return places.reduce((nearest, one) => (off(one) < off(nearest) ? one : nearest));
}

/** For each cell how many steps, straight or slanting, lead to another answer or over the edge. */
function roomOf(answers: Float32Array, side: number): Uint16Array {
  const room = new Uint16Array(answers.length).fill(side);
  const pass = (at: number, around: readonly (readonly [number, number])[]) => {
    const [x, y] = [at % side, Math.floor(at / side)];
    for (const [dx, dy] of around) {
      const [nx, ny] = [x + dx, y + dy];
      const next = ny * side + nx;
      const inside = nx >= 0 && nx < side && ny >= 0 && ny < side && answers[next] === answers[at];
      room[at] = Math.min(room[at]!, inside ? room[next]! + 1 : 1);
    }
  };
  const before = [[-1, 0], [-1, -1], [0, -1], [1, -1]] as const;
  const after = before.map(([dx, dy]) => [-dx, -dy] as const);
  for (let at = 0; at < answers.length; at += 1) pass(at, before);
  for (let at = answers.length - 1; at >= 0; at -= 1) pass(at, after);
  return room;
}

function neighbours(at: number, side: number): number[] {
  const x = at % side;
  const next = [at - side, at + side];
  if (x > 0) next.push(at - 1);
  if (x < side - 1) next.push(at + 1);
  return next.filter((cell) => cell >= 0 && cell < side * side);
}
