/**
 * The worker with all features: the oblique learners, and trees that are read back. It is fetched when one of
 * these is needed.
 */
import init, { Engine } from '../pkg/study.js';
import wasm from '../pkg/study_bg.wasm?url';
import { serve } from './serve';

serve(async () => {
  // Named here, so that the bundler finds the file however the package was generated.
  await init({ module_or_path: wasm });
  return new Engine();
});
