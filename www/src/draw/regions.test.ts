import { describe, expect, it } from 'vitest';
import { regions } from './regions';

/** A picture with the first line at the top, as it is seen. */
const map = (...lines: string[]) =>
  new Float32Array(lines.reverse().flatMap((line) => [...line].map(Number)));

describe('regions of a map', () => {
  it('are named where they are roomiest, each apart', () => {
    const quarters = map('000111', '000111', '000111', '111000', '111000', '111000');
    const found = regions(quarters, 6, 2);
    expect(found).toHaveLength(4);
    expect(found.filter(({ answer }) => answer === 0).map(({ x, y }) => [x, y])).toEqual(
      expect.arrayContaining([
        [1.5, 4.5],
        [4.5, 1.5],
      ]),
    );
    expect(found.every(({ room }) => room === 2)).toBe(true);
  });

  it('that are long are named in their middle', () => {
    const [band] = regions(
      map('1111111', '0000000', '0000000', '0000000', '1111111', '1111111', '1111111'),
      7,
      2,
    ).filter(({ answer }) => answer === 0);
    expect(band).toMatchObject({ x: 3.5, y: 4.5, room: 2 });
  });

  it('that are too narrow for a word have none', () => {
    expect(regions(map('010', '010', '010'), 3, 2)).toEqual([]);
    expect(regions(map('000', '000', '000'), 3, 2)).toEqual([
      { answer: 0, x: 1.5, y: 1.5, cell: 4, room: 2 },
    ]);
  });

  it('have as much room as the farthest cell from any other answer, on maps of all kinds', () => {
    let state = 1;
    const next = (below: number) =>
      Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * below);
    for (let round = 0; round < 60; round += 1) {
      const side = 1 + next(14);
      const [cut, across] = [next(side), next(side)];
      const answers = Float32Array.from(
        { length: side * side },
        (_, at) => (at % side < cut ? 1 : 0) + (at / side < across ? 2 : 0) + (next(40) === 0 ? 1 : 0),
      );
      // Slowly: every cell against every place of another answer, those around the map included.
      const room = (cell: number) => {
        let least = Infinity;
        for (let y = -1; y <= side; y += 1) {
          for (let x = -1; x <= side; x += 1) {
            const inside = x >= 0 && x < side && y >= 0 && y < side;
            if (inside && answers[y * side + x] === answers[cell]) continue;
            least = Math.min(
              least,
              Math.max(Math.abs(x - (cell % side)), Math.abs(y - Math.floor(cell / side))),
            );
          }
        }
        return least;
      };
      for (const found of regions(answers, side, 1)) expect(room(found.cell)).toBe(found.room);
      const most = Math.max(...Array.from(answers, (_, cell) => room(cell)));
      expect(Math.max(...regions(answers, side, 1).map((region) => region.room))).toBe(most);
    }
  });
});
