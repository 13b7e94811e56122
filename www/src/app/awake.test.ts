import { beforeEach, expect, it } from 'vitest';
import { AwakeClock, SLEEP_MS } from './awake';

let time = 0;
let beat: (() => void) | null = null;
const clock = () =>
  new AwakeClock({
    now: () => time,
    every: (_, call) => {
      beat = call;
      return () => (beat = null);
    },
  });

beforeEach(() => {
  time = 0;
  beat = null;
});

it('leaves out a silence that is too long for work', () => {
  const awake = clock();
  awake.watch(true);
  for (time = 1000; time <= 5000; time += 1000) beat?.();
  time = 5000;
  expect(awake.now()).toBe(5000);
  time += 60_000;
  expect(awake.now()).toBe(6000);
  time += 500;
  expect(awake.now()).toBe(6500);
});

it('counts a message that comes late, as long as the page beats', () => {
  const awake = clock();
  awake.watch(true);
  for (time = 0; time < 4 * SLEEP_MS; time += 1000) beat?.();
  expect(awake.now()).toBe(time);
});

it('does not judge when it does not watch', () => {
  const awake = clock();
  time = 60_000;
  awake.watch(true);
  expect(awake.now()).toBe(60_000);
  awake.watch(false);
  expect(beat).toBeNull();
  time = 200_000;
  expect(awake.now()).toBe(200_000);
});
