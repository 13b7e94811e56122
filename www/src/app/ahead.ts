/**
 * Makes ready what a training will soon need, while the page has nothing to do: formats of numbers, which take a browser some milliseconds
 * each, and the views that come with its result. Made when they are needed, they fall into frames that have a tree to draw.
 */
import { makeFormat } from '../text/locale';

/** When nothing is to do; a moment later where the browser cannot tell. */
const idle = (task: () => void): void =>
  void ('requestIdleCallback' in globalThis ? requestIdleCallback(task) : setTimeout(task, 200));

const views = [
  () => import('../views/compare/OneRow.svelte'),
  () => import('../views/compare/Closer.svelte'),
  () => import('../views/Restarts.svelte'),
];

let begun = false;

/** Goes on as long as `wanted` says so, one thing at a time. May be called again. */
export function makeReady(wanted: () => boolean): void {
  if (begun) return;
  begun = true;
  const next = () => {
    if (!wanted()) begun = false;
    else if (makeFormat()) idle(next);
    else {
      const view = views.shift();
      // Without a connection it is tried again when it is needed.
      view?.().then(
        () => idle(next),
        () => {},
      );
    }
  };
  idle(next);
}
