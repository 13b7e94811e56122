// Dates and their parts in words.

import { numberFormat, utcFormat } from './locale';
import type { DateInfo } from '../protocol';

const DAY_MS = 86_400_000;

const whole = numberFormat({ maximumFractionDigits: 0, useGrouping: false });
const day = utcFormat({ dateStyle: 'medium' });
const moment = utcFormat({ dateStyle: 'medium', timeStyle: 'short' });
const time = utcFormat({ timeStyle: 'short' });
const month = utcFormat({ month: 'short' });
const weekday = utcFormat({ weekday: 'short' });

/** Day 4 after 1970-01-01, a Thursday, was the first Monday. */
const MONDAY = 4;

const named = (names: ReturnType<typeof utcFormat>, days: number) => names.format(days * DAY_MS);
export const monthName = (number: number) => month.format(Date.UTC(1970, number - 1, 15));
export const weekdayName = (number: number) => named(weekday, MONDAY + number - 1);
const within = (value: number, most: number) => Math.min(most, Math.max(1, Math.floor(value)));

/** A part of a date in words. */
export function dateText(value: number, { part, times }: DateInfo): string {
  switch (part) {
    case 'days':
      // If no date has a time of day, a threshold between two days is a threshold after the first.
      return times ? named(moment, value) : named(day, Math.floor(value));
    case 'month':
      return monthName(within(value, 12));
    case 'weekday':
      return weekdayName(within(value, 7));
    case 'hour':
      return named(time, value / 24);
    default:
      return whole.format(Math.floor(value));
  }
}
