import { expect, test } from 'vitest';
import type { WorkerLike } from './client';
import { startEarly, takeOver } from './early';

const worker = (): WorkerLike => ({
  postMessage: () => {},
  terminate: () => {},
  onmessage: null,
  onerror: null,
  onmessageerror: null,
});

test('what the first engine says before anybody listens is heard in its order, and it is taken over once', async () => {
  const first = worker();
  startEarly(() => first);
  first.onmessage?.({ data: 1 } as MessageEvent);
  first.onerror?.({ message: 'lost' } as ErrorEvent);

  const heard: unknown[] = [];
  expect(takeOver()).toBe(first);
  first.onmessage = ({ data }) => heard.push(data);
  first.onerror = ({ message }) => heard.push(message);
  await Promise.resolve();
  first.onmessage({ data: 2 } as MessageEvent);
  expect(heard).toEqual([1, 'lost', 2]);
  expect(takeOver()).toBeNull();
});
