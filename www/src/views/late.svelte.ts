/** A fact that may be shown late: it follows after a frame, so that the one that answers a click, or shows a tree, has less to do. */
import { untrack } from 'svelte';
import { afterFrame } from './after-frame';

export function late<Fact>(now: () => Fact): { readonly current: Fact } {
  let current = $state.raw(untrack(now));
  $effect(() => {
    const next = now();
    if (next !== untrack(() => current)) return afterFrame(() => (current = next));
    return;
  });
  return {
    get current() {
      return current;
    },
  };
}
