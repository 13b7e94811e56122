/** Number formats of the reader's language. The words are English; a file's own numbers stay as they are. */
export const LOCALE = globalThis.navigator?.language ?? 'en';

/** Maximum number of texts that one format remembers. */
const MOST = 4096;

const unmade: (() => Intl.NumberFormat)[] = [];

/** Creates one more of the formats, for idle time; returns false when all of them exist. */
export function makeFormat(): boolean {
  const make = unmade.shift();
  // The first use takes longer than later ones.
  make?.().format(0.5);
  return make !== undefined;
}

/**
 * A number format. Creating one takes a browser about a millisecond and using it some microseconds, which a
 * tree of a hundred numbers pays in every frame. So it is created when first used, and remembers its results.
 */
export function numberFormat(options: Intl.NumberFormatOptions): { format: (value: number) => string } {
  let made: Intl.NumberFormat | null = null;
  const make = () => (made ??= new Intl.NumberFormat(LOCALE, options));
  unmade.push(make);
  const written = new Map<number, string>();
  return {
    format: (value) => {
      const made = make();
      // A map treats −0 as 0, which is written differently.
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

/**
 * A date format, in UTC. It is created when first used: few files have dates, and every visit would wait for
 * it.
 */
export function utcFormat(options: Intl.DateTimeFormatOptions): { format: (ms: number) => string } {
  let made: Intl.DateTimeFormat | null = null;
  return {
    format: (ms) => (made ??= new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' })).format(ms),
  };
}
