import { expect, it } from 'vitest';
import { downwards, throughPoints } from './path';

it('goes through points in their order, rounded', () => {
  expect(
    throughPoints(
      [
        { x: 1.239, y: 2 },
        { x: -3.5, y: 0.001 },
        { x: 7, y: 8 },
      ],
      2,
    ),
  ).toBe('M1.24,2L-3.5,0L7,8');
  expect(throughPoints([{ x: 1, y: 2 }], 1)).toBe('M1,2Z');
  expect(throughPoints([], 1)).toBe('');
});

it('leaves and arrives upright', () => {
  expect(downwards({ x: 10.04, y: 20 }, { x: 40, y: 60 }, 1)).toBe('M10,20C10,40,40,40,40,60');
});
