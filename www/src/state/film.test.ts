import { describe, expect, it } from 'vitest';
import type { TreeView } from '../protocol';
import {
  NOTHING_SEEN,
  changeTicks,
  filmFrames,
  frameAfter,
  seenFilm,
  seenFrame,
  withSeen,
  lastStage,
} from './film';
import { progress, view } from '../fixtures/replies';

const frames = filmFrames(new Float32Array([1, 1, 0, 0.5, 0.6, 1, 2, 1, 0.4, 0.5, 2, 1, 1, 0.3, NaN]));

describe('a film', () => {
  it('is read from the engine’s numbers', () => {
    expect(frames).toHaveLength(3);
    expect(frames[1]).toMatchObject({ restart: 1, epoch: 2, changed: true });
    expect(frames[2]!.valid).toBeNaN();
    expect(filmFrames(new Float32Array(0))).toEqual([]);
  });

  it('steps by key and stays within its ends', () => {
    expect(frameAfter('ArrowRight', 2, frames)).toBe(2);
    expect(frameAfter('ArrowLeft', 1, frames)).toBe(0);
    expect([frameAfter('Home', 2, frames), frameAfter('End', 0, frames)]).toEqual([0, 2]);
    expect(frameAfter('x', 1, frames)).toBeNull();
  });

  it('marks changes where they can be told apart', () => {
    expect(changeTicks(frames, 0.01)).toEqual([0.5, 1]);
    expect(changeTicks(frames, 0.6)).toEqual([0.5]);
  });
});

describe('what the page saw', () => {
  const tree = (feature: string, nodes = 3): TreeView => ({
    ...view(nodes),
    nodes: Array.from(
      { length: nodes },
      (_, index) => ({ path: `${index}`, feature }) as TreeView['nodes'][number],
    ),
  });

  it('is thinned evenly, keeps its first tree and loses no change of a column', () => {
    let seen = NOTHING_SEEN;
    for (let epoch = 1; epoch <= 2000; epoch++)
      seen = withSeen(seen, tree(epoch < 701 ? 'a' : 'b'), null, progress({ epoch }));
    expect(seen.frames.length).toBeGreaterThan(100);
    expect(seen.frames.length).toBeLessThanOrEqual(240);
    expect(seen.frames[0]?.epoch).toBe(1);
    const steps = seen.frames.slice(1).map(({ epoch }, index) => epoch - seen.frames[index]!.epoch);
    expect(Math.max(...steps)).toBeLessThanOrEqual(2 * Math.min(...steps));
    const changes = seen.frames.filter(({ changed }) => changed);
    expect(changes).toHaveLength(1);
    expect(changes[0]!.epoch).toBeGreaterThanOrEqual(701);
    expect(changes[0]!.epoch).toBeLessThan(701 + 2 * seen.stride);
  });

  it('holds fewer frames of large trees', () => {
    let seen = NOTHING_SEEN;
    for (let epoch = 1; epoch <= 300; epoch++)
      seen = withSeen(seen, tree('a', 511), null, progress({ epoch }));
    const nodes = seen.frames.reduce((sum, { tree }) => sum + tree.nodes.length, 0);
    expect(nodes).toBeLessThanOrEqual(12_000);
    expect(seen.frames.length).toBeGreaterThan(8);
  });

  it('is a film from two frames on', () => {
    const one = withSeen(NOTHING_SEEN, tree('a'), null, progress());
    expect(seenFilm(one)).toBeNull();
    const two = withSeen(one, tree('b'), null, progress());
    expect(seenFilm(two)).toMatchObject({ own: true, shown: null });
    expect(seenFrame(two, 1)?.tree.nodes[0]?.feature).toBe('b');
    expect(seenFrame(two, 2)).toBeNull();
  });
});

describe('the last stage of a film', () => {
  const at = (...places: [number, number][]) =>
    places.map(([restart, epoch]) => ({ restart, epoch, changed: false, train: 0, valid: 0 }));

  it('begins where epochs are counted anew, or a start is gone back to', () => {
    expect(lastStage(at([1, 1], [1, 2], [2, 1], [2, 2], [2, 1], [2, 2]))).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(lastStage(at([1, 1], [2, 1], [1, 2], [1, 3]))).toEqual([false, false, true, true]);
  });

  it('is not a start that ran elsewhere and was put in behind others', () => {
    expect(lastStage(at([1, 1], [3, 1], [2, 1], [2, 2]))).toEqual([false, false, false, false]);
  });

  it('need not be there', () => {
    expect(lastStage([])).toEqual([]);
    expect(lastStage(at([1, 5], [1, 10]))).toEqual([false, false]);
  });
});
