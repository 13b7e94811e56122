/** A table built a part at a time, what can be seen first: 300 columns at once would hold up the page. */

/** So many columns and rows of a table. */
export interface Part {
  columns: number;
  rows: number;
}

/** About as much as can be seen without scrolling. */
const FIRST: Part = { columns: 12, rows: 12 };

/** Heads of columns, and cells of further rows, that are built at a time. */
const MORE_COLUMNS = 6;
const MORE_CELLS = 300;

/** More rows than this are no preview, and more cells slow down everything on the page; some rows there are always. */
const MOST_ROWS = 100;
const MOST_CELLS = 6000;
const LEAST_ROWS = 12;

/** Rows of a preview of so many columns. */
export function previewRows(columns: number): number {
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.floor(MOST_CELLS / Math.max(1, columns))));
}

export function firstPart(whole: Part): Part {
  return { columns: Math.min(whole.columns, FIRST.columns), rows: Math.min(whole.rows, FIRST.rows) };
}

/** A little more of the whole, columns first; null if there is nothing more. */
export function nextPart({ columns, rows }: Part, whole: Part): Part | null {
  if (columns < whole.columns) return { columns: Math.min(whole.columns, columns + MORE_COLUMNS), rows };
  if (rows >= whole.rows) return null;
  return { columns, rows: Math.min(whole.rows, rows + Math.max(1, Math.floor(MORE_CELLS / columns))) };
}
