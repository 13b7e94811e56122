// Where text can be written on a map: the place with the most room in every region of one prediction.

export interface Region {
  answer: number;
  /** Cells from the left and from the bottom, to the middle of that place. */
  x: number;
  y: number;
  /** The cell of that place. */
  cell: number;
  /** Cells from there to the nearest border, at least 1. */
  room: number;
}

/**
 * Every connected region with room for `least` cells around its best place. Predictions are line by line from
 * the bottom.
 */
export function regions(answers: Float32Array, side: number, least: number): Region[] {
  const room = roomOf(answers, side);
  const seen = new Uint8Array(answers.length);
  const waiting = new Int32Array(answers.length);
  const found: Region[] = [];
  for (let start = 0; start < answers.length; start += 1) {
    if (seen[start]) continue;
    const answer = answers[start]!;
    let roomiest = 0;
    // A long region has many places with equal room; the one nearest to their middle is taken.
    let best: number[] = [];
    let left = 1;
    waiting[0] = start;
    seen[start] = 1;
    const visit = (next: number) => {
      if (seen[next] !== 0 || answers[next] !== answer) return;
      seen[next] = 1;
      waiting[left] = next;
      left += 1;
    };
    while (left > 0) {
      left -= 1;
      const at = waiting[left]!;
      const here = room[at]!;
      if (here > roomiest) {
        roomiest = here;
        best = [];
      }
      if (here === roomiest) best.push(at);
      const column = at % side;
      // Cells above and below the map are outside the array and have no prediction.
      visit(at - side);
      visit(at + side);
      if (column > 0) visit(at - 1);
      if (column < side - 1) visit(at + 1);
    }
    if (roomiest >= least) found.push({ answer, ...middle(best, side), room: roomiest });
  }
  return found;
}

/** The cell nearest to the mean of several. */
function middle(cells: readonly number[], side: number): { x: number; y: number; cell: number } {
  const place = (cell: number) => ({ x: (cell % side) + 0.5, y: Math.floor(cell / side) + 0.5, cell });
  const places = cells.map(place);
  const mean = (of: (place: { x: number; y: number }) => number) =>
    places.reduce((sum, one) => sum + of(one), 0) / places.length;
  const [x, y] = [mean((one) => one.x), mean((one) => one.y)];
  const off = (one: { x: number; y: number }) => (one.x - x) ** 2 + (one.y - y) ** 2;
  return places.reduce((nearest, one) => (off(one) < off(nearest) ? one : nearest));
}

/**
 * For each cell, how many steps, straight or diagonal, lead to another prediction or over the edge. It does
 * not allocate: a film calls it in every frame.
 */
function roomOf(answers: Float32Array, side: number): Uint16Array {
  const room = new Uint16Array(answers.length).fill(side);
  /** Visits the four cells before this one (`way` −1) or after it (1). */
  const pass = (at: number, column: number, way: number) => {
    const answer = answers[at]!;
    const before = at + way * side;
    let least = room[at]!;
    // Above and below the map there are no cells, but to the left and right the array continues with another
    // line.
    const look = (next: number) => {
      const steps = answers[next] === answer ? room[next]! + 1 : 1;
      if (steps < least) least = steps;
    };
    if (column === 0 || column === side - 1) least = 1;
    else {
      look(at + way);
      look(before);
      look(before - way);
      look(before + way);
    }
    room[at] = least;
  };
  for (let at = 0, column = 0; at < answers.length; at += 1) {
    pass(at, column, -1);
    column = column === side - 1 ? 0 : column + 1;
  }
  for (let at = answers.length - 1, column = side - 1; at >= 0; at -= 1) {
    pass(at, column, 1);
    column = column === 0 ? side - 1 : column - 1;
  }
  return room;
}
