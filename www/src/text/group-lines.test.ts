import { describe, expect, it } from 'vitest';
import { groupLines } from './group-lines';
import { treeOf } from '../fixtures/trees';

describe('the lines of a hierarchy', () => {
  const nodes = treeOf({
    split: 'Mg ≤ 2',
    yes: { answer: 'cluster 1', counts: [3] },
    no: {
      split: 'Ca ≤ 9',
      yes: { answer: 'cluster 2', counts: [4] },
      no: { answer: 'cluster 3', counts: [5] },
    },
  });

  it('say the way to each branch, a branch before what is below it', () => {
    const lines = groupLines(nodes);
    expect(lines.map(({ path, level, rows, name }) => [path, level, rows, name])).toEqual([
      ['', 0, 12, ''],
      ['L', 1, 3, 'cluster 1'],
      ['R', 1, 9, ''],
      ['RL', 2, 4, 'cluster 2'],
      ['RR', 2, 5, 'cluster 3'],
    ]);
    expect(lines[0]?.way).toBeNull();
    expect(lines[3]?.way).toEqual({ condition: 'Ca ≤ 9', exact: 'Ca ≤ 9', holds: true });
    expect(lines[2]?.way).toEqual({ condition: 'Mg ≤ 2', exact: 'Mg ≤ 2', holds: false });
  });

  it('round a weighted sum, and keep it as it is beside that', () => {
    const [root, ...rest] = nodes;
    const sum = { ...root!, condition: '1.0421160·a − 0.99950224·b ≤ 2.522064', weights: [0.6, 0.4] };
    expect(groupLines([sum, ...rest])[1]?.way).toEqual({
      condition: '1.04·a − 1·b ≤ 2.52',
      exact: '1.042116·a − 0.99950224·b ≤ 2.522064',
      holds: true,
    });
  });

  it('tell a sum of many columns by its strongest', () => {
    const [root, ...rest] = nodes;
    const sum = {
      ...root!,
      condition: '2·a + 1·b + 0.5·c + 0.1·d ≤ 1',
      weights: [0.6, 0.3, 0.05, 0.05],
      leading: ['a', 'b', 'c'],
    };
    expect(groupLines([sum, ...rest])[1]?.way).toMatchObject({
      condition: '↑a ↑b +2',
      exact: '2·a + 1·b + 0.5·c + 0.1·d ≤ 1',
    });
  });

  it('are none without a tree', () => {
    expect(groupLines([])).toEqual([]);
  });
});
