import { describe, expect, it } from 'vitest';
import { classSigns } from '../draw/classes';
import { BADGE, CARD_PADDING, LABEL_SIZE, badgeWidth, nodeMarks, wantedWidths } from './marks';
import { IRIS, treeOf } from '../fixtures/trees';
import { textWidth } from '../text/fit';
import { layoutTree } from '../draw/tree';

const signs = classSigns(['setosa', 'versicolor', 'virginica']);
const marksOf = (nodes: typeof IRIS, frame = 1000) =>
  nodeMarks(nodes, layoutTree(nodes, new Set(), frame, wantedWidths(signs)).nodes, signs, false);

describe('nodeMarks', () => {
  it('names the class of a leaf by its sign and its share', () => {
    const leaf = marksOf(IRIS).find((mark) => mark.placed.node.path === 'RL')!;
    expect(leaf.sign).toMatchObject({ letter: 'B', slot: 1 });
    expect(leaf.label).toBe('versicolor');
    expect(leaf.notes).toEqual(['90% of 31']);
    expect(leaf).toMatchObject({ index: 3, missing: null });
    expect(leaf.share).toBeCloseTo(28 / 31);
    const narrow = nodeMarks(
      IRIS,
      layoutTree(IRIS, new Set(), 1000).nodes.map((placed) => ({ ...placed, width: 66 })),
      signs,
      false,
    );
    expect(narrow.find((mark) => mark.placed.node.path === 'RL')!.notes).toEqual(['90%', 'of 31']);
    expect(leaf.segments.map((segment) => segment.slot)).toEqual([1, 2]);
  });

  it('cuts a long condition to its card and keeps the whole of it to be spoken', () => {
    const condition = `${'a very long name of a column '.repeat(4)}≤ 0.25`;
    const nodes = treeOf({
      split: condition,
      yes: { answer: 'setosa', counts: [1, 0, 0] },
      no: { answer: 'virginica', counts: [0, 0, 1] },
    });
    const [root] = marksOf(nodes, 300);
    expect(textWidth(root!.label, LABEL_SIZE)).toBeLessThanOrEqual(root!.placed.width - 2 * CARD_PADDING);
    expect(root!.label).toContain('…');
    expect(root!.spoken).toContain(condition.replace('≤', 'at most'));
  });

  it('fades a node as it is pruned, and says so', () => {
    const kept = [1, 0.4, 0.9, 0, 0.9];
    const marks = marksOf(IRIS.map((node, index) => ({ ...node, kept: kept[index] ?? null })));
    const at = (path: string) => marks.find((mark) => mark.placed.node.path === path)!;
    expect(at('').opacity).toBe(1);
    expect(at('').notes).toEqual(['90 rows, 100% kept']);
    expect(at('L').opacity).toBeCloseTo(0.7);
    expect(at('RL').opacity).toBe(0.5);
    expect(at('RL').notes[0]).toBe('pruned');
    expect(at('RL').spoken).toContain('; pruned');
    expect(marksOf(IRIS).every(({ opacity }) => opacity === 1)).toBe(true);
  });

  it('tells what distinguishes a group', () => {
    const nodes = IRIS.map((node) => ({
      ...node,
      description: ['Mg higher: 3.5 on average, elsewhere 1.2', 'Ca lower'],
    }));
    const leaf = marksOf(nodes).find((mark) => mark.placed.leaf)!;
    expect(leaf.lines[0]).toBe('Mg ↑3.5');
    expect(leaf.spoken).toContain('Mg higher: 3.5 on average, elsewhere 1.2; Ca lower');
  });

  it('says how many leaves a folded split hides', () => {
    const layout = layoutTree(IRIS, new Set(['']), 1000);
    const notes = (width: number) =>
      nodeMarks(
        IRIS,
        layout.nodes.map((placed) => ({ ...placed, width })),
        signs,
        false,
      )[0]!.notes;
    expect(notes(180)).toEqual(['90 rows, 3 leaves']);
    // A word that is cut would say less than one that is left out.
    expect(notes(92)).toEqual(['3 leaves']);
  });

  it('draws mean and deviation of numbers on one axis, and no classes', () => {
    const nodes = treeOf({
      split: 'x ≤ 1',
      yes: { answer: '2', counts: [] },
      no: { answer: '8', counts: [] },
    });
    const values = [
      { mean: 5, deviation: 5 },
      { mean: 2, deviation: 1 },
      { mean: 8, deviation: 0.5 },
    ];
    const regression = nodes.map((node, index) => ({ ...node, ...values[index]!, probabilities: [] }));
    const marks = nodeMarks(regression, layoutTree(regression, new Set(), 1000).nodes, [], true);
    const [root, yes] = marks;
    expect(root!.spread).toEqual({ x0: 0, mean: root!.barWidth / 2, x1: root!.barWidth });
    expect(yes!.spread!.mean).toBeCloseTo(yes!.barWidth * 0.2, 10);
    expect(yes!.notes).toEqual(['± 1', '0 rows']);
    expect(marks.every((mark) => mark.segments.length === 0 && mark.sign === null)).toBe(true);
  });
});

it('makes room for letters beyond Z', () => {
  const many = classSigns(Array.from({ length: 27 }, (_, index) => `c${index}`));
  expect(badgeWidth(many[0]!)).toBe(BADGE);
  expect(badgeWidth(many[26]!)).toBeGreaterThan(BADGE);
});
