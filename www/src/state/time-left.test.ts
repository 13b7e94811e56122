import { describe, expect, it } from 'vitest';
import { strings } from '../text/strings';
import { timeLeft, type Measured } from './time-left';

const measured = (changes: Partial<Measured>): Measured => ({
  share: 0,
  active: 0,
  finish: 0,
  budget: null,
  ...changes,
});
const said = (changes: Partial<Measured>) => strings.train.timeLeft(timeLeft(measured(changes), null));

describe('the time left', () => {
  it('is not said while nothing is known', () => {
    expect(timeLeft(measured({ active: 9000 }), null)).toBeNull();
    expect(timeLeft(measured({ share: 0.01, active: 9000 }), null)).toBeNull();
    expect(timeLeft(measured({ share: 0.5, active: 100 }), null)).toBeNull();
    expect(said({})).toBe('–');
  });

  it('is what remains of a budget while no rate is known', () => {
    expect(said({ active: 100, budget: 42_000 })).toBe('at most 42 s');
  });

  it('follows the measured rate', () => {
    expect(timeLeft(measured({ share: 0.25, active: 2000 }), null)).toMatchObject({
      kind: 'about',
      seconds: 6,
    });
    expect(timeLeft(measured({ share: 0.25, active: 2000, finish: 1000 }), null)?.seconds).toBe(7);
  });

  it('is never more than what remains of the budget', () => {
    // 5 % after 40 s would be 13 minutes more; 5 s of 45 remain.
    expect(said({ share: 0.05, active: 40_000, budget: 5000 })).toBe('at most 5 s');
    expect(said({ share: 0.05, active: 40_000 })).toBe('about 13 min');
    for (const share of [0, 0.01, 0.02, 0.3, 0.99, 1]) {
      for (const active of [0, 1000, 44_000]) {
        const budget = 45_000 - active;
        expect(timeLeft(measured({ share, active, budget }), null)!.seconds * 1000).toBeLessThanOrEqual(
          budget,
        );
      }
    }
    expect(timeLeft(measured({ share: 0.5, active: 50_000, budget: -20 }), null)).toMatchObject({
      kind: 'atMost',
      seconds: 0,
    });
  });

  it('promises no second that was not measured', () => {
    for (const share of [0.97, 0.999, 1]) expect(said({ share, active: 20_000 })).toBe('a few seconds');
  });

  it('counts down while the rate changes little, and says "about" when it rises', () => {
    const first = timeLeft(measured({ share: 0.25, active: 10_000 }), null)!;
    expect(first.seconds).toBe(30);
    const second = timeLeft(measured({ share: 0.27, active: 12_000 }), first)!;
    expect(second.seconds).toBe(28);
    const third = timeLeft(measured({ share: 0.27, active: 27_000 }), second)!;
    expect(third.kind).toBe('about');
    expect(third.seconds).toBeCloseTo(73);
  });
});
