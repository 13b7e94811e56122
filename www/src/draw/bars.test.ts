import { describe, expect, it } from 'vitest';
import { edgeWidth, segmentPath, spread, spreadRange, stackSegments } from './bars';

describe('stackSegments', () => {
  it('fills the width exactly, in slot order, without gaps or overlaps', () => {
    for (const counts of [
      [1, 1, 1],
      [7, 0, 3],
      [1, 999, 1],
      [0, 0, 5],
      [0.1, 0.2, 0.7],
    ]) {
      const segments = stackSegments(counts, 90);
      expect(segments[0]!.x0).toBe(0);
      expect(segments[segments.length - 1]!.x1).toBeCloseTo(90, 10);
      segments.slice(1).forEach((segment, index) => expect(segment.x0).toBe(segments[index]!.x1));
      const width = segments.reduce((sum, { x0, x1 }) => sum + x1 - x0, 0);
      expect(width).toBeCloseTo(90, 10);
    }
  });

  it('gives each class its share and leaves absent classes out', () => {
    expect(stackSegments([30, 0, 10], 80)).toEqual([
      { slot: 0, x0: 0, x1: 60 },
      { slot: 2, x0: 60, x1: 80 },
    ]);
  });

  it('draws nothing without rows', () => {
    expect(stackSegments([], 80)).toEqual([]);
    expect(stackSegments([0, 0], 80)).toEqual([]);
  });
});

describe('segmentPath', () => {
  it('sets neighbours off by a pixel where there is room', () => {
    expect(segmentPath({ slot: 0, x0: 0, x1: 60 }, 80, 8)).toBe('M0,0H59V8H0Z');
    expect(segmentPath({ slot: 2, x0: 60, x1: 80 }, 80, 8)).toBe('M60,0H80V8H60Z');
    expect(segmentPath({ slot: 0, x0: 0, x1: 2 }, 80, 8)).toBe('M0,0H2V8H0Z');
  });
});

describe('spread', () => {
  it('puts every node on the axis of the whole tree', () => {
    const range = spreadRange([
      { mean: 10, deviation: 4 },
      { mean: 2, deviation: 1 },
      { mean: null, deviation: null },
    ]);
    expect(range).toEqual({ low: 1, high: 14 });
    expect(spread(7.5, 6.5, range!, 130)).toEqual({ x0: 0, mean: 65, x1: 130 });
    expect(spread(100, 1, range!, 130)).toEqual({ x0: 130, mean: 130, x1: 130 });
  });

  it('has an axis for a constant target and none for an unknown one', () => {
    const range = spreadRange([{ mean: 3, deviation: 0 }]);
    expect(spread(3, 0, range!, 100).mean).toBe(50);
    expect(spreadRange([{ mean: null, deviation: null }])).toBeNull();
  });
});

describe('edgeWidth', () => {
  it('follows the square root of rows', () => {
    expect(edgeWidth(100, 100)).toBe(7);
    expect(edgeWidth(25, 100)).toBe(3.5);
    expect(edgeWidth(400, 1600) / edgeWidth(100, 1600)).toBeCloseTo(2, 10);
  });

  it('is never thinner than a pixel', () => {
    expect(edgeWidth(1, 1_000_000)).toBe(1);
    expect(edgeWidth(0, 100)).toBe(1);
    expect(edgeWidth(0, 0)).toBe(1);
  });
});
