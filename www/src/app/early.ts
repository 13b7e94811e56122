/** Runs before the page's own scripts are there: starts the engine, which takes longest to come. */
import { startEarly } from '../engine/early';

export { takeOver } from '../engine/early';

startEarly(
  () =>
    new Worker(new URL('../workers/engine.worker.ts', import.meta.url), { type: 'module', name: 'engine' }),
);
