// A tree in words: what a screen reader says at each node, and the whole tree as text.

import { numberFormat } from './locale';
import { childrenOf } from '../nodes';
import type { NodeView } from '../protocol';
import { columnTitle, conditionText, sumText } from './conditions';

const whole = numberFormat({ maximumFractionDigits: 0 });
const percent = numberFormat({ style: 'percent', maximumFractionDigits: 0 });
const percentFine = numberFormat({ style: 'percent', maximumFractionDigits: 1 });
const short = numberFormat({ maximumSignificantDigits: 4, useGrouping: false });
const tiny = numberFormat({ maximumSignificantDigits: 3, notation: 'scientific' });

/** `1 row`, `1,204 rows`. */
export function rowsText(rows: number): string {
  return `${whole.format(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

/** A share as a percentage that never claims false certainty. */
export function percentText(share: number): string {
  if (share >= 0.995 && share < 1)
    return share >= 0.9995 ? `>${percentFine.format(0.999)}` : percentFine.format(share);
  if (share > 0 && share < 0.005)
    return share < 0.0005 ? `<${percentFine.format(0.001)}` : percentFine.format(share);
  return percent.format(share);
}

/** A number in the target's units, in few characters. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return tiny.format(value);
  if (size >= 1000) return whole.format(value);
  return short.format(value);
}

/** The prediction of a regression leaf; the engine writes it with all its digits. */
export function answerText(node: NodeView, regression: boolean): string {
  if (!regression) return node.answer;
  const value = Number(node.answer);
  return node.answer !== '' && Number.isFinite(value) ? numberText(value) : sumText(node.answer);
}

/**
 * Whether a leaf predicts with a formula, which depends on the row. Only regression leaves have a mean or
 * bounds.
 */
export function isFormula(node: NodeView): boolean {
  return (
    node.left === null && Number.isNaN(Number(node.answer)) && (node.mean !== null || node.bounds !== null)
  );
}

/** The bounds of a leaf's formula. */
function boundsText({ bounds }: NodeView): string {
  return bounds === null ? '' : `, kept from ${numberText(bounds[0])} to ${numberText(bounds[1])}`;
}

/**
 * The share of a leaf's training rows in the class it predicts; null for regression, and for a leaf without
 * rows.
 */
export function answerShare({ class: answered, counts, rows }: NodeView): number | null {
  return answered === null || rows === 0 ? null : (counts[answered] ?? 0) / rows;
}

/** That share with its total: `43 % of 531 rows`. */
export function shareText(share: number, rows: number): string {
  return `${percentText(share)} of ${rowsText(rows)}`;
}

/** The share, and increasingly short ways to write it. */
export function shorterShares(share: number, rows: number): string[] {
  return [shareText(share, rows), `${percentText(share)} of ${whole.format(rows)}`];
}

/**
 * Where rows with a missing or unknown value go; null for leaves, and if the condition itself tests for
 * missing values.
 */
export function missingWay({ left, condition, defaultLeft }: NodeView): 'left' | 'right' | null {
  if (left === null || / is (not )?missing$/.test(condition)) return null;
  return defaultLeft ? 'left' : 'right';
}

/** A condition with its sign as words: `petal width at most 0.8`. */
export function spokenCondition(condition: string): string {
  return condition
    .replaceAll(' ≤ ', ' at most ')
    .replaceAll(' <= ', ' at most ')
    .replaceAll(' > ', ' more than ');
}

function spokenLeaf(node: NodeView, regression: boolean): string {
  const share = answerShare(node);
  const rows = share === null ? rowsText(node.rows) : shareText(share, node.rows);
  const reason = node.reason === '' ? '' : `; ${node.reason}`;
  return `${answerText(node, regression)}${boundsText(node)}, ${rows}${reason}`;
}

/** How much of a node pruning leaves, while a tree learns its own size. */
export function keptText(kept: number): string {
  return kept === 0 ? 'pruned' : `${percent.format(kept)} kept`;
}

/** The same, after other information, with what distinguishes the rows of a group. */
function asideText({ kept, description }: NodeView): string {
  return (
    (kept === null ? '' : `; ${keptText(kept)}`) +
    description.map((line) => `; ${descriptionText(line)}`).join('')
  );
}

/** What a screen reader says at a node: its test or prediction, its rows, and where each branch leads. */
export function nodeLabel(nodes: readonly NodeView[], node: NodeView, regression: boolean): string {
  const children = childrenOf(nodes, node);
  if (children.length === 0) {
    const spread =
      node.mean !== null && node.deviation !== null
        ? `, mean ${numberText(node.mean)}, deviation ${numberText(node.deviation)}`
        : '';
    return `Leaf: ${spokenLeaf(node, regression)}${spread}${asideText(node)}`;
  }
  const ways = children.map((child, index) => {
    const way = index === 0 ? 'yes' : 'no';
    return child.left === null
      ? `${way} leads to a leaf: ${spokenLeaf(child, regression)}`
      : `${way} leads to: ${spokenCondition(conditionText(child))}`;
  });
  return `${spokenCondition(conditionText(node))}, ${rowsText(node.rows)}; ${ways.join('; ')}${choiceText(node)}${asideText(node)}`;
}

/**
 * A node's test or prediction in a few words: for a weighted sum its columns by effect, with arrows for the
 * sign; for a linear leaf its typical prediction.
 */
export function shortText(node: NodeView, regression: boolean): string {
  if (node.left === null) {
    const formula = isFormula(node) && node.mean !== null;
    return formula ? `ƒ ≈ ${numberText(node.mean ?? 0)}` : answerText(node, regression);
  }
  const strong = node.weights.filter((weight) => Math.abs(weight) >= 0.1).length;
  if (node.weights.length === 0) return conditionText(node);
  const shown = Math.min(2, Math.max(1, strong));
  const names = node.leading
    .slice(0, shown)
    .map((name, at) => `${(node.weights[at] ?? 0) < 0 ? '↓' : '↑'}${columnTitle(name)}`);
  return names.join(' ') + (node.weights.length > shown ? ` +${node.weights.length - shown}` : '');
}

/** The same, and increasingly short versions for narrow cards: a number loses digits, not its middle. */
export function shorterTexts(node: NodeView, regression: boolean): string[] {
  const first = shortText(node, regression);
  const formula = isFormula(node);
  const value = formula ? node.mean : Number(node.answer || NaN);
  if (!regression || node.left !== null || value === null || !Number.isFinite(value)) return [first];
  // Decimals only: 1235 is not 1200.
  const whole = Math.abs(value) < 1 ? 1 : Math.min(15, Math.floor(Math.log10(Math.abs(value))) + 1);
  return [
    first,
    ...[4, 3, 2].map(
      (digits) => (formula ? 'ƒ ' : '') + numberText(Number(value.toPrecision(Math.max(digits, whole)))),
    ),
  ];
}

const WORDS = /^(.*) is (.*) in (\d+) %, elsewhere in (\d+) %$/;
const MEANS = /^(.*) (higher|lower): (\S+) on average, elsewhere (\S+)$/;
/**
 * A mean keeps its digits, because the engine wrote just enough of them to tell two means apart. Only its
 * decimal point is localised, taken from how 1.5 is written.
 */
const meanText = (mean = '') => mean.replace('.', numberText(1.5).replace(/\p{Nd}/gu, '') || '.');
const partText = (part = '') => percent.format(Number(part) / 100);

/** What distinguishes a group, with numbers in the reader's format. */
export function descriptionText(line: string): string {
  const [, column, word, here, there] = WORDS.exec(line) ?? [];
  if (column !== undefined)
    return `${column} is ${word} in ${partText(here)}, elsewhere in ${partText(there)}`;
  return line.replace(
    MEANS,
    (_, name, side, inside, outside) =>
      `${name} ${side}: ${meanText(inside)} on average, elsewhere ${meanText(outside)}`,
  );
}

/** The same in few words: `petal width ↓0.2` for `petal width lower: 0.2 on average, elsewhere 1.7`. */
export function shortDescription(line: string): string {
  const [, column, word, here] = WORDS.exec(line) ?? [];
  if (column !== undefined) return `${column}: ${word} ${partText(here)}`;
  return line.replace(
    MEANS,
    (_, name, side, mean) => `${name} ${side === 'higher' ? '↑' : '↓'}${meanText(mean)}`,
  );
}

/** The columns that a split is choosing between during training. */
function choiceText({ leading, shares, locked }: NodeView): string {
  if (locked) return '; its column can no longer change';
  if (leading.length < 2 || shares.length === 0) return '';
  return `; wavers between ${leading.map((name, index) => `${name} (${percentText(shares[index] ?? 0)})`).join(', ')}`;
}

const keptAside = ({ kept }: NodeView) => (kept === null ? '' : `, ${keptText(kept)}`);

/** The whole tree as indented text, a line per node. */
export function treeText(nodes: readonly NodeView[], regression: boolean): string {
  const lines: string[] = [];
  const write = (node: NodeView, first: string, rest: string) => {
    const children = childrenOf(nodes, node);
    if (children.length === 0) {
      const share = answerShare(node);
      const rows = share === null ? rowsText(node.rows) : shareText(share, node.rows);
      const reason = node.reason === '' ? '' : `; ${node.reason}`;
      lines.push(`${first}${answerText(node, regression)} (${rows}${keptAside(node)}${reason})`);
      return;
    }
    lines.push(`${first}${conditionText(node)}? (${rowsText(node.rows)}${keptAside(node)})`);
    children.forEach((child, index) => {
      const last = index === children.length - 1;
      write(child, `${rest}${last ? '└─ no:  ' : '├─ yes: '}`, `${rest}${last ? '   ' : '│  '}`);
    });
  };
  if (nodes[0] !== undefined) write(nodes[0], '', '');
  return lines.join('\n');
}

/** One line about a tree: `7 nodes, 4 leaves, depth 2`. */
export function sizeText(size: number, leaves: number, depth: number): string {
  const nodes = `${whole.format(size)} ${size === 1 ? 'node' : 'nodes'}`;
  return `${nodes}, ${whole.format(leaves)} ${leaves === 1 ? 'leaf' : 'leaves'}, depth ${depth}`;
}
