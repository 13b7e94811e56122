/** The frames of a training, and what each of them changed. */
import type { FilmFrame } from './model';

/** Numbers of a frame in the engine's list. */
const FIELDS = 5;

export function filmFrames(numbers: Float32Array): FilmFrame[] {
  return Array.from({ length: Math.floor(numbers.length / FIELDS) }, (_, index) => {
    const [restart = 1, epoch = 0, changed = 0, train = NaN, valid = NaN] = numbers.subarray(index * FIELDS, (index + 1) * FIELDS);
    return { restart, epoch, changed: changed === 1, train, valid };
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
