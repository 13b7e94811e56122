// Two scores for each of several seeds on one axis: a line between CART's and the learner's.

import { linear } from './scale';

export interface DuelLine {
  seed: number;
  y: number;
  cart: number;
  gradient: number;
}

export interface Duels {
  height: number;
  lines: DuelLine[];
  ticks: { x: number; label: string }[];
}

const LINE = 18;

/** Positions for seeds whose scores are numbers, from the top down. */
export function duels(
  pairs: readonly { seed: number; cart: number; gradient: number }[],
  width: number,
): Duels {
  const usable = pairs.filter(({ cart, gradient }) => Number.isFinite(cart) && Number.isFinite(gradient));
  if (usable.length === 0) return { height: 0, lines: [], ticks: [] };
  const all = usable.flatMap(({ cart, gradient }) => [cart, gradient]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  // Scores that are all equal are in the middle.
  const domain: [number, number] = high > low ? [low, high] : [low - 0.05, high + 0.05];
  const scale = linear(domain, [0, width], 4);
  const lines = usable.map(({ seed, cart, gradient }, at) => ({
    seed,
    y: (at + 0.5) * LINE,
    cart: scale(cart),
    gradient: scale(gradient),
  }));
  const format = scale.format(4);
  return {
    height: usable.length * LINE,
    lines,
    ticks: scale.ticks(4).map((value) => ({ x: scale(value), label: format(value) })),
  };
}
