import { describe, expect, it } from 'vitest';
import { chartText, drawChart, stretches, thin, type LossPoint } from './curve';

const box = { left: 40, top: 10, right: 440, bottom: 110 };

function run(restart: number, epochs: number, loss = (epoch: number) => 1 / (epoch + 1)): LossPoint[] {
  return Array.from({ length: epochs }, (_, index) => ({
    restart,
    epoch: index + 1,
    train: loss(index + 1),
    valid: loss(index + 1) + 0.1,
  }));
}

describe('thin', () => {
  const wave = Array.from({ length: 10_000 }, (_, x) => ({ x, y: Math.sin(x / 9) }));
  wave[1234] = { x: 1234, y: 50 };
  wave[7777] = { x: 7777, y: -50 };

  it('keeps first, last and extremes and the order', () => {
    const kept = thin(wave, 100);
    expect(kept.length).toBeLessThanOrEqual(4 * 101);
    expect(kept[0]).toEqual(wave[0]);
    expect(kept.at(-1)).toEqual(wave.at(-1));
    expect(kept).toContainEqual({ x: 1234, y: 50 });
    expect(kept).toContainEqual({ x: 7777, y: -50 });
    kept.slice(1).forEach((point, index) => expect(point.x).toBeGreaterThan(kept[index]!.x));
  });

  it('leaves a short line as it is', () => {
    const short = wave.slice(0, 300);
    expect(thin(short, 100)).toEqual(short);
    expect(thin([], 100)).toEqual([]);
  });

  it('copes with points that share one place', () => {
    const column = Array.from({ length: 50 }, (_, index) => ({ x: 3, y: index }));
    expect(thin(column, 2)).toEqual([{ x: 3, y: 0 }, { x: 3, y: 49 }]);
  });
});

describe('stretches', () => {
  it('lays restarts one after another', () => {
    const parts = stretches([...run(1, 3), ...run(2, 2)]);
    expect(parts.map((part) => part.offset)).toEqual([0, 3]);
    expect(parts[1]!.train.map((point) => point.x)).toEqual([4, 5]);
  });

  it('leaves out losses that are not numbers', () => {
    const parts = stretches([{ restart: 1, epoch: 1, train: NaN, valid: Infinity }]);
    expect(parts[0]!.train).toEqual([]);
    expect(parts[0]!.valid).toEqual([]);
  });
});

describe('drawChart', () => {
  it('draws nothing without points', () => {
    expect(drawChart([], box, null, null)).toBeNull();
    expect(drawChart([{ restart: 1, epoch: 1, train: NaN, valid: NaN }], box, 1, 1)).toBeNull();
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
    const chart = drawChart(run(1, 10).map((point) => ({ ...point, valid: NaN })), box, 3, 1)!;
    expect(chart.valid).toEqual([]);
    expect(chart.best).toBeNull();
  });

  it('survives one point and a constant loss', () => {
    for (const points of [run(1, 1), run(1, 5, () => 0)]) {
      const chart = drawChart(points, box, 1, 1)!;
      expect(chart.train[0]).toMatch(/^M[\d.]+,[\d.]+/);
      expect(chart.train[0]).not.toContain('NaN');
    }
  });
});

it('says in words what the chart shows', () => {
  expect(chartText([], null, null)).toBe('No training yet.');
  expect(chartText(run(1, 4), 4, 1)).toBe(
    'Epoch 4: training loss 0.2, validation loss 0.3. Least validation loss 0.3 at epoch 4.',
  );
  expect(chartText([...run(1, 4), ...run(2, 3)], 4, 1)).toContain('at restart 1, epoch 4');
});
