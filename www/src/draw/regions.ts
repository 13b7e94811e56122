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
      const visit = (next: number) => {
        if (seen[next] !== 0 || answers[next] !== answer) return;
        seen[next] = 1;
        waiting.push(next);
      };
      // Above and below what lies outside was never seen, nor has it an answer.
      visit(at - side);
      visit(at + side);
      if (at % side > 0) visit(at - 1);
      if (at % side < side - 1) visit(at + 1);
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

/** For each cell how many steps, straight or slanting, lead to another answer or over the edge. Without an allocation: a film asks at every frame. */
function roomOf(answers: Float32Array, side: number): Uint16Array {
  const room = new Uint16Array(answers.length).fill(side);
  const beyond = (x: number, y: number, answer: number) => {
    const next = y * side + x;
    return x >= 0 && x < side && y >= 0 && y < side && answers[next] === answer ? room[next]! + 1 : 1;
  };
  /** Looks at the four cells before this one (`way` −1) or behind it (1). */
  const pass = (at: number, way: number) => {
    const [x, y, answer] = [at % side, Math.floor(at / side), answers[at]!];
    const beside = Math.min(beyond(x + way, y, answer), beyond(x, y + way, answer));
    room[at] = Math.min(room[at]!, beside, beyond(x - way, y + way, answer), beyond(x + way, y + way, answer));
  };
  for (let at = 0; at < answers.length; at += 1) pass(at, -1);
  for (let at = answers.length - 1; at >= 0; at -= 1) pass(at, 1);
  return room;
}
