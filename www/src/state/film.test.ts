import { describe, expect, it } from 'vitest';
import { changeTicks, filmFrames, frameAfter } from './film';

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
