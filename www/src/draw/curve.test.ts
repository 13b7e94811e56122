import { describe, expect, it } from 'vitest';
import type { LossPoint } from '../messages';
import { drawChart, spaced, stretches, thin } from './curve';

const box = { left: 40, top: 10, right: 440, bottom: 110 };

function run(restart: number, epochs: number, loss = (epoch: number) => 1 / (epoch + 1)): LossPoint[] {
  return Array.from({ length: epochs }, (_, index) => ({
    restart,
    epoch: index + 1,
    train: loss(index + 1),
    valid: loss(index + 1) + 0.1,
    hard: NaN,
  }));
}

/** A curve of one restart through the given losses, from epoch 0. */
function through(losses: number[]) {
  const points = losses.map((train, epoch) => ({ restart: 1, epoch, train, valid: NaN, hard: NaN }));
  const [stretch] = stretches(points);
  return { points, stretch: stretch! };
}

describe('thin', () => {
  const losses = Array.from({ length: 10_000 }, (_, epoch) => Math.sin(epoch / 9));
  losses[1234] = 50;
  losses[7777] = -50;
  const { points, stretch } = through(losses);

  it('keeps first, last and extremes and the order', () => {
    const kept = thin(points, stretch, 'train', 100);
    expect(kept.length).toBeLessThanOrEqual(4 * 100);
    expect(kept[0]).toEqual({ x: 0, y: losses[0] });
    expect(kept.at(-1)).toEqual({ x: 9999, y: losses[9999] });
    expect(kept).toContainEqual({ x: 1234, y: 50 });
    expect(kept).toContainEqual({ x: 7777, y: -50 });
    kept.slice(1).forEach((point, index) => expect(point.x).toBeGreaterThan(kept[index]!.x));
  });

  it('keeps first, least, greatest and last of every column', () => {
    const kept = thin(points, stretch, 'train', 100);
    for (let column = 0; column < 100; column += 1) {
      const all = losses.slice(100 * column, 100 * column + 100);
      const here = kept.filter(({ x }) => Math.floor(x / 100) === column);
      expect(Math.min(...here.map(({ y }) => y))).toBe(Math.min(...all));
      expect(Math.max(...here.map(({ y }) => y))).toBe(Math.max(...all));
      expect(here[0]).toEqual({ x: 100 * column, y: all[0] });
      expect(here.at(-1)).toEqual({ x: 100 * column + 99, y: all[99] });
    }
  });

  it('leaves a line with an epoch per column as it is', () => {
    const short = through([3, 1, 2]);
    expect(thin(short.points, short.stretch, 'train', 1)).toEqual([
      { x: 0, y: 3 },
      { x: 1, y: 1 },
      { x: 2, y: 2 },
    ]);
  });

  it('leaves out losses that are not finite', () => {
    const broken = through([1, NaN, Infinity, 2]);
    expect(thin(broken.points, broken.stretch, 'train', 1).map(({ x }) => x)).toEqual([0, 3]);
    expect(thin(broken.points, broken.stretch, 'valid', 1)).toEqual([]);
  });
});

describe('stretches', () => {
  it('lays restarts one after another', () => {
    const points = [...run(1, 3), ...run(2, 2)];
    const parts = stretches(points);
    expect(parts).toEqual([
      { restart: 1, offset: 0, from: 0, to: 3 },
      { restart: 2, offset: 3, from: 3, to: 5 },
    ]);
    expect(thin(points, parts[1]!, 'train', 1).map((point) => point.x)).toEqual([4, 5]);
  });
});

describe('drawChart', () => {
  it('draws nothing without points', () => {
    expect(drawChart([], box, null, null)).toBeNull();
    expect(drawChart([{ restart: 1, epoch: 1, train: NaN, valid: NaN, hard: NaN }], box, 1, 1)).toBeNull();
  });

  it('draws both lines inside the box', () => {
    const chart = drawChart(run(1, 5000), box, 5000, 1)!;
    expect(chart.train).toHaveLength(1);
    expect(chart.valid).toHaveLength(1);
    for (const d of [...chart.train, ...chart.valid]) {
      const numbers = d.match(/-?[\d.]+,-?[\d.]+/g)!.map((pair) => pair.split(',').map(Number));
      expect(numbers.length).toBeLessThanOrEqual(4 * 401);
      for (const [x, y] of numbers) {
        expect(x).toBeGreaterThanOrEqual(box.left);
        expect(x).toBeLessThanOrEqual(box.right);
        expect(y).toBeGreaterThanOrEqual(box.top);
        expect(y).toBeLessThanOrEqual(box.bottom);
      }
    }
    expect(chart.best!.x).toBeCloseTo(box.right, 6);
    expect(chart.xTicks.length).toBeGreaterThan(2);
    expect(chart.yTicks.length).toBeGreaterThan(1);
  });

  it('separates restarts and marks the best in its own', () => {
    const chart = drawChart([...run(1, 10), ...run(2, 10)], box, 4, 2)!;
    expect(chart.separators).toEqual([240]);
    expect(chart.best!.x).toBeCloseTo(40 + (14 / 20) * 400, 6);
    expect(chart.restarts.map(({ restart }) => restart)).toEqual([1, 2]);
    expect(chart.xTicks).toEqual([]);
  });

  it('has no validation line without validation rows', () => {
    const chart = drawChart(
      run(1, 10).map((point) => ({ ...point, valid: NaN })),
      box,
      3,
      1,
    )!;
    expect(chart.valid).toEqual([]);
    expect(chart.best).toBeNull();
  });

  it('draws the soft and the hard loss of one tree, the gap between them, and the best on the hard line', () => {
    const points = run(1, 10).map((point) => ({ ...point, valid: NaN, hard: point.train + 0.2 }));
    const chart = drawChart(points, box, 3, 1)!;
    expect([chart.hard.length, chart.gaps.length]).toEqual([1, 1]);
    // Forward along the hard line and back along the soft one.
    expect(chart.gaps[0]!.startsWith(chart.hard[0]!)).toBe(true);
    expect(chart.gaps[0]!.split('L')).toHaveLength(
      chart.hard[0]!.split('L').length + chart.train[0]!.split('L').length,
    );
    expect(chart.best!.loss).toBeCloseTo(0.45, 6);
    expect(drawChart(run(1, 10), box, 3, 1)!.gaps).toEqual([]);
  });

  it('begins a new stretch where a last stage counts its epochs anew', () => {
    const chart = drawChart([...run(1, 10), ...run(2, 6), ...run(2, 4)], box, 3, 1)!;
    expect(chart.restarts.map(({ restart }) => restart)).toEqual([1, 2, 2]);
    expect(chart.train).toHaveLength(3);
  });

  it('gives losses that cannot be compared an axis of their own', () => {
    const points = [...run(1, 10, () => 5), ...run(2, 10)];
    const apart = drawChart(points, box, 4, 2, (restart) => (restart === 1 ? 0 : 1))!;
    const alone = drawChart(run(2, 10), box, 4, 2)!;
    // The second one has the scale that it has alone, and the lines at its ticks end where it does.
    expect(apart.rightTicks).toEqual(alone.yTicks);
    expect(apart.best!.y).toBeCloseTo(alone.best!.y, 6);
    expect(apart.yTicks.length).toBeGreaterThan(0);
    expect(apart.grid.every(({ from, to }) => from >= 240 || to <= 240)).toBe(true);
    expect(drawChart(points, box, 4, 2)!.rightTicks).toEqual([]);
    expect(drawChart(run(2, 10), box, 4, 2, () => 1)!.yTicks).toEqual(alone.yTicks);
  });

  it('survives one point and a constant loss', () => {
    for (const points of [run(1, 1), run(1, 5, () => 0)]) {
      const chart = drawChart(points, box, 1, 1)!;
      expect(chart.train[0]).toMatch(/^M[\d.]+,[\d.]+/);
      expect(chart.train[0]).not.toContain('NaN');
    }
  });
});

describe('labels below the axis', () => {
  it('never stand closer than their room, whatever the widths of the restarts', () => {
    const at = [10, 40, 90, 95, 180];
    expect(
      spaced(
        at.map((at) => ({ at })),
        74,
      ).map((label) => label.at),
    ).toEqual([10, 90, 180]);
    expect(spaced([], 74)).toEqual([]);
  });
});
