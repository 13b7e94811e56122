// Moves marks from their shown to their target positions.

import type { Point, TreeLayout } from './tree';
import type { Viewport } from './viewport';

/** How long a move takes, in milliseconds. */
export const TWEEN_MS = 150;

export type Points = ReadonlyMap<string, Point>;

/** The target position of every node of a layout, by path. */
export function targets(layout: TreeLayout): Points {
  return new Map(layout.nodes.map(({ node, x, y }) => [node.path, { x, y }]));
}

/** Where a move starts: a node that was shown starts where it was, a new one appears at its target. */
export function origins(shown: Points, to: Points): Points {
  return new Map([...to].map(([path, place]) => [path, shown.get(path) ?? place]));
}

/**
 * The same positions in the frame, seen through another viewport. A layout is measured from its own left
 * edge. When it becomes wider or is drawn smaller, a node that stays would otherwise jump, or be cut off at
 * the edge, until the move ends.
 */
export function rebased(points: Points, before: Viewport, now: Viewport): Points {
  if (before.k === now.k && before.dx === now.dx && before.dy === now.dy) return points;
  const moved = new Map<string, Point>();
  for (const [path, { x, y }] of points) {
    moved.set(path, {
      x: (x * before.k + before.dx - now.dx) / now.k,
      y: (y * before.k + before.dy - now.dy) / now.k,
    });
  }
  return moved;
}

/** The points at a share `t` (0 to 1) of the way, slowing down towards the end. */
export function between(from: Points, to: Points, t: number): Points {
  const clamped = Math.min(1, Math.max(0, t));
  if (clamped === 1) return to;
  const eased = 1 - (1 - clamped) ** 3;
  const points = new Map<string, Point>();
  for (const [path, end] of to) {
    const start = from.get(path) ?? end;
    points.set(path, {
      x: start.x + (end.x - start.x) * eased,
      y: start.y + (end.y - start.y) * eased,
    });
  }
  return points;
}

/** Whether everything is already at its target. */
export function samePoints(shown: Points, to: Points): boolean {
  if (shown.size !== to.size) return false;
  for (const [path, { x, y }] of to) {
    const point = shown.get(path);
    if (point === undefined || point.x !== x || point.y !== y) return false;
  }
  return true;
}
