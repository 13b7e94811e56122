/** What the restarts of a training begin at, as far as the engine has said it. */
import type { ProgressInfo } from '../protocol';
import { strings } from '../text/strings';

/** What a restart begins at, in the engine's words. */
type Start = Pick<ProgressInfo, 'start' | 'randomStart' | 'randomStarts'>;

/** By restart, from 1. */
export type Starts = Readonly<Record<number, Start>>;

/** Notes what the restart at work begins at. */
export function withStart(
  starts: Starts,
  { restart, phase, start, randomStart, randomStarts }: ProgressInfo,
): Starts {
  const known = starts[restart]?.start;
  // A descent tells more than what was grown before it.
  if (start === '' || start === known || (known !== undefined && phase !== 'descent')) return starts;
  return { ...starts, [restart]: { start, randomStart, randomStarts } };
}

function textOf({ start, randomStart, randomStarts }: Start): string {
  const words = strings.starts;
  return start === 'greedy'
    ? words.greedy
    : start === 'random'
      ? words.random(randomStart, randomStarts)
      : words.at(start);
}

/**
 * The name of a restart. One that ran in another worker is not talked about; random starts are counted in a row, so that one that was
 * named tells the number of the others.
 */
export function startName(starts: Starts, restart: number): string {
  const known = starts[restart];
  if (known) return textOf(known);
  for (const [at, start] of Object.entries(starts)) {
    const randomStart = restart - Number(at) + start.randomStart;
    if (randomStart >= 1 && randomStart <= start.randomStarts) return textOf({ ...start, randomStart });
  }
  return strings.loss.start(restart);
}

/**
 * The axis of each restart's losses: a greedy start chooses the weights of its classes by itself, so its losses cannot be compared with
 * those of random starts. What comes after the restarts goes on with the best one.
 */
export function axesOf(starts: Starts, restarts: number, best: number | null): (restart: number) => 0 | 1 {
  const greedy = (restart: number) => starts[restart]?.start === 'greedy';
  if (!Object.keys(starts).some((restart) => greedy(Number(restart)))) return () => 0;
  return (restart) => (greedy(restart > restarts ? (best ?? restart) : restart) ? 0 : 1);
}
