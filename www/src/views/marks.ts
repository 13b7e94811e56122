// What stands inside each node's card, ready to be written as attributes.

import type { NodeView } from '../protocol';
import { segmentPath, spread, spreadRange, stackSegments, type Range, type Spread } from '../draw/bars';
import { countsBySlot, type ClassSign } from '../draw/classes';
import { conditionText } from '../text/conditions';
import { along, classBars, histogramAt, trailPath, valueBars } from '../draw/histogram';
import { fitFirst, fitText, textWidth } from '../text/fit';
import { NO_TRAILS, type Trails } from '../draw/trails';
import type { PlacedNode, WantedWidths } from '../draw/tree';
import {
  answerShare,
  answerText,
  keptText,
  missingWay,
  nodeLabel,
  numberText,
  percentText,
  rowsText,
  shortDescription,
  shortText,
  shorterShares,
  shorterTexts,
} from '../text/words';

/** Space between a card's edge and its content. */
export const CARD_PADDING = 8;
export const LABEL_SIZE = 12;
export const NOTE_SIZE = 11;
export const BAR_HEIGHT = 8;
/** Height of the histogram inside a split. */
export const HISTOGRAM_HEIGHT = 30;
/** Side of the box around a class's letter, and the space behind it. */
export const BADGE = 16;
const BADGE_GAP = 5;

export interface NodeMarks {
  placed: PlacedNode;
  /** Its position among the tree's nodes. */
  index: number;
  /** The share of a leaf's rows that have the class it answers. */
  share: number | null;
  /** Where a split sends missing values; null where it asks for them. */
  missing: 'left' | 'right' | null;
  /** Condition or answer, cut to the card. */
  label: string;
  /** The same in full. */
  title: string;
  /** What a screen reader says. */
  spoken: string;
  /** A leaf's class; none for splits and numbers. */
  sign: ClassSign | null;
  /** Where the label starts, from the card's centre; the label is centred when there is no sign before it. */
  labelX: number;
  /** What distinguishes the rows of a group, in place of a bar. */
  lines: string[];
  /** The lines below the bar. */
  notes: string[];
  barWidth: number;
  /** One path per class that has rows here. */
  segments: { slot: number; d: string }[];
  /** Mean ± deviation on the tree's common axis. */
  spread: Spread | null;
  /** The rows along the axis that a split cuts; none for leaves, and where they are not known. */
  histogram: HistogramMarks | null;
  /** Between which columns the split wavers: shares of the bar, the chosen one first; empty when there is nothing to show. */
  choice: { x: number; width: number }[];
  /** The choice cannot move any more. */
  locked: boolean;
  /** How opaque the card is: it fades as its node is pruned while the tree is learned. */
  opacity: number;
}

/** A node that is all but pruned can still be read. */
const FAINTEST = 0.5;

export interface HistogramMarks {
  /** One path per class; of a number one path of all rows. */
  bars: { slot: number | null; d: string }[];
  /** The target's mean in each bar; empty for classes. */
  mean: string;
  /** Where the split cuts, in pixels from the left end. */
  cut: number;
  /** Where greedy would cut; null where that is nowhere, or the same place. */
  greedy: number | null;
  trail: string;
}

/** Room for what distinguishes a group. */
const GROUP_WIDTH = 144;

/** The widths at which no word of the tree would be cut. Leaves go by the class names, which stay while a tree learns. */
export function wantedWidths(signs: readonly ClassSign[], grouping = false): WantedWidths {
  const answers = signs.map((sign) => badgeWidth(sign) + BADGE_GAP + textWidth(sign.name, LABEL_SIZE));
  return {
    leaf: Math.ceil(Math.max(grouping ? GROUP_WIDTH : 0, ...answers)) + 2 * CARD_PADDING,
    split: (node) =>
      Math.ceil(Math.max(grouping ? GROUP_WIDTH : 0, textWidth(shortText(node, false), LABEL_SIZE))) +
      2 * CARD_PADDING,
  };
}

/** The marks of every visible node. */
export function nodeMarks(
  nodes: readonly NodeView[],
  placed: readonly PlacedNode[],
  signs: readonly ClassSign[],
  regression: boolean,
  numbers: Float32Array | null = null,
  trails: Trails = NO_TRAILS,
): NodeMarks[] {
  const places = new Map(nodes.map((node, index) => [node.path, index]));
  const range = regression ? spreadRange(nodes) : null;
  return placed.map((at) => {
    const { node } = at;
    const barWidth = at.width - 2 * CARD_PADDING;
    const title = at.leaf ? answerText(node, regression) : conditionText(node);
    const texts = shorterTexts(node, regression);
    const sign = at.leaf && !regression ? signOf(node, signs) : null;
    const badge = sign === null ? 0 : badgeWidth(sign) + BADGE_GAP;
    const counts = countsBySlot(node.counts, signs);
    return {
      placed: at,
      index: places.get(node.path) ?? -1,
      share: at.leaf ? answerShare(node) : null,
      missing: missingWay(node),
      label: fitFirst(texts, barWidth - badge, LABEL_SIZE),
      title,
      spoken: nodeLabel(nodes, node, regression),
      sign,
      labelX: sign === null ? 0 : -barWidth / 2 + badge,
      lines: node.description
        .slice(0, at.leaf ? 2 : 3)
        .map((line) => fitText(shortDescription(line), barWidth, NOTE_SIZE)),
      notes: notesOf(at, regression, barWidth),
      barWidth,
      segments: stackSegments(counts, barWidth).map((segment) => ({
        slot: segment.slot,
        d: segmentPath(segment, barWidth, BAR_HEIGHT),
      })),
      spread:
        range !== null && node.mean !== null ? spread(node.mean, node.deviation ?? 0, range, barWidth) : null,
      choice: choiceStrip(node.shares, barWidth),
      locked: node.locked,
      opacity: node.kept === null ? 1 : FAINTEST + (1 - FAINTEST) * node.kept,
      histogram: at.leaf
        ? null
        : histogramMarks(
            numbers,
            places.get(node.path) ?? -1,
            barWidth,
            regression,
            range,
            trails.get(node.path)?.cuts ?? [],
          ),
    };
  });
}

/** Shares of the choice one after another; what is missing to the whole belongs to other columns. */
function choiceStrip(shares: readonly number[], width: number): { x: number; width: number }[] {
  let x = 0;
  return shares.map((share) => {
    const part = { x, width: Math.max(0, share * width - 0.5) };
    x += share * width;
    return part;
  });
}

/** Cuts closer than this many pixels are one. */
const SAME_CUT = 2;

function histogramMarks(
  numbers: Float32Array | null,
  index: number,
  width: number,
  regression: boolean,
  range: Range | null,
  past: readonly number[],
): HistogramMarks | null {
  const histogram = histogramAt(numbers, index);
  if (histogram === null) return null;
  const cut = along(histogram, histogram.cut, width);
  const greedy = histogram.greedy === null ? null : along(histogram, histogram.greedy, width);
  const values = regression ? valueBars(histogram, range, width, HISTOGRAM_HEIGHT) : null;
  return {
    bars: values === null ? classBars(histogram, width, HISTOGRAM_HEIGHT) : [{ slot: null, d: values.bars }],
    mean: values?.mean ?? '',
    cut,
    greedy: greedy === null || Math.abs(greedy - cut) < SAME_CUT ? null : greedy,
    trail: histogram.words ? '' : trailPath(histogram, past.slice(0, -1), width),
  };
}

/** Width of the box around a class's letter: letters beyond Z are two or three characters. */
export function badgeWidth(sign: ClassSign): number {
  return BADGE + (sign.letter.length - 1) * 8;
}

function signOf(node: NodeView, signs: readonly ClassSign[]): ClassSign | null {
  return signs.find((sign) => sign.name === node.answer) ?? null;
}

function notesOf(at: PlacedNode, regression: boolean, width: number): string[] {
  const rows = rowsText(at.node.rows);
  const { kept, description } = at.node;
  if (at.folded) {
    const leaves = `${at.hiddenLeaves} leaves`;
    const both = `${rows}, ${leaves}`;
    return [textWidth(both, NOTE_SIZE) <= width ? both : leaves];
  }
  if (!at.leaf) return [kept === null ? rows : `${rows}, ${keptText(kept)}`];
  if (description.length > 0) return ['', rows];
  if (kept !== null) return [keptText(kept), rows];
  if (regression) return [at.node.deviation === null ? '' : `± ${numberText(at.node.deviation)}`, rows];
  const share = answerShare(at.node);
  if (share === null) return ['', rows];
  const fits = (words: string) => textWidth(words, NOTE_SIZE) <= width;
  const [whole = '', short = ''] = shorterShares(share, at.node.rows);
  if (fits(whole)) return [whole];
  // A narrow card breaks the line before “of”.
  return fits(short)
    ? [short]
    : [percentText(share), fits(`of ${rows}`) ? `of ${rows}` : short.slice(short.indexOf('of '))];
}
