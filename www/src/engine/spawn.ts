/** Starts the workers that hold an engine. */
import type { WorkerLike } from './client';
import type { Spawn } from './engines';

/**
 * The workers of the engines. The first one may have been started already: then `takeOver` returns it, once.
 */
export const spawnWith = (takeOver: () => WorkerLike | null): Spawn => ({
  small: () =>
    takeOver() ??
    new Worker(new URL('../workers/engine.worker.ts', import.meta.url), { type: 'module', name: 'engine' }),
  large: () =>
    new Worker(new URL('../workers/study.worker.ts', import.meta.url), { type: 'module', name: 'study' }),
  helper: (large: boolean) =>
    large
      ? new Worker(new URL('../workers/study.worker.ts', import.meta.url), { type: 'module', name: 'helper' })
      : new Worker(new URL('../workers/engine.worker.ts', import.meta.url), {
          type: 'module',
          name: 'helper',
        }),
  cores: () => navigator.hardwareConcurrency || 1,
});
