import { describe, expect, it } from 'vitest';
import { regions } from './regions';

/** A picture with the first line at the top, as it is seen. */
const map = (...lines: string[]) => new Float32Array(lines.reverse().flatMap((line) => [...line].map(Number)));

describe('regions of a map', () => {
  it('are named where they are roomiest, each apart', () => {
    const quarters = map('000111', '000111', '000111', '111000', '111000', '111000');
    const found = regions(quarters, 6, 2);
    expect(found).toHaveLength(4);
    expect(found.filter(({ answer }) => answer === 0).map(({ x, y }) => [x, y])).toEqual(expect.arrayContaining([[1.5, 4.5], [4.5, 1.5]]));
    expect(found.every(({ room }) => room === 2)).toBe(true);
  });

  it('that are long are named in their middle', () => {
    const [band] = regions(map('1111111', '0000000', '0000000', '0000000', '1111111', '1111111', '1111111'), 7, 2).filter(({ answer }) => answer === 0);
    expect(band).toMatchObject({ x: 3.5, y: 4.5, room: 2 });
  });

  it('that are too narrow for a word have none', () => {
    expect(regions(map('010', '010', '010'), 3, 2)).toEqual([]);
    expect(regions(map('000', '000', '000'), 3, 2)).toEqual([{ answer: 0, x: 1.5, y: 1.5, cell: 4, room: 2 }]);
  });
});
