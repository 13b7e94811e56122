/**
 * The first engine, started before the page's own scripts are loaded: both are fetched and compiled at the
 * same time.
 *
 * A worker does not wait for a listener, so its early messages are stored and replayed to the listener that
 * takes it over.
 */
import type { WorkerLike } from './client';

type Said = { by: 'onmessage' | 'onerror' | 'onmessageerror'; event: Event };

let waiting: { worker: WorkerLike; said: Said[] } | null = null;

/** Starts the engine. */
export function startEarly(spawn: () => WorkerLike): void {
  const worker = spawn();
  const said: Said[] = [];
  for (const by of ['onmessage', 'onerror', 'onmessageerror'] as const)
    worker[by] = (event: Event) => void said.push({ by, event });
  waiting = { worker, said };
}

/**
 * The started engine, returned only once; null if it is gone. Its new listeners receive its earlier messages.
 */
export function takeOver(): WorkerLike | null {
  if (waiting === null) return null;
  const { worker, said } = waiting;
  waiting = null;
  // The caller sets the new listeners after this function returns.
  queueMicrotask(() => {
    for (const { by, event } of said) (worker[by] as ((event: Event) => void) | null)?.(event);
  });
  return worker;
}
