import { describe, expect, it } from 'vitest';
import { IRIS, fullShape, randomShape, treeOf } from '../fixtures/trees';
import {
  LEAF_WIDTH,
  LEAST_SCALE,
  LEAST_SHARE,
  LEVEL_HEIGHT,
  LOOSE_SHARE,
  SPLIT_WIDTH,
  edgePath,
  foldedPaths,
  layoutTree,
  readableLevels,
  type TreeLayout,
} from './tree';

const NONE: ReadonlySet<string> = new Set();

function overlaps(layout: TreeLayout): string[] {
  const found: string[] = [];
  layout.nodes.forEach((a, index) => {
    for (const b of layout.nodes.slice(index + 1)) {
      const apartX = Math.abs(a.x - b.x) >= (a.width + b.width) / 2 - 1e-6;
      const apartY = a.y + a.height <= b.y + 1e-6 || b.y + b.height <= a.y + 1e-6;
      if (!apartX && !apartY) found.push(`${a.node.path} and ${b.node.path}`);
    }
  });
  return found;
}

describe('layoutTree', () => {
  it('puts the root on top and the yes child on the left', () => {
    const { nodes } = layoutTree(IRIS, NONE, 1000);
    expect(nodes.map((placed) => placed.node.path)).toEqual(['', 'L', 'R', 'RL', 'RR']);
    const [root, yes, no] = nodes;
    expect(yes!.x).toBeLessThan(root!.x);
    expect(no!.x).toBeGreaterThan(root!.x);
    expect(yes!.y - root!.y).toBe(LEVEL_HEIGHT);
    expect(yes!.parent).toBe('');
    expect(root!.parent).toBeNull();
  });

  it('never lets two nodes overlap, whatever the shape and the frame', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const nodes = treeOf(randomShape(seed, 2 + (seed % 5)));
      for (const frame of [320, 700, 4000]) {
        expect(overlaps(layoutTree(nodes, NONE, frame)), `seed ${seed}, frame ${frame}`).toEqual([]);
        const greedy = { leaf: 500, split: () => 500 };
        expect(overlaps(layoutTree(nodes, NONE, frame, greedy)), `seed ${seed}, frame ${frame}`).toEqual([]);
      }
    }
    expect(overlaps(layoutTree(treeOf(fullShape(6)), NONE, 100))).toEqual([]);
  });

  it('keeps every node inside the drawing', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const layout = layoutTree(treeOf(randomShape(seed, 5)), NONE, 600, { leaf: 500, split: () => 500 });
      for (const placed of layout.nodes) {
        expect(placed.x - placed.width / 2).toBeGreaterThanOrEqual(0);
        expect(placed.x + placed.width / 2).toBeLessThanOrEqual(layout.width + 1e-6);
        expect(placed.y + placed.height).toBeLessThanOrEqual(layout.height);
      }
    }
  });

  it('shrinks to the frame as far as text stays readable, then grows wider than it', () => {
    const nodes = treeOf(fullShape(2));
    const roomy = layoutTree(nodes, NONE, 4000);
    const tight = layoutTree(nodes, NONE, roomy.width - 60);
    expect(tight.width).toBeCloseTo(roomy.width - 60, 6);
    const tightest = layoutTree(nodes, NONE, roomy.width * (LEAST_SHARE + 0.05));
    expect(tightest.width).toBeLessThanOrEqual(roomy.width * (LEAST_SHARE + 0.05) + 1e-6);
    const readable = layoutTree(nodes, NONE, roomy.width * LEAST_SHARE * LEAST_SCALE * 1.06);
    expect(readable.width * LEAST_SCALE).toBeLessThanOrEqual(
      roomy.width * LEAST_SHARE * LEAST_SCALE * 1.06 + 1e-6,
    );
    expect(readable.nodes.at(-1)!.width).toBeGreaterThan(LEAF_WIDTH * LEAST_SHARE);
    const least = layoutTree(nodes, NONE, 50);
    expect(least.nodes.at(-1)!.width).toBeCloseTo(LEAF_WIDTH * LOOSE_SHARE, 6);
    expect(least.width).toBeGreaterThan(50);
  });

  it('gives a folded split the room of a leaf, so that more levels fit', () => {
    const nodes = treeOf(fullShape(4));
    const width = (levels: number) => layoutTree(nodes, foldedPaths(nodes, levels, NONE, NONE), 4000).width;
    expect(width(3)).toBeCloseTo(layoutTree(treeOf(fullShape(3)), NONE, 4000).width, 6);
    expect(readableLevels(nodes, 4, width(3) * LOOSE_SHARE * LEAST_SCALE * 1.01)).toBe(3);
    // Any tighter, and the words of folded splits would be unreadable; a whole tree may be tight.
    const tight = width(3) * LEAST_SHARE * LEAST_SCALE * 1.06;
    expect(readableLevels(nodes, 4, tight)).toBe(2);
    expect(readableLevels(treeOf(fullShape(3)), 3, tight)).toBe(3);
  });

  it('counts no tree out that a layout would let in', () => {
    // The same without counting: every number of levels is laid out.
    const slow = (nodes: ReturnType<typeof treeOf>, depth: number, frame: number) => {
      const fits = (levels: number) =>
        layoutTree(
          nodes,
          foldedPaths(nodes, levels, NONE, NONE),
          frame,
          undefined,
          levels < depth ? LOOSE_SHARE : LEAST_SHARE,
        ).width *
          LEAST_SCALE <=
        frame;
      if (depth <= 2 || fits(depth)) return Math.max(2, depth);
      let levels = 2;
      while (levels + 1 < depth && fits(levels + 1)) levels += 1;
      return levels;
    };
    for (let seed = 1; seed <= 40; seed += 1) {
      const nodes = treeOf(randomShape(seed, 2 + (seed % 6)));
      const depth = Math.max(...nodes.map(({ path }) => path.length));
      for (const frame of [240, 340, 520, 700, 1100, 1600])
        expect(readableLevels(nodes, depth, frame)).toBe(slow(nodes, depth, frame));
    }
  });

  it('widens leaves alike and only while the tree fits', () => {
    const wanted = { leaf: 120, split: () => SPLIT_WIDTH };
    const widths = (frame: number) =>
      new Set(
        layoutTree(IRIS, NONE, frame, wanted).nodes.flatMap((placed) => (placed.leaf ? [placed.width] : [])),
      );
    expect(widths(2000)).toEqual(new Set([120]));
    expect(widths(layoutTree(IRIS, NONE, 2000).width)).toEqual(new Set([LEAF_WIDTH]));
  });

  it('widens a split without moving anything', () => {
    const places = (split: number) =>
      layoutTree(IRIS, NONE, 2000, { leaf: LEAF_WIDTH, split: () => split }).nodes.map(({ x, y }) => [x, y]);
    expect(places(240)).toEqual(places(10));
    const [root] = layoutTree(IRIS, NONE, 2000, { leaf: LEAF_WIDTH, split: () => 200 }).nodes;
    expect(root!.width).toBe(200);
  });

  it('folds a split away with what hangs below it', () => {
    const { nodes } = layoutTree(IRIS, new Set(['R']), 1000);
    expect(nodes.map((placed) => placed.node.path)).toEqual(['', 'L', 'R']);
    expect(nodes[2]).toMatchObject({ folded: true, leaf: false, hiddenLeaves: 2 });
  });

  it('draws a lone leaf and nothing at all', () => {
    const { nodes } = layoutTree(treeOf({ answer: 'a', counts: [4, 2] }), NONE, 300);
    expect(nodes).toHaveLength(1);
    expect(nodes[0]).toMatchObject({ leaf: true, level: 0, parent: null });
    expect(layoutTree([], NONE, 300).nodes).toEqual([]);
  });
});

describe('edgePath', () => {
  it('starts at the foot of the parent and ends at the head of the child', () => {
    expect(edgePath({ x: 10, y: 20 }, { x: 40, y: 60 })).toBe('M10,20C10,40,40,40,40,60');
  });
});
