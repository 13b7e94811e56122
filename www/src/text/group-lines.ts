// A hierarchy of groups as lines of a table, the root first, each branch before its descendants.

import { childrenOf } from '../nodes';
import type { NodeView } from '../protocol';
import { conditionText, roughText } from './conditions';
import { shortText } from './words';

/** A sum of more columns than this is described by its strongest ones. */
const MOST_WRITTEN = 3;

export interface GroupLine {
  path: string;
  /** Edges from the root. */
  level: number;
  /** The condition that leads here, shortened and exact, and whether it holds; null for the root. */
  way: { condition: string; exact: string; holds: boolean } | null;
  leaf: boolean;
  /** The group's name; empty for a branch. */
  name: string;
  rows: number;
  description: readonly string[];
}

export function groupLines(nodes: readonly NodeView[]): GroupLine[] {
  const lines: GroupLine[] = [];
  const write = (node: NodeView, above: NodeView | null, holds: boolean) => {
    const children = childrenOf(nodes, node);
    const { path, rows, description } = node;
    const way =
      above === null
        ? null
        : {
            condition: above.weights.length > MOST_WRITTEN ? shortText(above, false) : roughText(above),
            exact: conditionText(above),
            holds,
          };
    lines.push({
      path,
      level: path.length,
      way,
      leaf: children.length === 0,
      name: node.answer,
      rows,
      description,
    });
    children.forEach((child, index) => write(child, node, index === 0));
  };
  if (nodes[0] !== undefined) write(nodes[0], null, true);
  return lines;
}
