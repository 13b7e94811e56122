import { describe, expect, it } from 'vitest';
import { MAX_STEPS, SLICE_MS, nextSteps } from './slices';

describe('the length of a slice', () => {
  it('settles at the target whatever a step costs', () => {
    for (const cost of [0.002, 0.3, 5, 40]) {
      let steps = 1;
      for (let slice = 0; slice < 20; slice++) steps = nextSteps(steps, steps * cost);
      const expected = Math.max(1, Math.round(SLICE_MS / cost));
      expect(Math.abs(steps - expected), `a step of ${cost} ms`).toBeLessThanOrEqual(1);
    }
  });

  it('never falls below one step, so that the training goes on', () => {
    expect(nextSteps(1, 10_000)).toBe(1);
  });

  it('grows at most fourfold, since the first slices are slow and the clock is coarse', () => {
    expect(nextSteps(10, 0)).toBe(40);
    expect(nextSteps(10, 0.001)).toBe(40);
  });

  it('has an end, even when the clock never moves', () => {
    let steps = 1;
    for (let slice = 0; slice < 50; slice++) steps = nextSteps(steps, 0);
    expect(steps).toBe(MAX_STEPS);
  });
});
