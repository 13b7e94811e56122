// One row: its values as controls, and as the CSV that the engine reads.

import type { FeatureInfo } from '../protocol';

/** A column that a tree reads, with what a control for its value needs. */
export type RowField =
  | { kind: 'number'; name: string; min: number; max: number; median: number; decimal: string; unit: string }
  | { kind: 'word'; name: string; words: readonly string[] }
  /** A date: only its parts are read, but the cell is a single text. */
  | { kind: 'text'; name: string };

/** The columns that a tree reads. */
export function rowFields(features: readonly FeatureInfo[]): RowField[] {
  return features
    .filter(({ read }) => read)
    .map(({ name, column, words, part, range: [min = 0, median = 0, max = 0], decimal, unit }) => {
      if (part !== null) return { kind: 'text', name: column };
      return words.length === 0
        ? { kind: 'number', name, min, max, median, decimal, unit }
        : { kind: 'word', name, words };
    });
}

/**
 * By how many whole days a date without a time would have to move to the other side of `threshold`; later is
 * positive.
 */
export function daysToTip(value: number, threshold: number): number {
  const days = Math.floor(threshold) - Math.floor(value);
  return value <= threshold ? days + 1 : days;
}

/** A number as the file would spell it. */
export function spelled(field: Extract<RowField, { kind: 'number' }>, value: number): string {
  return String(Number(value.toPrecision(7))).replace('.', field.decimal) + field.unit;
}

/** The number in a cell, for the slider; null if there is none. */
export function numberIn(field: Extract<RowField, { kind: 'number' }>, cell: string): number | null {
  const bare = cell.trim().replace(field.unit, '').trim();
  const plain = field.decimal === ',' ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', '');
  const value = Number(plain);
  return plain === '' || Number.isNaN(value) ? null : value;
}

/** The typical row: medians and first words. */
export function usualCells(fields: readonly RowField[]): Record<string, string> {
  const cell = (field: RowField) =>
    field.kind === 'number'
      ? spelled(field, field.median)
      : field.kind === 'word'
        ? (field.words[0] ?? '')
        : '';
  return Object.fromEntries(fields.map((field) => [field.name, cell(field)]));
}

/** Fields of several trees, each column once. */
export function mergedFields(lists: readonly (readonly RowField[])[]): RowField[] {
  const byName = new Map<string, RowField>();
  for (const field of lists.flat()) if (!byName.has(field.name)) byName.set(field.name, field);
  return [...byName.values()];
}

/** A step that moves a slider over its range in about 200 steps, a round number. */
export function sliderStep(min: number, max: number): number {
  const rough = (max - min) / 200;
  if (!(rough > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  return Number((power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1)).toPrecision(3));
}

/** A table of one row, as the engine reads it. */
export function rowCsv(cells: Readonly<Record<string, string>>): string {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const names = Object.keys(cells);
  return `${names.map(quote).join(',')}\n${names.map((name) => quote(cells[name] ?? '')).join(',')}\n`;
}
