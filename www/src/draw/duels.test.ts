import { describe, expect, it } from 'vitest';
import { duels } from './duels';

describe('two scores for each seed', () => {
  it('stand on one axis with round ends', () => {
    const { lines, ticks, height } = duels(
      [
        { seed: 1, cart: 0.52, gradient: 0.93 },
        { seed: 2, cart: 0.6, gradient: 0.7 },
      ],
      100,
    );
    expect(ticks[0]).toMatchObject({ x: 0 });
    expect(ticks.at(-1)!.x).toBeCloseTo(100);
    expect(lines).toHaveLength(2);
    expect(lines[0]!.cart).toBeGreaterThanOrEqual(0);
    expect(lines[0]!.gradient).toBeLessThanOrEqual(100);
    expect(lines[1]!.y).toBeGreaterThan(lines[0]!.y);
    expect(height).toBeGreaterThan(lines[1]!.y);
  });

  it('that are all alike stand in the middle, and those that are missing nowhere', () => {
    const { lines } = duels(
      [
        { seed: 1, cart: 1, gradient: 1 },
        { seed: 2, cart: NaN, gradient: 1 },
      ],
      100,
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]!.cart).toBeCloseTo(50);
    expect(duels([], 100)).toEqual({ height: 0, lines: [], ticks: [] });
  });
});
