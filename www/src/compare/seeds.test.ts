import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SeedRun } from './seeds';

const run = (seed: number, cart: number, gradient: number): SeedRun => ({
  seed,
  cart: { metrics: { test: { accuracy: cart }, train: { accuracy: 1 } }, leaves: 4, depth: 2 },
  gradient: { metrics: { test: { accuracy: gradient }, train: { accuracy: 0.5 } }, leaves: 3, depth: 2 },
});
const RUNS = [run(1, 0.5, 0.9), run(2, 0.8, 0.7), run(3, 0.6, 0.75), run(4, 0.7, 0.70001)];

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('several seeds', () => {
  // A reader whose language writes 0,9 must get the same counts.
  it.each(['en-GB', 'de-DE', 'fr-FR'])('are counted alike in %s', async (language) => {
    vi.stubGlobal('navigator', { language });
    vi.resetModules();
    const { tally } = await import('./seeds');
    expect(tally(RUNS, 'accuracy')).toEqual({ cart: 1, gradient: 2, tie: 1 });
  });

  it('have a mean and a spread on every part', async () => {
    const { spreadOf, spreadRows } = await import('./seeds');
    const [accuracy] = spreadRows(RUNS, 'test');
    expect(accuracy?.cart?.mean).toBeCloseTo(0.65);
    expect(accuracy?.cart?.deviation).toBeCloseTo(0.1291, 4);
    expect(spreadRows(RUNS, 'train')[0]?.gradient).toEqual({ mean: 0.5, deviation: 0 });
    expect(spreadRows(RUNS, 'valid')).toEqual([]);
    expect(spreadOf([3])).toEqual({ mean: 3, deviation: 0 });
    expect(spreadOf([])).toBeNull();
  });
});
