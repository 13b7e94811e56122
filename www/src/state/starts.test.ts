import { describe, expect, it } from 'vitest';
import { progress } from '../fixtures/replies';
import { axesOf, startName, withStart, type Starts } from './starts';

const seen = (...steps: Parameters<typeof progress>[0][]): Starts =>
  steps.reduce((starts, step) => withStart(starts, progress({ restarts: 8, ...step })), {} as Starts);

describe('the names of restarts', () => {
  const starts = seen(
    { restart: 1, phase: 'teachers', start: 'greedy' },
    { restart: 1, phase: 'descent', start: 'greedy' },
    { restart: 3, phase: 'descent', start: 'random', randomStart: 2, randomStarts: 7 },
    // What comes after the restarts names none of them.
    { restart: 5, phase: 'descent', start: '' },
    { restart: 6, phase: 'choice', start: '' },
  );

  it('are the words of the engine, counted on for those that ran elsewhere', () => {
    expect(Object.keys(starts)).toEqual(['1', '3']);
    expect([1, 2, 3, 8].map((restart) => startName(starts, restart))).toEqual([
      'greedy start',
      'random start 1 of 7',
      'random start 2 of 7',
      'random start 7 of 7',
    ]);
  });

  it('tell one greedy tree from another', () => {
    const several = seen(
      { restart: 1, phase: 'greedy', start: 'greedy' },
      { restart: 1, phase: 'descent', start: "CART's tree" },
      { restart: 2, phase: 'descent', start: 'a greedy oblique tree' },
      { restart: 2, phase: 'greedy', start: 'greedy' },
    );
    expect([1, 2].map((restart) => startName(several, restart))).toEqual([
      "start at CART's tree",
      'start at a greedy oblique tree',
    ]);
  });

  it('are numbers while nothing is known', () => {
    expect(startName({}, 2)).toBe('start 2');
    expect(startName(seen({ restart: 3, start: 'random', randomStart: 3, randomStarts: 4 }), 9)).toBe(
      'start 9',
    );
  });

  it('tell which losses can be compared', () => {
    const axis = axesOf(starts, 8, 1);
    expect([1, 2, 3, 9].map(axis)).toEqual([0, 1, 1, 0]);
    expect(axesOf(starts, 8, 3)(9)).toBe(1);
    expect(axesOf(seen({ restart: 1, start: 'random', randomStart: 1, randomStarts: 4 }), 4, 1)(3)).toBe(0);
  });
});
