// A split's condition with numbers and dates in the reader's format. The engine's own words are those of the
// file and of its exports.

import { dateText, monthName, weekdayName } from './dates';
import { numberFormat } from './locale';
import type { NodeView } from '../protocol';

// Without thousands separators, which would turn a year into 2,021.
const exact = numberFormat({ maximumSignificantDigits: 12, useGrouping: false });
/** Enough digits to understand a weighted sum. */
const rough = numberFormat({ maximumSignificantDigits: 3, useGrouping: false });

const between = (first: string, last: string) => (first === last ? last : `${first}–${last}`);

/** A column's name for people: a date that counts days is just the date. */
export const columnTitle = (name: string) => name.replace(/ \(days since 1970-01-01\)$/, '');

/** Formats a plain decimal of the engine; a number with an exponent is kept. */
const asRead = (written: string, digits = exact) =>
  /^-?\d+\.\d+$/.test(written) ? digits.format(Number(written)) : written;

/** A cell's number next to a threshold: as many digits as an f32 has, because f32 are compared. */
export const cellText = (value: number) => exact.format(Number(value.toPrecision(7)));

/** A weighted sum of columns, or a leaf's formula: `0,25·Fare − 1,1·Age`. */
export function sumText(sum: string, digits = exact): string {
  return sum.replace(
    /(^[−-]?| [+−] )(\d+\.\d+)(?=·| [+−] |$)/g,
    (_, sign: string, weight: string) => sign + asRead(weight, digits),
  );
}

/** A condition for reading, not for computing: the numbers of a weighted sum are rounded. */
export function roughText(node: NodeView): string {
  return node.weights.length > 0 ? conditionText(node, rough) : conditionText(node);
}

/**
 * The condition of a split, true for rows that go left: `joined ≤ 10 Jan 2024`, `fare ≤ 34,9`. Empty for a
 * leaf.
 */
export function conditionText({ condition, threshold, date, weights }: NodeView, digits = exact): string {
  if (weights.length > 0) {
    const at = condition.lastIndexOf(' ≤ ');
    return `${sumText(condition.slice(0, at), digits)} ≤ ${asRead(condition.slice(at + 3), digits)}`;
  }
  const [name, written, more] = condition.split(' ≤ ');
  // Not a number against one threshold, or a number that no cell can reach.
  if (threshold === null || written === undefined || more !== undefined || written.includes('e'))
    return condition;
  if (date === null) return `${name} ≤ ${asRead(written)}`;
  switch (date.part) {
    case 'days':
      return `${date.column} ≤ ${dateText(threshold, date)}`;
    case 'month':
      return `${date.column} in ${between(monthName(1), dateText(threshold, date))}`;
    case 'weekday':
      return `${date.column} on ${between(weekdayName(1), dateText(threshold, date))}`;
    case 'hour':
      return `time of ${date.column} ≤ ${dateText(threshold, date)}`;
    default:
      return `${date.part} of ${date.column} ≤ ${dateText(threshold, date)}`;
  }
}
