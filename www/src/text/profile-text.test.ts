import { describe, expect, it } from 'vitest';
import type { ColumnInfo, ProfileInfo } from '../protocol';
import { table } from '../fixtures/replies';
import { profileText } from './profile-text';

const numbers: ProfileInfo = {
  kind: 'numbers',
  quantiles: [0, 1, 2.5, 4, 1e12],
  edges: [0, 1, 2, 3],
  counts: [1, 0, 4],
};
const words: ProfileInfo = { kind: 'words', words: ['a', 'b'], counts: [3, 1], others: 6 };
const column = (change: Partial<ColumnInfo>): ColumnInfo => ({
  ...(table('x').columns[0] as ColumnInfo),
  ...change,
});

describe('a column in words', () => {
  it("are quantiles for numbers, in the column's own units", () => {
    expect(profileText(column({ profile: numbers }))).toBe(
      'From 0 to 1E12; median 2.5, middle half from 1 to 4.',
    );
    const days: ProfileInfo = { ...numbers, quantiles: [0, 1, 365, 400, 19_000] };
    expect(profileText(column({ kind: 'date', format: 'day-month-year', profile: days }))).toContain(
      'From 1970-01-01 to 2022-01-08; median 1971-01-01',
    );
    const hours: ProfileInfo = { ...numbers, quantiles: [0, 6, 12.5, 18, 23] };
    expect(profileText(column({ kind: 'date', format: 'time', profile: hours }))).toContain('median 12:30');
  });

  it('are the frequent words for words', () => {
    expect(profileText(column({ kind: 'category', profile: words }))).toBe(
      'Most frequent: a (3), b (1); 6 rows with other words.',
    );
    expect(profileText(column({ profile: null }))).toBe('Every cell is empty.');
  });
});
