import { describe, expect, it } from 'vitest';
import { largestFile, rowsThatFit } from './capacity';

describe('what a tab can hold', () => {
  it('is a quarter of what wasm can address, or of half the machine', () => {
    expect(largestFile(undefined)).toBe(2 ** 30);
    expect(largestFile(32)).toBe(2 ** 30);
    expect(largestFile(2)).toBe(2 ** 28);
  });

  it('is a round number of rows, never none', () => {
    expect(rowsThatFit(1_000_000, 37)).toBe(21_000);
    expect(rowsThatFit(1000, 10)).toBe(80);
    expect(rowsThatFit(10, 1_000_000)).toBe(1);
  });
});
