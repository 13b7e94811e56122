/** How the nodes of the protocol's trees hang together. */
import type { NodeView } from './protocol';

/** A node's children, left before right; none for a leaf. */
export function childrenOf(nodes: readonly NodeView[], node: NodeView): NodeView[] {
  if (node.left === null || node.right === null) return [];
  return [nodes[node.left], nodes[node.right]].filter((child) => child !== undefined);
}
