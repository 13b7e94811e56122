// A drawing as a file: what style sheets say becomes attributes, so that other programs show the same.

/** What a style sheet may say about a mark. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
];

/** Pixels of a PNG for each pixel of the drawing. */
const DENSITY = 2;

/** A computed colour without `rgb()`, which some programs take for black. */
function plain(property: string, value: string): [string, string][] {
  const parts = /^rgba?\(([^)]+)\)$/
    .exec(value)?.[1]
    ?.split(/[\s,/]+/)
    .map(Number);
  if (!parts) return [[property, value]];
  const [r = 0, g = 0, b = 0, a = 1] = parts;
  const hex = `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
  return a < 1
    ? [
        [property, hex],
        [`${property}-opacity`, String(a)],
      ]
    : [[property, hex]];
}

/** The drawing inside `svg` as a document of its own, whatever part of it is in view. */
export function pictureOf(
  svg: SVGSVGElement,
  title: string,
): { text: string; width: number; height: number } {
  const drawing = svg.querySelector<SVGGElement>(':scope > g');
  if (!drawing) throw new Error('There is no drawing to save.');
  const box = drawing.getBBox();
  const margin = 12;
  const [width, height] = [Math.ceil(box.width + 2 * margin), Math.ceil(box.height + 2 * margin)];
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [originals, copies] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')];
  const gone: Element[] = [];
  originals.forEach((original, index) => {
    const clone = copies[index]!;
    const style = getComputedStyle(original);
    if (clone.classList.contains('ring')) gone.push(clone);
    for (const name of [
      'class',
      'style',
      'role',
      'tabindex',
      'id',
      ...clone.getAttributeNames().filter((name) => /^(aria|data)-/.test(name)),
    ]) {
      if (name !== 'id' || clone.tagName !== 'pattern') clone.removeAttribute(name);
    }
    if (['title', 'defs'].includes(clone.tagName)) return;
    // A mark that a style moves is moved by an attribute there.
    if (style.transform !== 'none' && !original.hasAttribute('transform'))
      clone.setAttribute('transform', style.transform);
    for (const property of PROPERTIES) {
      const own = original.getAttribute(property);
      if (own?.startsWith('url(')) continue;
      for (const [name, value] of plain(property, style.getPropertyValue(property)))
        if (value !== '') clone.setAttribute(name, value);
    }
  });
  gone.forEach((element) => element.remove());
  copy.querySelector(':scope > g')?.removeAttribute('transform');
  for (const name of copy.getAttributeNames()) copy.removeAttribute(name);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('viewBox', `${box.x - margin} ${box.y - margin} ${width} ${height}`);
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const paper = plain(
    'fill',
    getComputedStyle(document.documentElement).getPropertyValue('--color-surface').trim(),
  )[0]![1];
  for (const [name, value] of Object.entries({
    x: box.x - margin,
    y: box.y - margin,
    width,
    height,
    fill: paper,
  }))
    ground.setAttribute(name, String(value));
  copy.prepend(ground);
  const name = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  name.textContent = title;
  copy.prepend(name);
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

/** The same as a PNG. */
export async function pngOf({
  text,
  width,
  height,
}: {
  text: string;
  width: number;
  height: number;
}): Promise<Blob> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    // Browsers refuse canvases beyond some sixteen thousand pixels a side.
    const density = Math.min(DENSITY, 16_000 / Math.max(width, height));
    [canvas.width, canvas.height] = [Math.round(width * density), Math.round(height * density)];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser has no canvas.');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('The picture is too large for this browser.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
