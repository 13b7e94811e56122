/**
 * How long a training will still take, as far as anything is known about it: from the share of the work that is done, the time that took,
 * and the budget. A pure function of these and of what was said before.
 */

/** What is known about the time left. */
export interface TimeLeft {
  /** `atMost` is what remains of the budget; `about` comes from the measured rate and may rise. */
  kind: 'about' | 'atMost';
  seconds: number;
  /** When the training was expected to end by the measured rate, in milliseconds of training; null while no rate is known. */
  end: number | null;
}

/** What an estimate is made from. Times are in milliseconds. */
export interface Measured {
  /** Share of the work that is surely done, 0 to 1, after `active`. */
  share: number;
  /** Time spent training, without pauses. */
  active: number;
  /** Time that follows the last step: scores and drawing. */
  finish: number;
  /** What remains of the budget; null without one. */
  budget: number | null;
}

/** An estimate needs this share of the work, */
const LEAST_SHARE = 0.02;
/** and so many milliseconds to be measured by. */
const LEAST_MS = 500;
/** An estimate that differs by less than this from the one before, counted down, does not replace it. */
const STEADY = 0.2;

/** The time left, or null while nothing is known. */
export function timeLeft(
  { share, active, finish, budget }: Measured,
  before: TimeLeft | null,
): TimeLeft | null {
  let left: number | null = null;
  if (share >= LEAST_SHARE && active >= LEAST_MS) {
    left = (active * (1 - share)) / share + finish;
    const counted = before?.end == null ? 0 : before.end - active;
    if (counted > 0 && Math.abs(left - counted) < STEADY * left) left = counted;
  }
  const end = left === null ? null : active + left;
  if (budget !== null && (left === null || left >= budget))
    return { kind: 'atMost', seconds: Math.max(0, budget) / 1000, end };
  return left === null ? null : { kind: 'about', seconds: left / 1000, end };
}
