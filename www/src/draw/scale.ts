// A linear scale with round ticks. It is our own, because d3-scale includes colours, dates and number
// formats: a tenth of all scripts of the page.

import { numberFormat } from '../text/locale';

export interface Scale {
  (value: number): number;
  readonly domain: readonly [number, number];
  /** About `count` round values within the domain, in order. */
  ticks(count: number): number[];
  /** Formats a tick with as many decimals as the step between ticks needs. */
  format(count: number): (value: number) => string;
}

/** By the number of decimals. */
const formats: ReturnType<typeof numberFormat>[] = [];

type Span = readonly [number, number];

/**
 * Maps `domain` to `range`; with `nice`, the domain is widened to the next round values for that many ticks.
 */
export function linear(domain: Span, range: Span, nice = 0): Scale {
  const [low, high] = nice > 0 ? widened(domain, nice) : domain;
  const [from, to] = range;
  const at = (value: number) => from + ((value - low) / (high - low || 1)) * (to - from);
  return Object.assign(at, {
    domain: [low, high] as const,
    ticks: (count: number) => roundValues(low, high, count),
    format: (count: number) => {
      const decimals = Math.min(20, Math.max(0, -stepOf(low, high, count).power));
      return (formats[decimals] ??= numberFormat({
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      })).format;
    },
  });
}

/** A step of 1, 2 or 5 times a power of ten that divides the span into about `count` parts. */
function stepOf(low: number, high: number, count: number): { factor: number; power: number } {
  const rough = (high - low) / Math.max(1, count);
  const power = Math.floor(Math.log10(rough));
  const rest = rough / 10 ** power;
  // The limits are geometric means, so that no step is favoured.
  const factor = rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.SQRT2 ? 2 : 1;
  return factor === 10 ? { factor: 1, power: power + 1 } : { factor, power };
}

function roundValues(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const { factor, power } = stepOf(low, high, count);
  // Whole numbers divided by a power of ten are exact; a sum of steps of 0.1 is not.
  const unit = 10 ** Math.abs(power);
  const value = (index: number) => (power < 0 ? (index * factor) / unit : index * factor * unit);
  const first = Math.ceil(power < 0 ? (low * unit) / factor : low / factor / unit);
  const last = Math.floor(power < 0 ? (high * unit) / factor : high / factor / unit);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => value(first + index));
}

function widened([low, high]: Span, count: number): Span {
  if (!(high > low)) return [low, high];
  const { factor, power } = stepOf(low, high, count);
  const step = factor * 10 ** power;
  const ends = [Math.floor(low / step) * step, Math.ceil(high / step) * step] as const;
  // Rounded like the ticks, so that the ends are ticks.
  return [Number(ends[0].toPrecision(12)), Number(ends[1].toPrecision(12))];
}
