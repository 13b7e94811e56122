// The small picture of a column: a histogram of its numbers or bars of its most frequent words, each as one
// path.

import type { ProfileInfo } from '../protocol';

/** Maximum number of bars of words; there is no room for more. */
const WORDS_SHOWN = 10;

/** The gap between two bars, as a share of a bar's width. */
const GAP = 0.15;

/** The bars of a profile over `width` × `height` pixels as one path; the tallest bar fills the height. */
export function profilePath(profile: ProfileInfo | null, width: number, height: number): string {
  if (!profile) return '';
  const counts = profile.kind === 'numbers' ? profile.counts : profile.counts.slice(0, WORDS_SHOWN);
  const most = Math.max(...counts);
  if (!(most > 0)) return '';
  // Words are few and far apart, so their bars are at most as wide as those of a full histogram.
  const places = profile.kind === 'words' ? Math.max(counts.length, WORDS_SHOWN / 2) : counts.length;
  const step = width / places;
  const gap = places > 1 ? step * GAP : 0;
  return counts
    .map((count, bar) => {
      // Anything that occurs is visible, however rare.
      const top = count > 0 ? Math.min(height - 1, height - (count / most) * height) : height;
      return count > 0
        ? `M${fixed(bar * step)},${height}V${fixed(top)}H${fixed((bar + 1) * step - gap)}V${height}Z`
        : '';
    })
    .join('');
}

function fixed(value: number): string {
  return String(Math.round(value * 100) / 100);
}
