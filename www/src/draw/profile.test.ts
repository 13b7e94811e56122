import { describe, expect, it } from 'vitest';
import type { ColumnInfo, ProfileInfo } from '../protocol';
import { table } from '../state/fixtures';
import { profilePath, profileText } from './profile';

const numbers: ProfileInfo = { kind: 'numbers', quantiles: [0, 1, 2.5, 4, 1e12], edges: [0, 1, 2, 3], counts: [1, 0, 4] };
const words: ProfileInfo = { kind: 'words', words: ['a', 'b'], counts: [3, 1], others: 6 };
const column = (change: Partial<ColumnInfo>): ColumnInfo => ({ ...(table('x').columns[0] as ColumnInfo), ...change });

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
    for (const [, x] of profilePath(words, 30, 20).matchAll(/H([\d.]+)/g)) expect(Number(x)).toBeLessThanOrEqual(30);
  });
});

describe('the words for it', () => {
  it('are quantiles for numbers, in the column\'s own units', () => {
    expect(profileText(column({ profile: numbers }))).toBe('From 0 to 1E12; median 2.5, middle half from 1 to 4.');
    const days: ProfileInfo = { ...numbers, quantiles: [0, 1, 365, 400, 19_000] };
    expect(profileText(column({ kind: 'date', format: 'day-month-year', profile: days }))).toContain('From 1970-01-01 to 2022-01-08; median 1971-01-01');
    const hours: ProfileInfo = { ...numbers, quantiles: [0, 6, 12.5, 18, 23] };
    expect(profileText(column({ kind: 'date', format: 'time', profile: hours }))).toContain('median 12:30');
  });

  it('are the frequent words for words', () => {
    expect(profileText(column({ kind: 'category', profile: words }))).toBe('Most frequent: a (3), b (1); 6 rows with other words.');
    expect(profileText(column({ profile: null }))).toBe('Every cell is empty.');
  });
});
