// The layout of a tree: tidy, top-down, left = condition true.

import { hierarchy, tree as tidyTree } from 'd3-hierarchy';
import { childrenOf } from '../nodes';
import type { NodeView } from '../protocol';
import { downwards } from './path';

/** The size of a node in pixels, if there is enough room. */
export const SPLIT_WIDTH = 150;
export const LEAF_WIDTH = 92;
/** A leaf may be this wide to show a long prediction, if the tree still fits its frame. */
export const WIDEST_LEAF = 140;
/** A split may grow to this width if its neighbours leave room. */
export const WIDEST_SPLIT = 260;
export const NODE_GAP = 14;
/**
 * Widths shrink to this share to fit the frame. Below it the words would be cut too short, so the tree is
 * scaled down.
 */
export const LEAST_SHARE = 0.7;
/** The share for a tree that is scaled down anyway, which need not be that tight. */
export const LOOSE_SHARE = 0.85;
/** Deeper levels are folded automatically if the drawing would have to be scaled below this. */
export const LEAST_SCALE = 0.72;
export const SPLIT_HEIGHT = 86;
export const LEAF_HEIGHT = 69;
/** From the top of one level to the top of the next. */
export const LEVEL_HEIGHT = 132;
const MARGIN = 12;

export interface PlacedNode {
  node: NodeView;
  /** The parent's path; null for the root. */
  parent: string | null;
  /** Edges from the root. */
  level: number;
  /** Centre of the card. */
  x: number;
  /** Top of the card. */
  y: number;
  width: number;
  height: number;
  leaf: boolean;
  /** Whether this is a split whose children are folded. */
  folded: boolean;
  /** Leaves below a folded split. */
  hiddenLeaves: number;
}

export interface TreeLayout {
  /** The visible nodes, depth first: the reading order. */
  nodes: PlacedNode[];
  width: number;
  height: number;
}

export const EMPTY_LAYOUT: TreeLayout = { nodes: [], width: 0, height: 0 };

interface Item {
  node: NodeView;
  children: Item[];
  folded: boolean;
}

/** The widths in pixels that nodes need to show their words uncut. */
export interface WantedWidths {
  /** Of every leaf; the same for all, so that nothing moves while predictions change in training. */
  leaf: number;
  /** Of a split. */
  split: (node: NodeView) => number;
}

const ANY_WIDTH: WantedWidths = { leaf: LEAF_WIDTH, split: () => SPLIT_WIDTH };

/**
 * Lays out a tree for a frame of `frameWidth` pixels.
 *
 * Wide leaves are tried first, then normal ones. The layout is linear in the widths of the nodes, so a tree
 * that is too wide is laid out once more with all widths and gaps scaled to fit. If the scale would be below
 * `LEAST_SHARE`, the result is wider than the frame and has to be drawn smaller. Positions depend only on the
 * tree's shape; a split's words only decide how much of the free room next to it its card uses.
 */
export function layoutTree(
  nodes: readonly NodeView[],
  folded: ReadonlySet<string>,
  frameWidth: number,
  wanted: WantedWidths = ANY_WIDTH,
  tightest = LEAST_SHARE,
): TreeLayout {
  const root = nodes[0];
  if (root === undefined) return EMPTY_LAYOUT;
  const items = build(nodes, root, folded);
  const generous = Math.min(WIDEST_LEAF, Math.max(LEAF_WIDTH, wanted.leaf));
  let layout = place(items, generous, 1, nodes);
  if (layout.width > frameWidth && generous > LEAF_WIDTH) layout = place(items, LEAF_WIDTH, 1, nodes);
  if (layout.width > frameWidth) {
    const fitting = (width: number) => (width - 2 * MARGIN) / (layout.width - 2 * MARGIN);
    const share = fitting(frameWidth);
    // As loose as possible at the smallest readable scale.
    const loosest = fitting(frameWidth / LEAST_SCALE);
    const smaller = loosest < tightest ? LOOSE_SHARE : Math.min(LOOSE_SHARE, loosest);
    layout = place(items, LEAF_WIDTH, share < LEAST_SHARE ? smaller : share, nodes);
  }
  widenSplits(layout, wanted.split);
  return layout;
}

/** Lets splits grow towards the width they want, up to half the room between neighbours. */
function widenSplits(layout: TreeLayout, wantedWidth: (node: NodeView) => number) {
  const levels = new Map<number, PlacedNode[]>();
  for (const placed of layout.nodes) {
    levels.set(placed.level, [...(levels.get(placed.level) ?? []), placed]);
  }
  for (const level of levels.values()) {
    // Depth-first order visits every level from left to right.
    const room = level.map((placed, index) => {
      const before = level[index - 1];
      const after = level[index + 1];
      return Math.min(
        before === undefined ? 2 * placed.x : spaceBetween(before, placed),
        after === undefined ? 2 * (layout.width - placed.x) : spaceBetween(placed, after),
      );
    });
    for (const [index, placed] of level.entries()) {
      if (placed.leaf) continue;
      const wanted = Math.min(WIDEST_SPLIT, wantedWidth(placed.node));
      placed.width = Math.max(placed.width, Math.min(wanted, room[index]! - NODE_GAP));
    }
  }
}

/** The width that a split may take up, including the gap, so that its neighbour may do the same. */
function spaceBetween(left: PlacedNode, right: PlacedNode): number {
  const distance = right.x - left.x;
  if (left.leaf) return 2 * distance - left.width - NODE_GAP;
  if (right.leaf) return 2 * distance - right.width - NODE_GAP;
  return distance;
}

function build(nodes: readonly NodeView[], node: NodeView, folded: ReadonlySet<string>): Item {
  const isFolded = node.left !== null && folded.has(node.path);
  const children = isFolded ? [] : childrenOf(nodes, node).map((child) => build(nodes, child, folded));
  return { node, children, folded: isFolded };
}

function place(item: Item, leafWidth: number, share: number, nodes: readonly NodeView[]): TreeLayout {
  // A folded split ends a branch like a leaf, and takes no more room.
  const widthOf = (of: Item) => (of.node.left === null || of.folded ? leafWidth : SPLIT_WIDTH) * share;
  const root = hierarchy(item, (of) => of.children);
  tidyTree<Item>()
    .nodeSize([1, LEVEL_HEIGHT])
    .separation((a, b) => (widthOf(a.data) + widthOf(b.data)) / 2 + NODE_GAP * share)(root);

  let left = Infinity;
  let right = -Infinity;
  let bottom = 0;
  root.each((at) => {
    const half = widthOf(at.data) / 2;
    left = Math.min(left, at.x! - half);
    right = Math.max(right, at.x! + half);
    bottom = Math.max(bottom, at.y! + (at.data.node.left === null ? LEAF_HEIGHT : SPLIT_HEIGHT));
  });

  const placed: PlacedNode[] = [];
  root.eachBefore((at) => {
    const { node, folded } = at.data;
    const leaf = node.left === null;
    placed.push({
      node,
      parent: at.parent?.data.node.path ?? null,
      level: at.depth,
      x: at.x! - left + MARGIN,
      y: at.y! + MARGIN,
      width: widthOf(at.data),
      height: leaf ? LEAF_HEIGHT : SPLIT_HEIGHT,
      leaf,
      folded,
      hiddenLeaves: folded ? countLeaves(nodes, node) : 0,
    });
  });
  return { nodes: placed, width: right - left + 2 * MARGIN, height: bottom + 2 * MARGIN };
}

function countLeaves(nodes: readonly NodeView[], node: NodeView): number {
  const children = childrenOf(nodes, node);
  return children.length === 0 ? 1 : children.reduce((sum, child) => sum + countLeaves(nodes, child), 0);
}

/** Which splits are folded: those the user folded, and below `levels` all that the user has not opened. */
export function foldedPaths(
  nodes: readonly NodeView[],
  levels: number,
  folded: ReadonlySet<string>,
  opened: ReadonlySet<string>,
): ReadonlySet<string> {
  const result = new Set<string>();
  for (const { path, left } of nodes) {
    if (left === null) continue;
    if (folded.has(path) || (path.length >= levels && !opened.has(path))) result.add(path);
  }
  return result;
}

/** The most levels of splits that are readable in a frame of this width; at least two. */
export function readableLevels(nodes: readonly NodeView[], depth: number, frameWidth: number): number {
  const none: ReadonlySet<string> = new Set();
  const crowds: number[] = [];
  for (const { path } of nodes) crowds[path.length] = (crowds[path.length] ?? 0) + 1;
  const fits = (levels: number) => {
    // Nodes of one level are side by side, however tight. So most trees that are too wide are found by
    // counting, without a layout.
    const crowd = Math.max(...crowds.slice(0, levels + 1));
    if ((crowd * (LEAF_WIDTH + NODE_GAP) - NODE_GAP) * LEAST_SHARE * LEAST_SCALE > frameWidth) return false;
    // A whole tree may be tight: its leaves show their prediction as a letter. The condition of a folded
    // split needs more room.
    const tightest = levels < depth ? LOOSE_SHARE : LEAST_SHARE;
    return (
      layoutTree(nodes, foldedPaths(nodes, levels, none, none), frameWidth, ANY_WIDTH, tightest).width *
        LEAST_SCALE <=
      frameWidth
    );
  };
  if (depth <= 2 || fits(depth)) return Math.max(2, depth);
  // From the root down: the few readable levels of a deep tree are laid out sooner than the many unreadable
  // ones.
  let levels = 2;
  while (levels + 1 < depth && fits(levels + 1)) levels += 1;
  return levels;
}

/** A point of the drawing. */
export interface Point {
  x: number;
  y: number;
}

/** An edge from the foot of a split at `from` to the head of the node at `to`. */
export function edgePath(from: Point, to: Point): string {
  return downwards(from, to, 1);
}
