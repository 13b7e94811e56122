/**
 * The first engine, started before the page's own scripts are there: it is fetched and compiled while they are.
 *
 * A worker does not wait for somebody to listen, so what it says meanwhile is kept and said again to whoever takes it over.
 */
import type { WorkerLike } from './client';

type Said = { by: 'onmessage' | 'onerror' | 'onmessageerror'; event: Event };

let waiting: { worker: WorkerLike; said: Said[] } | null = null;

/** Starts the engine. */
export function startEarly(spawn: () => WorkerLike): void {
  const worker = spawn();
  const said: Said[] = [];
  for (const by of ['onmessage', 'onerror', 'onmessageerror'] as const) worker[by] = (event: Event) => void said.push({ by, event });
  waiting = { worker, said };
}

/** The engine that was started, once; null if there is none any more. Its new listeners hear what it has said so far. */
export function takeOver(): WorkerLike | null {
  if (waiting === null) return null;
  const { worker, said } = waiting;
  waiting = null;
  // The new listeners are set by whoever called, who has not ended yet.
  queueMicrotask(() => {
    for (const { by, event } of said) (worker[by] as ((event: Event) => void) | null)?.(event);
  });
  return worker;
}
