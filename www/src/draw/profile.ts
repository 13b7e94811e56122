// The small picture of a column: a histogram of its numbers or bars of its most frequent words, each as one path.

import { numberFormat } from '../locale';
import type { ColumnInfo, ProfileInfo } from '../protocol';
import { strings } from '../strings';

/** Bars of words that are drawn; the rest has no room. */
const WORDS_SHOWN = 10;

/** Words that are read aloud. */
const WORDS_SAID = 5;

/** Gap between two bars, as a share of a bar's place. */
const GAP = 0.15;

/** The bars of a profile over `width` × `height` pixels as one path; the tallest bar fills the height. */
export function profilePath(profile: ProfileInfo | null, width: number, height: number): string {
  if (!profile) return '';
  const counts = profile.kind === 'numbers' ? profile.counts : profile.counts.slice(0, WORDS_SHOWN);
  const most = Math.max(...counts);
  if (!(most > 0)) return '';
  // Words are few and far apart, so their bars are as wide as those of a full histogram at most.
  const places = profile.kind === 'words' ? Math.max(counts.length, WORDS_SHOWN / 2) : counts.length;
  const step = width / places;
  const gap = places > 1 ? step * GAP : 0;
  return counts
    .map((count, bar) => {
      // What occurs at all is seen, however rare.
      const top = count > 0 ? Math.min(height - 1, height - (count / most) * height) : height;
      return count > 0 ? `M${fixed(bar * step)},${height}V${fixed(top)}H${fixed((bar + 1) * step - gap)}V${height}Z` : '';
    })
    .join('');
}

/** A profile in words, quantiles included. */
export function profileText({ profile, kind, format }: ColumnInfo): string {
  if (!profile) return strings.preview.nothing;
  if (profile.kind === 'numbers') {
    const say = kind !== 'date' ? number : format === 'time' ? hour : day;
    return strings.preview.quantiles(profile.quantiles.map(say));
  }
  const said = profile.words.slice(0, WORDS_SAID).map((word, index) => [word, profile.counts[index] ?? 0] as const);
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

function fixed(value: number): string {
  return String(Math.round(value * 100) / 100);
}
