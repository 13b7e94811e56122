// One axis of a map: round numbers, or the words of a column, each in its own band.

import type { FeatureInfo } from '../protocol';
import { dateText } from '../text/dates';
import { dateTicks } from './date-ticks';
import { linear } from './scale';
import { fitText } from '../text/fit';

/** What an axis needs of its column. */
type AxisColumn = Pick<FeatureInfo, 'words' | 'part'>;

export interface Axis {
  at(value: number): number;
  ticks: { at: number; label: string; full: string }[];
}

/** A map with more bands of words than this is unreadable. */
const MOST_WORDS = 32;
/** The font size of labels, and the pixels that a short label and a line of labels need. */
const [SIZE, SHORT, LINE] = [11, 22, 12];

/** The columns of a tree that can be shown. */
export function axisColumns(features: readonly FeatureInfo[]): FeatureInfo[] {
  return features.filter(({ words }) => words.length !== 1 && words.length <= MOST_WORDS);
}

/**
 * Lays out an axis from `from` to `to`; `across` if labels are side by side, otherwise they have `room`
 * pixels each.
 */
export function axis(
  { words, part }: AxisColumn,
  domain: readonly [number, number],
  [from, to]: readonly [number, number],
  across: boolean,
  room: number,
): Axis {
  const at = linear(domain, [from, to]);
  if (part === 'days')
    return {
      at,
      ticks: dateTicks(domain, 5).map(({ value, label }) => ({ at: at(value), label, full: '' })),
    };
  if (part !== null) {
    // Years, months, days of the week: whole numbers with names.
    const whole = at.ticks(4).filter(Number.isInteger);
    return {
      at,
      ticks: whole.map((value) => ({
        at: at(value),
        label: dateText(value, { column: '', part, times: false }),
        full: '',
      })),
    };
  }
  if (words.length === 0)
    return {
      at,
      ticks: at.ticks(4).map((value) => ({ at: at(value), label: at.format(4)(value), full: '' })),
    };
  const band = Math.abs(to - from) / words.length;
  // If not every word fits, every second, third, … is labelled.
  const every = Math.max(1, Math.ceil((across ? SHORT : LINE) / band));
  const width = across ? band * every - 4 : room;
  const ticks = words.flatMap((word, place) =>
    place % every === 0 ? [{ at: at(place), label: fitText(word, width, SIZE), full: word }] : [],
  );
  return { at, ticks };
}
