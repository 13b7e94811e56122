/** The worker of the first load: reads files and trains the axis-aligned learners. */
import init, { Engine } from '../pkg/espalier.js';
import wasm from '../pkg/espalier_bg.wasm?url';
import { serve } from './serve';

serve(async () => {
  // Named here, so that the bundler finds the file however the package was generated.
  await init({ module_or_path: wasm });
  return new Engine();
});
