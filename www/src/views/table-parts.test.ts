import { expect, test } from 'vitest';
import { firstPart, nextPart, previewRows, type Part } from './table-parts';

/** Every part on the way to the whole. */
function parts(whole: Part): Part[] {
  const all = [firstPart(whole)];
  for (let next = nextPart(all[0]!, whole); next !== null; next = nextPart(all.at(-1)!, whole))
    all.push(next);
  return all;
}

test.each([
  { columns: 1, rows: 2 },
  { columns: 15, rows: 100 },
  { columns: 300, rows: 20 },
  { columns: 12, rows: 12 },
])('a table of %o becomes whole', (whole) => {
  const all = parts(whole);
  expect(all.at(-1)).toEqual(whole);
  for (const [index, { columns, rows }] of all.entries()) {
    const before = all[index - 1];
    if (before) expect(columns * rows - before.columns * before.rows).toBeLessThanOrEqual(300);
  }
});

test('a wide table shows fewer rows, but some', () => {
  expect(previewRows(1)).toBe(100);
  expect(previewRows(60)).toBe(100);
  expect(previewRows(300)).toBe(20);
  expect(previewRows(3000)).toBe(12);
});
