// Where the nodes of a tree stand: tidy, top-down, left = condition true.

import { hierarchy, tree as tidyTree } from 'd3-hierarchy';
import { linkVertical } from 'd3-shape';
import type { NodeView } from '../protocol';

/** What a node measures when there is room enough, in pixels. */
export const SPLIT_WIDTH = 160;
export const LEAF_WIDTH = 96;
export const NODE_GAP = 14;
/** Widths shrink to this share to fit the frame; below it the text would not be readable, so the tree scrolls. */
export const LEAST_SHARE = 0.68;
export const SPLIT_HEIGHT = 52;
export const LEAF_HEIGHT = 68;
/** From the top of one level to the top of the next. */
export const LEVEL_HEIGHT = 104;
const MARGIN = 12;

export interface PlacedNode {
  node: NodeView;
  /** The parent's path; none for the root. */
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
  /** A split whose children are folded away. */
  folded: boolean;
  /** Leaves below a folded split. */
  hiddenLeaves: number;
}

export interface TreeLayout {
  /** The visible nodes, depth first: the order in which a reader meets them. */
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

/**
 * Lays a tree out for a frame of `frameWidth` pixels.
 *
 * The layout is linear in the widths of the nodes, so a tree that is too wide is laid out once more with all widths and
 * gaps multiplied by what is missing, down to `LEAST_SHARE`. The result may still be wider than the frame; it then
 * scrolls.
 */
export function layoutTree(
  nodes: readonly NodeView[],
  folded: ReadonlySet<string>,
  frameWidth: number,
): TreeLayout {
  const root = nodes[0];
  if (root === undefined) return EMPTY_LAYOUT;
  const items = build(nodes, root, folded);
  const roomy = place(items, 1, nodes);
  const room = frameWidth - 2 * MARGIN;
  const wanted = roomy.width - 2 * MARGIN;
  if (wanted <= room) return roomy;
  return place(items, Math.max(LEAST_SHARE, room / wanted), nodes);
}

function build(nodes: readonly NodeView[], node: NodeView, folded: ReadonlySet<string>): Item {
  const isFolded = node.left !== null && folded.has(node.path);
  const children = isFolded ? [] : childrenOf(nodes, node).map((child) => build(nodes, child, folded));
  return { node, children, folded: isFolded };
}

/** A node's children, left before right; none for a leaf. */
export function childrenOf(nodes: readonly NodeView[], node: NodeView): NodeView[] {
  if (node.left === null || node.right === null) return [];
  return [nodes[node.left], nodes[node.right]].filter((child) => child !== undefined);
}

function place(item: Item, share: number, nodes: readonly NodeView[]): TreeLayout {
  const widthOf = (of: Item) => (of.node.left === null ? LEAF_WIDTH : SPLIT_WIDTH) * share;
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

/** A point of the drawing. */
export interface Point {
  x: number;
  y: number;
}

/** An edge from the foot of a split at `from` to the head of the node at `to`. */
export function edgePath(from: Point, to: Point): string {
  return link({ source: from, target: to }) ?? '';
}

const link = linkVertical<{ source: Point; target: Point }, Point>()
  .x((point) => point.x)
  .y((point) => point.y);
link.digits(1);
