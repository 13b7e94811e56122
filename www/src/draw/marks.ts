// What stands inside each node's card, ready to be written as attributes.

import type { NodeView } from '../protocol';
import { segmentPath, spread, spreadRange, stackSegments, type Spread } from './bars';
import { countsBySlot, type ClassSign } from './classes';
import { fitText, textWidth } from './text';
import type { PlacedNode, WantedWidths } from './tree';
import { answerShare, answerText, nodeLabel, numberText, percentText, rowsText } from './words';

/** Space between a card's edge and its content. */
export const CARD_PADDING = 8;
export const LABEL_SIZE = 12;
export const NOTE_SIZE = 11;
export const BAR_HEIGHT = 8;
/** Side of the box around a class's letter, and the space behind it. */
export const BADGE = 16;
const BADGE_GAP = 5;

export interface NodeMarks {
  placed: PlacedNode;
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
  /** The lines below the bar. */
  notes: string[];
  barWidth: number;
  /** One path per class that has rows here. */
  segments: { slot: number; d: string }[];
  /** Mean ± deviation on the tree's common axis. */
  spread: Spread | null;
}

/** The widths at which no word of the tree would be cut. Leaves go by the class names, which stay while a tree learns. */
export function wantedWidths(signs: readonly ClassSign[]): WantedWidths {
  const answers = signs.map((sign) => badgeWidth(sign) + BADGE_GAP + textWidth(sign.name, LABEL_SIZE));
  return {
    leaf: Math.ceil(Math.max(0, ...answers)) + 2 * CARD_PADDING,
    split: (node) => Math.ceil(textWidth(node.condition, LABEL_SIZE)) + 2 * CARD_PADDING,
  };
}

/** The marks of every visible node. */
export function nodeMarks(
  nodes: readonly NodeView[],
  placed: readonly PlacedNode[],
  signs: readonly ClassSign[],
  regression: boolean,
): NodeMarks[] {
  const range = regression ? spreadRange(nodes) : null;
  return placed.map((at) => {
    const { node } = at;
    const barWidth = at.width - 2 * CARD_PADDING;
    const title = at.leaf ? answerText(node, regression) : node.condition;
    const sign = at.leaf && !regression ? signOf(node, signs) : null;
    const badge = sign === null ? 0 : badgeWidth(sign) + BADGE_GAP;
    const counts = countsBySlot(node.counts, signs);
    return {
      placed: at,
      label: fitText(title, barWidth - badge, LABEL_SIZE),
      title,
      spoken: nodeLabel(nodes, node, regression),
      sign,
      labelX: sign === null ? 0 : -barWidth / 2 + badge,
      notes: notesOf(at, regression),
      barWidth,
      segments: stackSegments(counts, barWidth).map((segment) => ({
        slot: segment.slot,
        d: segmentPath(segment, barWidth, BAR_HEIGHT),
      })),
      spread:
        range !== null && node.mean !== null
          ? spread(node.mean, node.deviation ?? 0, range, barWidth)
          : null,
    };
  });
}

/** Width of the box around a class's letter: letters beyond Z are two or three characters. */
export function badgeWidth(sign: ClassSign): number {
  return BADGE + (sign.letter.length - 1) * 8;
}

function signOf(node: NodeView, signs: readonly ClassSign[]): ClassSign | null {
  return signs.find((sign) => sign.name === node.answer) ?? null;
}

function notesOf(at: PlacedNode, regression: boolean): string[] {
  const rows = rowsText(at.node.rows);
  if (!at.leaf) return [at.folded ? `${rows}, ${at.hiddenLeaves} leaves` : rows];
  if (regression) return [at.node.deviation === null ? '' : `± ${numberText(at.node.deviation)}`, rows];
  const share = answerShare(at.node);
  return [share === null ? '' : percentText(share), rows];
}
