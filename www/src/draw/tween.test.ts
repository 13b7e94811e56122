import { expect, it } from 'vitest';
import { between, origins, rebased, samePoints } from './tween';

const shown = new Map([
  ['', { x: 100, y: 0 }],
  ['L', { x: 50, y: 100 }],
]);
const to = new Map([
  ['', { x: 200, y: 0 }],
  ['L', { x: 90, y: 100 }],
  ['LRL', { x: 20, y: 300 }],
]);

it('starts where a node was shown, and a new node at its place', () => {
  const from = origins(shown, to);
  expect(from.get('')).toEqual({ x: 100, y: 0 });
  expect(from.get('LRL')).toEqual({ x: 20, y: 300 });
  expect(between(from, to, 0.5).get('LRL')).toEqual({ x: 20, y: 300 });
});

it('leaves every node where it is in the frame when the drawing is laid out anew', () => {
  const [before, now] = [
    { k: 1, dx: 20, dy: 0 },
    { k: 0.8, dx: -6, dy: 10 },
  ];
  const points = rebased(shown, before, now);
  for (const [path, { x, y }] of shown) {
    const at = points.get(path)!;
    expect(at.x * now.k + now.dx).toBeCloseTo(x * before.k + before.dx, 9);
    expect(at.y * now.k + now.dy).toBeCloseTo(y * before.k + before.dy, 9);
  }
  expect(rebased(shown, before, { ...before })).toBe(shown);
});

it('moves from start to end without overshooting', () => {
  const from = origins(shown, to);
  expect(between(from, to, 0).get('')!.x).toBe(100);
  expect(between(from, to, 1)).toBe(to);
  expect(between(from, to, 7)).toBe(to);
  let before = 100;
  for (const t of [0.2, 0.5, 0.8, 0.99]) {
    const { x } = between(from, to, t).get('')!;
    expect(x).toBeGreaterThan(before);
    expect(x).toBeLessThan(200);
    before = x;
  }
});

it('knows when nothing has to move', () => {
  expect(samePoints(to, new Map(to))).toBe(true);
  expect(samePoints(shown, to)).toBe(false);
  expect(samePoints(new Map([...to, ['R', { x: 1, y: 1 }]]), to)).toBe(false);
  expect(samePoints(new Map([...to, ['L', { x: 1, y: 1 }]]), to)).toBe(false);
});
