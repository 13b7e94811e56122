/** The worker with everything: the oblique learners, and trees that are read back. Fetched when one of these is asked for. */
import init, { Engine } from '../pkg/study.js';
import wasm from '../pkg/study_bg.wasm?url';
import { serve } from './serve';

serve(async () => {
  // Named here, so that the bundler sees the file whichever way the package was generated.
  await init({ module_or_path: wasm });
  return new Engine();
});
