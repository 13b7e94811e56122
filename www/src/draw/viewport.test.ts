import { describe, expect, it } from 'vitest';
import { MOST_ZOOM, fit, held, reveal, zoomAround } from './viewport';

const drawing = { width: 1000, height: 400 };
const frame = { width: 500, height: 300 };

describe('a viewport', () => {
  it('fits a wide drawing and leaves a small one as it is, in the middle', () => {
    expect(fit(drawing, { width: 500, height: Infinity })).toEqual({ k: 0.5, dx: 0, dy: 0 });
    expect(fit({ width: 100, height: 100 }, frame)).toEqual({ k: 1, dx: 200, dy: 0 });
  });

  it('zooms around a point, which stays where it is', () => {
    const view = zoomAround({ k: 1, dx: 10, dy: 20 }, 2, 110, 70);
    expect(view).toEqual({ k: 2, dx: -90, dy: -30 });
    expect(zoomAround(view, 100, 0, 0).k).toBe(MOST_ZOOM);
  });

  it('never loses the drawing', () => {
    const far = held({ k: 1, dx: -5000, dy: 9000 }, drawing, frame);
    expect(far.dx + drawing.width).toBeGreaterThan(0);
    expect(far.dy).toBeLessThan(frame.height);
  });

  it('moves as little as needed to show a box', () => {
    const view = { k: 1, dx: 0, dy: 0 };
    expect(reveal(view, { x: 100, y: 50, width: 80, height: 40 }, frame)).toBe(view);
    expect(reveal(view, { x: 600, y: 50, width: 80, height: 40 }, frame).dx).toBe(-192);
    expect(reveal({ k: 1, dx: -400, dy: 0 }, { x: 100, y: 50, width: 80, height: 40 }, frame).dx).toBe(-88);
  });
});
