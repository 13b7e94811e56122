/**
 * Work that need not be in the frame that is drawn next: it is done once that frame has been painted, in a task of its own.
 *
 * There is one queue for the whole page. A timer for each view would let all of them fall into the same frame: the cards of both trees, the
 * scores and the controls of all columns, each short, were one long task together.
 */
import { flushSync } from 'svelte';

/** Once so many milliseconds of a turn are used, what still waits does so until after the next frame. */
export const TURN_MS = 4;

const waiting: (() => void)[] = [];
let asked = false;

/** Does something after the next frame, or a later one if others wait already. Gives the way to call it off. */
export function afterFrame(action: () => void): () => void {
  // A function of its own, so that the same action can wait twice.
  const job = () => action();
  waiting.push(job);
  ask();
  return () => leave(job);
}

function leave(job: () => void): boolean {
  const at = waiting.indexOf(job);
  if (at >= 0) waiting.splice(at, 1);
  return at >= 0;
}

function ask(): void {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => setTimeout(turn));
}

function turn(): void {
  asked = false;
  const begun = performance.now();
  try {
    // What is asked for meanwhile waits for a frame of its own.
    for (const job of [...waiting]) {
      // An earlier one may have called it off.
      if (!leave(job)) continue;
      job();
      // What it changes is part of its time.
      flushSync();
      if (performance.now() - begun >= TURN_MS) break;
    }
  } finally {
    if (waiting.length > 0) ask();
  }
}
