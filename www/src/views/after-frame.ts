/**
 * Does something once the next frame has been painted, in a task of its own: what is built in the frame itself would make it late.
 * Gives the way to call it off.
 */
export function afterFrame(action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const request = requestAnimationFrame(() => (timer = setTimeout(action)));
  return () => {
    cancelAnimationFrame(request);
    clearTimeout(timer);
  };
}
