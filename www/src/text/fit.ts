// Fits text into a given width without asking the browser, so that geometry stays pure.

const NARROW = /[iljtfrI.,:;'|!()[\] ]/;
const WIDE = /[mwMW@%≤≥—]/;
const UPPER = /[A-Z0-9_<>=+~&$#?]/;

/**
 * Estimated width of one character in em of a bold sans-serif. The estimate is generous (DejaVu's, the widest
 * of the common system fonts), so that fitting text really fits.
 */
function measured(char: string): number {
  if (NARROW.test(char)) return 0.42;
  if (WIDE.test(char)) return 1;
  if (UPPER.test(char)) return 0.72;
  // CJK, emoji and other full-width characters.
  return char.codePointAt(0)! >= 0x1100 ? 1.05 : 0.67;
}

// Every word of a tree is measured in every frame of a training, and there are few distinct characters.
const advances = new Map<string, number>();

function advance(char: string): number {
  let em = advances.get(char);
  if (em === undefined) advances.set(char, (em = measured(char)));
  return em;
}

/** Estimated width of `text` in pixels at `fontSize` pixels. */
export function textWidth(text: string, fontSize: number): number {
  let em = 0;
  for (const char of text) em += advance(char);
  return em * fontSize;
}

/**
 * Cuts `text` in the middle to at most `limit` characters: a condition's feature is at its start and its
 * threshold at its end, and both matter more than the middle.
 */
export function cutMiddle(text: string, limit: number): string {
  const chars = [...text];
  if (chars.length <= limit) return text;
  if (limit <= 1) return '…';
  const kept = limit - 1;
  const head = Math.ceil(kept / 2);
  const tail = kept - head;
  return `${chars.slice(0, head).join('').trimEnd()}…${tail > 0 ? chars.slice(-tail).join('').trimStart() : ''}`;
}

/** The longest middle cut of `text` that fits `width` pixels at `fontSize` pixels. */
export function fitText(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  let low = 1;
  let high = [...text].length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textWidth(cutMiddle(text, middle), fontSize) <= width) low = middle;
    else high = middle - 1;
  }
  return cutMiddle(text, low);
}

/** The first of some texts that fits; if none does, the last one cut. */
export function fitFirst(texts: readonly string[], width: number, fontSize: number): string {
  return (
    texts.find((text) => textWidth(text, fontSize) <= width) ?? fitText(texts.at(-1) ?? '', width, fontSize)
  );
}
