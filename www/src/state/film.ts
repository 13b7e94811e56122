/** The frames of a training, and what each of them changed. */
import type { ProgressInfo, TreeView } from '../protocol';
import type { Film, FilmFrame, ShownFrame } from './model';

/** Numbers of a frame in the engine's list. */
const FIELDS = 5;

export function filmFrames(numbers: Float32Array): FilmFrame[] {
  return Array.from({ length: Math.floor(numbers.length / FIELDS) }, (_, index) => {
    const [restart = 1, epoch = 0, changed = 0, train = NaN, valid = NaN] = numbers.subarray(
      index * FIELDS,
      (index + 1) * FIELDS,
    );
    return { restart, epoch, changed: changed === 1, train, valid };
  });
}

/**
 * Which frames belong to the last stage, in which what the starts have found is worked on once more. It goes back to a start that was
 * seen, or counts its epochs anew; a start that ran elsewhere is put in whole, and was not seen before.
 */
export function lastStage(frames: readonly FilmFrame[]): boolean[] {
  const seen = new Set<number>();
  let late = false;
  return frames.map(({ restart, epoch }, index) => {
    const before = frames[index - 1];
    if (!seen.has(restart)) late = false;
    else if (before !== undefined && (restart !== before.restart || epoch < before.epoch)) late = true;
    seen.add(restart);
    return late;
  });
}

/** The frame a key leads to from `at`; null if the key means nothing to a film. */
export function frameAfter(key: string, at: number, frames: readonly FilmFrame[]): number | null {
  const last = frames.length - 1;
  const page = Math.max(1, Math.round(frames.length / 20));
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(last, at + 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, at - 1);
    case 'PageUp':
      return Math.min(last, at + page);
    case 'PageDown':
      return Math.max(0, at - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** Where the ticks of changed features stand, as shares of the way; neighbours closer than `least` are one tick. */
export function changeTicks(frames: readonly FilmFrame[], least: number): number[] {
  const ticks: number[] = [];
  const last = Math.max(1, frames.length - 1);
  for (const [index, frame] of frames.entries()) {
    const at = index / last;
    const before = ticks.at(-1);
    if (frame.changed && (before === undefined || at - before >= least)) ticks.push(at);
  }
  return ticks;
}

/**
 * What the page itself has seen of a training, thinned evenly. It is the film when the engine's own, which has more frames and their
 * scores, is gone with its worker.
 */
export interface Seen {
  frames: readonly SeenFrame[];
  /** Every how many trees one is kept, and how many went by since the last. */
  stride: number;
  since: number;
}

export type SeenFrame = FilmFrame & Pick<ShownFrame, 'tree' | 'marks'>;

export const NOTHING_SEEN: Seen = { frames: [], stride: 1, since: 0 };

/** Frames are kept up to this many, and up to so many nodes of all their trees: a large tree takes half a megabyte. */
const MOST_FRAMES = 240;
const MOST_NODES = 12_000;

/** Notes a tree that the training passed through. */
export function withSeen(
  seen: Seen,
  tree: TreeView,
  marks: Float32Array | null,
  progress: ProgressInfo,
): Seen {
  const since = seen.since + 1;
  if (since < seen.stride && seen.frames.length > 0) return { ...seen, since };
  const before = seen.frames.at(-1);
  const frame: SeenFrame = {
    restart: progress.restart,
    epoch: progress.epoch,
    changed: before !== undefined && tests(before.tree) !== tests(tree),
    train: progress.trainLoss ?? NaN,
    valid: progress.validLoss ?? NaN,
    tree,
    marks,
  };
  const next = { frames: [...seen.frames, frame], stride: seen.stride, since: 0 };
  return isTooMuch(next.frames) ? thinned(next) : next;
}

function isTooMuch(frames: readonly SeenFrame[]): boolean {
  if (frames.length > MOST_FRAMES) return true;
  return frames.length > 2 && frames.reduce((nodes, { tree }) => nodes + tree.nodes.length, 0) > MOST_NODES;
}

/** Drops every second frame; what changed in one that goes, changed by the next that stays. */
function thinned({ frames, stride }: Seen): Seen {
  const kept = frames.flatMap((frame, index) => {
    if (index % 2 === 1) return [];
    return [{ ...frame, changed: frame.changed || (frames[index - 1]?.changed ?? false) }];
  });
  return { frames: kept, stride: stride * 2, since: 0 };
}

/** Which columns are tested where. */
function tests({ nodes }: TreeView): string {
  return nodes.map(({ path, feature }) => `${path}:${feature}`).join('\n');
}

/** The film of what was seen; null if that is no film. */
export function seenFilm({ frames }: Seen): Film | null {
  return frames.length < 2 ? null : { frames, shown: null, own: true };
}

/** A frame of what was seen. Nobody has scored it. */
export function seenFrame({ frames }: Seen, index: number): ShownFrame | null {
  const frame = frames[index];
  return frame ? { index, tree: frame.tree, marks: frame.marks, metrics: {} } : null;
}
