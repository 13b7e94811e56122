// A column's values in words.

import type { ColumnInfo } from '../protocol';
import { numberFormat } from './locale';
import { strings } from './strings';

/** Number of words that are read aloud. */
const WORDS_SAID = 5;

/** A profile in words, quantiles included. */
export function profileText({ profile, kind, format }: ColumnInfo): string {
  if (!profile) return strings.preview.nothing;
  if (profile.kind === 'numbers') {
    const say = kind !== 'date' ? number : format === 'time' ? hour : day;
    return strings.preview.quantiles(profile.quantiles.map(say));
  }
  const said = profile.words
    .slice(0, WORDS_SAID)
    .map((word, index) => [word, profile.counts[index] ?? 0] as const);
  const unsaid = profile.counts.slice(WORDS_SAID).reduce((sum, count) => sum + count, profile.others);
  return strings.preview.frequent(said, unsaid);
}

const plain = numberFormat({ maximumSignificantDigits: 5 });
const extreme = numberFormat({ maximumSignificantDigits: 4, notation: 'scientific' });

function number(value: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e9 || size < 1e-4) ? extreme.format(value) : plain.format(value);
}

/** Days since 1970-01-01. */
function day(value: number): string {
  const date = new Date(Math.floor(value) * 86_400_000);
  return Number.isNaN(date.getTime()) ? number(value) : date.toISOString().slice(0, 10);
}

function hour(value: number): string {
  const minutes = Math.floor(value * 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
