/** Runs before the page's own scripts are there: starts the engine, which takes longest to come. */
import { startEarly } from './worker/early';

export { takeOver } from './worker/early';

startEarly(() => new Worker(new URL('./worker/engine.worker.ts', import.meta.url), { type: 'module', name: 'engine' }));
