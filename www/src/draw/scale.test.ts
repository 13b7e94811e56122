import { describe, expect, it } from 'vitest';
import { linear } from './scale';

describe('a linear scale', () => {
  it('maps ends to ends, upside down too', () => {
    const scale = linear([2, 6], [100, 0]);
    expect([scale(2), scale(4), scale(6)]).toEqual([100, 50, 0]);
  });

  it('has round ticks without the dust of binary fractions', () => {
    expect(linear([0, 1], [0, 1]).ticks(5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(linear([0, 0.3], [0, 1]).ticks(3)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(linear([0, 347], [0, 1]).ticks(5)).toEqual([0, 50, 100, 150, 200, 250, 300]);
    expect(linear([-1.2, 2.7], [0, 1]).ticks(4)).toEqual([-1, 0, 1, 2]);
    expect(linear([1000, 9000], [0, 1]).ticks(4)).toEqual([2000, 4000, 6000, 8000]);
  });

  it('widens its domain to ticks', () => {
    const scale = linear([0.123, 0.589], [0, 1], 4);
    expect(scale.domain).toEqual([0.1, 0.6]);
    const ticks = scale.ticks(4);
    expect([ticks[0], ticks.at(-1)]).toEqual([0.1, 0.6]);
  });

  it('writes ticks with the decimals they need', () => {
    const scale = linear([0, 1], [0, 1]);
    expect(scale.ticks(5).map(scale.format(5))).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']);
    const large = linear([0, 5000], [0, 1]);
    expect(large.ticks(4).map(large.format(4))).toEqual(['0', '1,000', '2,000', '3,000', '4,000', '5,000']);
  });

  it('survives a single value', () => {
    const scale = linear([3, 3], [0, 10], 4);
    expect(scale(3)).toBe(0);
    expect(scale.ticks(4)).toEqual([3]);
  });
});
