// Viewing a drawing through a frame: zoom, pan, fit, and scrolling a box into view.

/** Maps a point of the drawing to `x · k + dx`. */
export interface Viewport {
  k: number;
  dx: number;
  dy: number;
}

export interface Extent {
  width: number;
  height: number;
}

export const MOST_ZOOM = 3;
export const LEAST_ZOOM = 0.1;
export const ZOOM_STEP = 1.3;

/** The whole drawing in the middle of the frame, never enlarged. */
export function fit(drawing: Extent, frame: Extent): Viewport {
  const k = Math.min(1, frame.width / Math.max(1, drawing.width), frame.height / Math.max(1, drawing.height));
  return { k, dx: (frame.width - drawing.width * k) / 2, dy: 0 };
}

/** Zooms by `factor` around a point of the frame. */
export function zoomAround(view: Viewport, factor: number, x: number, y: number): Viewport {
  const k = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, view.k * factor));
  const share = k / view.k;
  return { k, dx: x - (x - view.dx) * share, dy: y - (y - view.dy) * share };
}

/** The positions of two fingers in the frame. */
export type Pinch = readonly [{ x: number; y: number }, { x: number; y: number }];

/**
 * Keeps the points under two fingers under them: zooms by how far the fingers move apart, around the midpoint
 * between them, and moves along with it.
 */
export function pinched(view: Viewport, before: Pinch, now: Pinch): Viewport {
  const apart = ([a, b]: Pinch) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  const middle = ([a, b]: Pinch) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const [from, to] = [middle(before), middle(now)];
  const zoomed = zoomAround(view, apart(now) / apart(before), from.x, from.y);
  return { k: zoomed.k, dx: zoomed.dx + to.x - from.x, dy: zoomed.dy + to.y - from.y };
}

/** Keeps part of the drawing in the frame, however far it is dragged. */
export function held(view: Viewport, drawing: Extent, frame: Extent): Viewport {
  const [width, height] = [drawing.width * view.k, drawing.height * view.k];
  const keep = Math.min(80, frame.width / 2);
  return {
    k: view.k,
    dx: Math.min(frame.width - keep, Math.max(keep - width, view.dx)),
    dy: Math.min(frame.height - keep, Math.max(keep - height, view.dy)),
  };
}

/**
 * The smallest move that brings a box into the frame with a margin; the same viewport if it is already there.
 */
export function reveal(
  view: Viewport,
  box: { x: number; y: number } & Extent,
  frame: Extent,
  margin = 12,
): Viewport {
  const shift = (low: number, high: number, room: number) => {
    if (low < margin) return margin - low;
    return high > room - margin ? Math.max(margin - low, room - margin - high) : 0;
  };
  const [left, top] = [box.x * view.k + view.dx, box.y * view.k + view.dy];
  const x = shift(left, left + box.width * view.k, frame.width);
  const y = shift(top, top + box.height * view.k, frame.height);
  return x === 0 && y === 0 ? view : { k: view.k, dx: view.dx + x, dy: view.dy + y };
}
