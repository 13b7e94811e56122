import { describe, expect, it } from 'vitest';
import type { ProfileInfo } from '../protocol';
import { profilePath } from './profile';

const numbers: ProfileInfo = {
  kind: 'numbers',
  quantiles: [0, 1, 2.5, 4, 1e12],
  edges: [0, 1, 2, 3],
  counts: [1, 0, 4],
};
const words: ProfileInfo = { kind: 'words', words: ['a', 'b'], counts: [3, 1], others: 6 };

describe('the picture of a column', () => {
  it('is one path with a bar for each count that is not zero', () => {
    const path = profilePath(numbers, 30, 20);
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path).toBe('M0,20V15H8.5V20ZM20,20V0H28.5V20Z');
  });

  it('shows the rarest value too', () => {
    expect(profilePath({ ...numbers, counts: [1, 1_000_000] }, 20, 20)).toMatch(/^M0,20V19H/);
  });

  it('is empty without cells, and stays inside', () => {
    expect(profilePath(null, 30, 20)).toBe('');
    expect(profilePath({ kind: 'words', words: [], counts: [], others: 0 }, 30, 20)).toBe('');
    for (const [, x] of profilePath(words, 30, 20).matchAll(/H([\d.]+)/g))
      expect(Number(x)).toBeLessThanOrEqual(30);
  });
});
