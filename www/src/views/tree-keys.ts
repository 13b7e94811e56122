// The keys of the ARIA tree pattern, as a function from a key to what should happen.

import type { PlacedNode } from '../draw/tree';

export type Move =
  { kind: 'focus'; path: string } | { kind: 'fold'; path: string } | { kind: 'unfold'; path: string };

/**
 * What a key does on the node at `path`, or none if the key means nothing there. `nodes` are the visible nodes, depth
 * first.
 *
 * Down and up walk the visible nodes; right opens a folded split or goes to its first child; left folds an open split
 * or goes to the parent; home and end go to the first and last; enter and space fold and unfold.
 */
export function keyMove(key: string, path: string, nodes: readonly PlacedNode[]): Move | null {
  const at = nodes.findIndex((placed) => placed.node.path === path);
  const here = nodes[at];
  if (here === undefined) return null;
  switch (key) {
    case 'ArrowDown':
      return focus(nodes[at + 1]);
    case 'ArrowUp':
      return focus(nodes[at - 1]);
    case 'Home':
      return focus(nodes[0]);
    case 'End':
      return focus(nodes[nodes.length - 1]);
    case 'ArrowRight':
      if (here.leaf) return null;
      return here.folded ? { kind: 'unfold', path } : focus(nodes[at + 1]);
    case 'ArrowLeft':
      if (!here.leaf && !here.folded) return { kind: 'fold', path };
      return here.parent === null ? null : { kind: 'focus', path: here.parent };
    case 'Enter':
    case ' ':
      if (here.leaf) return null;
      return { kind: here.folded ? 'unfold' : 'fold', path };
    default:
      return null;
  }
}

function focus(target: PlacedNode | undefined): Move | null {
  return target === undefined ? null : { kind: 'focus', path: target.node.path };
}

/** The visible node that stands for `path`: itself, or its nearest visible ancestor when it is gone or folded away. */
export function visibleFor(path: string, nodes: readonly PlacedNode[]): string | null {
  const visible = new Set(nodes.map((placed) => placed.node.path));
  let candidate = path;
  while (candidate !== '' && !visible.has(candidate)) candidate = candidate.slice(0, -1);
  return visible.has(candidate) ? candidate : null;
}
