import { describe, expect, it } from 'vitest';
import { MOST_ZOOM, fit, held, pinched, reveal, zoomAround } from './viewport';

const drawing = { width: 1000, height: 400 };
const frame = { width: 500, height: 300 };

describe('two fingers', () => {
  const view = { k: 1, dx: 10, dy: 20 };
  const place = ({ k, dx, dy }: typeof view, x: number, y: number) => [x * k + dx, y * k + dy];
  it('keep hold of what is under them', () => {
    // Over the drawing's points (90, 80) and (190, 80).
    const now = pinched(
      view,
      [
        { x: 100, y: 100 },
        { x: 200, y: 100 },
      ],
      [
        { x: 80, y: 130 },
        { x: 280, y: 130 },
      ],
    );
    expect(now.k).toBe(2);
    expect(place(now, 90, 80)).toEqual([80, 130]);
    expect(place(now, 190, 80)).toEqual([280, 130]);
  });

  it('at one place change nothing, and never zoom without end', () => {
    const same = [
      { x: 5, y: 5 },
      { x: 5, y: 5 },
    ] as const;
    expect(pinched(view, same, same)).toEqual(view);
    expect(
      pinched(view, same, [
        { x: 0, y: 0 },
        { x: 9000, y: 0 },
      ]).k,
    ).toBe(MOST_ZOOM);
  });
});

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
