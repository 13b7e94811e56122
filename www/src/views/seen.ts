/** Tells whether an element is, or is about to be, in sight. For what need not be drawn otherwise. */
export function whenSeen(tell: (seen: boolean) => void) {
  return (element: Element) => {
    const observer = new IntersectionObserver((entries) => tell(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: '160px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  };
}
