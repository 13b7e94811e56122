// One row: its values as controls, and as the CSV that the engine reads.

/** A column of a tree's file, with what a control for its value needs. */
export type RowField =
  | { kind: 'number'; name: string; min: number; max: number; median: number; decimal: string; unit: string }
  | { kind: 'word'; name: string; words: readonly string[] }
  /** A date: only its parts are read, but the cell is a single text. */
  | { kind: 'text'; name: string };

/**
 * What would flip a weighted sum: the column whose value would have to move least, relative to its range, and
 * by how much.
 */
export interface Tip {
  name: string;
  by: number;
  /** The part of a date; null for other columns. */
  part: string | null;
}

interface FeatureJson {
  name: string;
  type: string;
  categories?: string[];
  decimal_separator?: string;
  unit?: string;
  date_part?: string;
  /** The column whose cells are read, if it is not the feature's own name. */
  source?: string;
  summary?: { min: number; quartiles: number[]; max: number };
}

interface TreeJson {
  features: FeatureJson[];
  trees: { nodes: Record<string, unknown>[] }[];
}

/** The columns that a tree reads, from its file. */
export function rowFields(json: string): RowField[] {
  const document = JSON.parse(json) as TreeJson;
  const read = new Set<unknown>();
  for (const node of document.trees[0]?.nodes ?? []) {
    for (const key of ['split_feature', 'split_features', 'leaf_features']) [node[key]].flat().forEach((at) => read.add(at));
  }
  return document.features.flatMap((feature, at): RowField[] => {
    if (!read.has(at)) return [];
    const { name, categories, summary, source } = feature;
    if (source !== undefined) return [{ kind: 'text', name: source }];
    if (feature.type === 'categorical') return [{ kind: 'word', name, words: categories ?? [] }];
    const { min, max, quartiles } = summary ?? { min: 0, max: 1, quartiles: [0, 0.5, 1] };
    const { decimal_separator: decimal = '.', unit = '' } = feature;
    return [{ kind: 'number', name, min, max, median: quartiles[1] ?? min, decimal, unit }];
  });
}

/**
 * For a node with a weighted sum, what flips it if its sum is `short` of the threshold; null for other nodes.
 */
export function tipOf(json: string, at: number, short: number): Tip | null {
  const { features, trees } = JSON.parse(json) as TreeJson;
  const { split_features: columns, weights } = trees[0]?.nodes[at] ?? {};
  if (!Array.isArray(columns) || !Array.isArray(weights)) return null;
  let best: (Tip & { share: number }) | null = null;
  columns.forEach((column: number, place: number) => {
    const feature = features[column];
    const range = (feature?.summary?.max ?? 0) - (feature?.summary?.min ?? 0);
    const by = short / Number(weights[place]);
    const share = Math.abs(by) / range;
    if (feature && Number.isFinite(share) && (best === null || share < best.share))
      best = { name: feature.name, by, part: feature.date_part ?? null, share };
  });
  return best;
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
    field.kind === 'number' ? spelled(field, field.median) : field.kind === 'word' ? (field.words[0] ?? '') : '';
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
