/** What the restarts of a training begin at, as far as the engine has said it. */
import type { ProgressInfo } from '../protocol';
import { strings } from '../text/strings';

/** The engine's words by restart, from 1. */
export type Starts = Readonly<Record<number, string>>;

/** Work on a greedy tree, before any descent. */
const GREEDY_WORK: ReadonlySet<string> = new Set(['first tree', 'teachers', 'made-up rows', 'greedy']);

const RANDOM = /^random start (\d+) of (\d+)/;
const FROM = /^descent from ([^,(]*[^,( ])/;

/** Notes what the restart at work begins at. */
export function withStart(starts: Starts, progress: ProgressInfo): Starts {
  const { restart, restarts } = progress;
  // What comes after the restarts works on the tree of one of them.
  if (restart > restarts || /\((refitting|descent alone)/.test(progress.doing)) return starts;
  const name = nameOf(progress);
  const known = starts[restart];
  // A descent tells more than what was grown before it.
  if (name === '' || name === known || (known !== undefined && progress.phase !== 'descent')) return starts;
  return { ...starts, [restart]: name };
}

function nameOf({ phase, doing }: ProgressInfo): string {
  if (GREEDY_WORK.has(phase)) return strings.starts.greedy;
  if (phase !== 'descent') return '';
  const from = FROM.exec(doing)?.[1];
  if (from === undefined) return RANDOM.exec(doing)?.[0] ?? '';
  return from === 'a greedy tree' ? strings.starts.greedy : strings.starts.at(from);
}

/**
 * The name of a restart. One that ran in another worker is not talked about; random starts are counted in a row, so that one that was
 * named tells the number of the others.
 */
export function startName(starts: Starts, restart: number): string {
  const known = starts[restart];
  if (known !== undefined) return known;
  for (const [at, name] of Object.entries(starts)) {
    const found = RANDOM.exec(name);
    const number = found ? restart - Number(at) + Number(found[1]) : 0;
    if (found && number >= 1 && number <= Number(found[2])) return `random start ${number} of ${found[2]}`;
  }
  return strings.loss.start(restart);
}

/**
 * The axis of each restart's losses: a greedy start chooses the weights of its classes by itself, so its losses cannot be compared with
 * those of random starts. What comes after the restarts goes on with the best one.
 */
export function axesOf(starts: Starts, restarts: number, best: number | null): (restart: number) => 0 | 1 {
  const greedy = (restart: number) => starts[restart] === strings.starts.greedy;
  if (!Object.keys(starts).some((restart) => greedy(Number(restart)))) return () => 0;
  return (restart) => (greedy(restart > restarts ? (best ?? restart) : restart) ? 0 : 1);
}
