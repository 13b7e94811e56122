import { describe, expect, it } from 'vitest';
import { groupLines } from './groups';
import { treeOf } from './sample';

describe('the lines of a hierarchy', () => {
  const nodes = treeOf({
    split: 'Mg ≤ 2',
    yes: { answer: 'cluster 1', counts: [3] },
    no: { split: 'Ca ≤ 9', yes: { answer: 'cluster 2', counts: [4] }, no: { answer: 'cluster 3', counts: [5] } },
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
    expect(lines[3]?.way).toEqual({ condition: 'Ca ≤ 9', holds: true });
    expect(lines[2]?.way).toEqual({ condition: 'Mg ≤ 2', holds: false });
  });

  it('are none without a tree', () => {
    expect(groupLines([])).toEqual([]);
  });
});
