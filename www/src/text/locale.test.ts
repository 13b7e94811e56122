import { describe, expect, it } from 'vitest';
import { LOCALE, makeFormat, numberFormat } from './locale';

describe('a remembered number format', () => {
  it('writes as the browser does, also the second time', () => {
    const options = { minimumFractionDigits: 3, maximumFractionDigits: 3 };
    const [ours, theirs] = [numberFormat(options), new Intl.NumberFormat(LOCALE, options)];
    for (const value of [0, -0, 0, 1234.5678, -3, NaN, NaN, Infinity, 1234.5678])
      expect(ours.format(value)).toBe(theirs.format(value));
  });

  it('made ahead of its use writes the same', () => {
    const ours = numberFormat({ style: 'percent' });
    while (makeFormat());
    expect(makeFormat()).toBe(false);
    expect(ours.format(0.25)).toBe(new Intl.NumberFormat(LOCALE, { style: 'percent' }).format(0.25));
  });

  it('does not grow without end', () => {
    const ours = numberFormat({ maximumFractionDigits: 0 });
    for (let value = 0; value < 10_000; value += 1) ours.format(value);
    expect(ours.format(9_999)).toBe(new Intl.NumberFormat(LOCALE).format(9_999));
  });
});
