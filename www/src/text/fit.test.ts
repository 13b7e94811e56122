import { describe, expect, it } from 'vitest';
import { cutMiddle, fitFirst, fitText, textWidth } from './fit';

describe('cutMiddle', () => {
  it('leaves short text alone', () => {
    expect(cutMiddle('Age ≤ 6.5', 9)).toBe('Age ≤ 6.5');
  });

  it('keeps the start and the end', () => {
    expect(cutMiddle('mean fractal dimension ≤ 0.0634', 15)).toBe('mean fr…0.0634');
    expect(cutMiddle('abcdefghij', 5)).toBe('ab…ij');
    expect(cutMiddle('abcdefghij', 4)).toBe('ab…j');
    expect(cutMiddle('abcdefghij', 1)).toBe('…');
  });

  it('counts characters, not code units', () => {
    expect(cutMiddle('🌳🌳🌳🌳🌳🌳', 3)).toBe('🌳…🌳');
  });

  it('never gets longer than asked', () => {
    for (let limit = 1; limit < 40; limit += 1) {
      expect([...cutMiddle('a rather long name of a column ≤ 12.25', limit)].length).toBeLessThanOrEqual(
        limit,
      );
    }
  });
});

describe('fitText', () => {
  it('fits its width and uses it', () => {
    const text = 'worst concave points of the nucleus ≤ 0.1425';
    for (const width of [60, 90, 130, 200]) {
      const cut = fitText(text, width, 12);
      expect(textWidth(cut, 12)).toBeLessThanOrEqual(width);
      expect(textWidth(cut, 12)).toBeGreaterThan(width - 30);
      expect(cut.startsWith(text[0]!)).toBe(true);
      expect(cut.endsWith(text.at(-1)!)).toBe(true);
    }
    expect(fitText('short', 200, 12)).toBe('short');
  });
});

it('takes the first text that fits, and cuts only the last', () => {
  const width = (text: string) => Math.ceil(textWidth(text, 12));
  expect(fitFirst(['124.8', '125'], width('124.8'), 12)).toBe('124.8');
  expect(fitFirst(['124.8', '125'], width('125'), 12)).toBe('125');
  expect(fitFirst(['124.8', '125 rows'], width('125'), 12)).toMatch(/…/);
});
