/** How the reader's language writes numbers. The words are English; a file's own numbers stay as the file has them. */
export const LOCALE = globalThis.navigator?.language ?? 'en';

/** So many texts are remembered by one format. */
const MOST = 4096;

const unmade: (() => Intl.NumberFormat)[] = [];

/** Makes one more of the formats, for when there is time; false when all of them are made. */
export function makeFormat(): boolean {
  const make = unmade.shift();
  // Its first use takes longer than those that follow.
  make?.().format(0.5);
  return make !== undefined;
}

/**
 * A way to write numbers. Making a format takes a browser about a millisecond and using one some microseconds, which a tree of
 * a hundred numbers pays at every frame: so it is made when it is first used, and remembers what it has written.
 */
export function numberFormat(options: Intl.NumberFormatOptions): { format: (value: number) => string } {
  let made: Intl.NumberFormat | null = null;
  const make = () => (made ??= new Intl.NumberFormat(LOCALE, options));
  unmade.push(make);
  const written = new Map<number, string>();
  return {
    format: (value) => {
      const made = make();
      // A map takes −0 for 0, which is written otherwise.
      if (Object.is(value, -0)) return made.format(value);
      let text = written.get(value);
      if (text !== undefined) return text;
      text = made.format(value);
      if (written.size >= MOST) written.clear();
      written.set(value, text);
      return text;
    },
  };
}

/** A way to write dates, which are in UTC. Made when it is first used: few files have dates, and every visit would wait for it. */
export function utcFormat(options: Intl.DateTimeFormatOptions): { format: (ms: number) => string } {
  let made: Intl.DateTimeFormat | null = null;
  return { format: (ms) => (made ??= new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' })).format(ms) };
}
