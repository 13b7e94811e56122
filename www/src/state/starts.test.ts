import { describe, expect, it } from 'vitest';
import { progress } from '../fixtures/replies';
import { axesOf, startName, withStart, type Starts } from './starts';

const seen = (...steps: Parameters<typeof progress>[0][]): Starts =>
  steps.reduce((starts, step) => withStart(starts, progress({ restarts: 8, ...step })), {} as Starts);

describe('the names of restarts', () => {
  const starts = seen(
    { restart: 1, phase: 'teachers', doing: 'growing the 50 trees that teach: 12 of 50 (fold 2 of 5)' },
    { restart: 1, phase: 'descent', doing: 'descent from a greedy tree, epoch 3 of 6' },
    { restart: 3, phase: 'descent', doing: 'random start 2 of 7, epoch 12' },
    // What comes after the restarts names none of them.
    { restart: 5, phase: 'descent', doing: 'random start 4 of 7 (descent alone)' },
    { restart: 6, phase: 'choice', doing: 'choosing by validation' },
  );

  it('are the words of the engine, counted on for those that ran elsewhere', () => {
    expect(starts).toEqual({ 1: 'greedy start', 3: 'random start 2 of 7' });
    expect([1, 2, 3, 8].map((restart) => startName(starts, restart))).toEqual([
      'greedy start',
      'random start 1 of 7',
      'random start 2 of 7',
      'random start 7 of 7',
    ]);
  });

  it('tell one greedy tree from another', () => {
    const several = seen(
      { restart: 1, phase: 'greedy', doing: 'growing a greedy tree' },
      { restart: 1, phase: 'descent', doing: "descent from CART's tree, epoch 11 of 60" },
      { restart: 2, phase: 'descent', doing: 'descent from a greedy oblique tree' },
      { restart: 2, phase: 'greedy', doing: 'growing a greedy tree' },
    );
    expect(several).toEqual({ 1: "start at CART's tree", 2: 'start at a greedy oblique tree' });
  });

  it('are numbers while nothing is known', () => {
    expect(startName({}, 2)).toBe('start 2');
    expect(startName({ 3: 'random start 3 of 4' }, 9)).toBe('start 9');
  });

  it('tell which losses can be compared', () => {
    const axis = axesOf(starts, 8, 1);
    expect([1, 2, 3, 9].map(axis)).toEqual([0, 1, 1, 0]);
    expect(axesOf(starts, 8, 3)(9)).toBe(1);
    expect(axesOf({ 1: 'random start 1 of 4' }, 4, 1)(3)).toBe(0);
  });
});
