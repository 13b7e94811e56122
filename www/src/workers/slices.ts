/** How many optimiser steps fit in a slice of training, learned from the duration of the last slice. */

/**
 * Target duration of a slice in milliseconds: long enough to be worth a message, short enough for a pause to
 * feel immediate.
 */
export const SLICE_MS = 12;

/**
 * A slice never grows faster than this, because the first slices run before the browser has optimised the
 * wasm.
 */
const MAX_GROWTH = 4;

/**
 * No slice has more steps than this, whatever the clock says: clocks are coarse and steps can be very short.
 */
export const MAX_STEPS = 100_000;

/**
 * The number of steps for the next slice.
 *
 * @param steps    steps of the slice that has just ended
 * @param elapsed  milliseconds it took; 0 when the clock is too coarse to tell
 */
export function nextSteps(steps: number, elapsed: number, target = SLICE_MS): number {
  const wanted = elapsed > 0 ? (steps * target) / elapsed : steps * MAX_GROWTH;
  const grown = Math.min(wanted, steps * MAX_GROWTH);
  return Math.max(1, Math.min(MAX_STEPS, Math.round(grown)));
}
