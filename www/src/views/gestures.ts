import { ZOOM_STEP, type Pinch } from '../draw/viewport';

/** What is done with a drawing by wheel and fingers; places are counted from its upper left corner. */
export interface Gestured {
  /** The wheel was turned with the key that zooms. */
  zoom(factor: number, x: number, y: number): void;
  /** Two fingers are where `now` says, and were where `begun` says when they came down; both are the same at first. */
  pinch(begun: Pinch, now: Pinch): void;
}

/** Listens by hand, since Svelte's own wheel listeners are passive and could not keep the page from zooming too. Gives the way to end it. */
export function gestures(element: SVGSVGElement, { zoom, pinch }: Gestured): () => void {
  const onwheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = element.getBoundingClientRect();
    zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, event.clientX - box.left, event.clientY - box.top);
  };
  const fingers = ({ touches }: TouchEvent): Pinch | null => {
    const box = element.getBoundingClientRect();
    const [a, b] = [...touches].map(({ clientX, clientY }) => ({
      x: clientX - box.left,
      y: clientY - box.top,
    }));
    return a && b && touches.length === 2 ? [a, b] : null;
  };
  let begun: Pinch | null = null;
  const ontouch = (event: TouchEvent) => {
    const now = fingers(event);
    if (now === null) return void (begun = null);
    // The page would zoom too.
    event.preventDefault();
    if (event.type === 'touchstart' || begun === null) begun = now;
    pinch(begun, now);
  };
  const listeners = [
    ['wheel', onwheel],
    ['touchstart', ontouch],
    ['touchmove', ontouch],
    ['touchend', ontouch],
    ['touchcancel', ontouch],
  ] as const;
  for (const [kind, listener] of listeners)
    element.addEventListener(kind, listener as EventListener, { passive: false });
  return () => {
    for (const [kind, listener] of listeners) element.removeEventListener(kind, listener as EventListener);
  };
}
