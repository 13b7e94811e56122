// A shape for each class on a map, so that rows can be distinguished without colour.

/** Paths around the origin, about as heavy as a circle of radius 1. */
const SHAPES: readonly ((r: number) => string)[] = [
  (r) => `m${-r},0a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0z`,
  (r) => `m${-0.88 * r},${-0.88 * r}h${1.76 * r}v${1.76 * r}h${-1.76 * r}z`,
  (r) => `m0,${-1.25 * r}l${1.2 * r},${2.05 * r}h${-2.4 * r}z`,
  (r) => `m0,${-1.3 * r}l${1.3 * r},${1.3 * r}l${-1.3 * r},${1.3 * r}l${-1.3 * r},${-1.3 * r}z`,
  (r) => `m0,${1.25 * r}l${1.2 * r},${-2.05 * r}h${-2.4 * r}z`,
  (r) =>
    `m${-0.4 * r},${-1.2 * r}h${0.8 * r}v${0.8 * r}h${0.8 * r}v${0.8 * r}h${-0.8 * r}v${0.8 * r}h${-0.8 * r}v${-0.8 * r}h${-0.8 * r}v${-0.8 * r}h${0.8 * r}z`,
  (r) => `m${-1.4 * r},${-0.6 * r}h${2.8 * r}v${1.2 * r}h${-2.8 * r}z`,
  (r) => `m${-0.6 * r},${-1.4 * r}h${1.2 * r}v${2.8 * r}h${-1.2 * r}z`,
];

const written = new Map<string, string>();

/** The mark of a class's slot at a place, as a piece of a path. */
export function shapeAt(slot: number, x: number, y: number, r: number): string {
  const key = `${slot % SHAPES.length} ${r}`;
  // A map has hundreds of marks of the same few shapes.
  let shape = written.get(key);
  if (shape === undefined) {
    shape = SHAPES[slot % SHAPES.length]!(r).replace(/-?\d+\.\d+/g, (number) =>
      String(Math.round(Number(number) * 100) / 100),
    );
    written.set(key, shape);
  }
  return `M${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}${shape}`;
}
