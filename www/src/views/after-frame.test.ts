import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TURN_MS, afterFrame } from './after-frame';

let now = 0;
let frames: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A frame is painted, and the tasks after it run. */
function paint(): void {
  for (const frame of frames.splice(0)) frame();
  vi.runAllTimers();
}

test('waits for a frame, and runs in a task after it', () => {
  const done: string[] = [];
  afterFrame(() => done.push('a'));
  vi.runAllTimers();
  expect(done).toEqual([]);
  paint();
  expect(done).toEqual(['a']);
  paint();
  expect(done).toEqual(['a']);
});

test('short work shares a turn; long work leaves the others to the next frame, in order', () => {
  const done: string[] = [];
  const work = (name: string, ms: number) =>
    afterFrame(() => {
      now += ms;
      done.push(name);
    });
  work('short', 1);
  work('long', TURN_MS);
  work('late', 1);
  work('last', 1);
  paint();
  expect(done).toEqual(['short', 'long']);
  paint();
  expect(done).toEqual(['short', 'long', 'late', 'last']);
});

test('what is asked for in a turn waits for the next frame', () => {
  const done: string[] = [];
  afterFrame(() => {
    done.push('first');
    afterFrame(() => done.push('second'));
  });
  paint();
  expect(done).toEqual(['first']);
  paint();
  expect(done).toEqual(['first', 'second']);
});

test('what is called off does not run, also when another of the same turn does it', () => {
  const done: string[] = [];
  const off = afterFrame(() => done.push('never'));
  off();
  afterFrame(() => later());
  const later = afterFrame(() => done.push('nor this'));
  paint();
  paint();
  expect(done).toEqual([]);
});

test('an error in one leaves the others to the next frame', () => {
  const done: string[] = [];
  afterFrame(() => {
    throw new Error('bug');
  });
  afterFrame(() => done.push('on'));
  expect(paint).toThrow('bug');
  paint();
  expect(done).toEqual(['on']);
});
