/** How the page writes numbers: counts, scores, shares, sizes and times, by `Intl` in the reader's locale. */
import { numberFormat } from './locale';

const whole = numberFormat({ maximumFractionDigits: 0 });
const score = numberFormat({ minimumFractionDigits: 3, maximumFractionDigits: 3 });
const large = numberFormat({ maximumSignificantDigits: 5 });
const extreme = numberFormat({ notation: 'scientific', maximumFractionDigits: 1 });
const small = numberFormat({ notation: 'scientific', maximumFractionDigits: 2 });
const percent = numberFormat({ style: 'percent', maximumSignificantDigits: 2 });
const inBytes = ['kilobyte', 'megabyte', 'gigabyte'].map((unit) =>
  numberFormat({ style: 'unit', unit, maximumSignificantDigits: 3 }),
);

export const formatCount = (value: number): string => whole.format(value);

export const formatPercent = (share: number): string => percent.format(share);

/** A score or a loss: three decimals if they are informative, otherwise significant digits. */
export function formatScore(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (size >= 1000) return large.format(value);
  if (size > 0 && size < 0.0005) return small.format(value);
  return score.format(value);
}

/** The end of a setting's range. */
export const formatLimit = (value: number): string =>
  (Math.abs(value) >= 1e9 ? extreme : large).format(value);

/** How steep a soft tree is. */
export const formatScale = (value: number): string =>
  value < 10 ? score.format(Number(value.toPrecision(2))) : formatCount(value);

/** A file's size in words. */
export function formatBytes(bytes: number): string {
  const power = bytes >= 1e9 ? 2 : bytes >= 1e6 ? 1 : 0;
  return inBytes[power]?.format(bytes / 1000 ** (power + 1)) ?? '';
}

/** A time in words. */
export function formatSeconds(value: number): string {
  if (value < 1) return 'less than a second';
  if (value < 90) return `${formatCount(Math.ceil(value))} s`;
  return `${formatCount(Math.ceil(value / 60))} min`;
}
