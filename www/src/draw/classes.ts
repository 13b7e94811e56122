// The marks of classes: a colour, a texture and a letter each, so that colour is never the only distinction.

/** Number of colours and textures: `--class-0` … `--class-7`. */
export const CLASS_SLOTS = 8;

export interface ClassSign {
  /** Position in the problem's classes. */
  index: number;
  /** The class as the file spells it. */
  name: string;
  /** `A`, `B`, … `Z`, `AA`, …: unique for every class. */
  letter: string;
  /** Which colour and texture. With more classes than slots, the last slot is for all the others. */
  slot: number;
}

/** A column's letter as spreadsheets count: 0 → A, 25 → Z, 26 → AA. */
export function classLetter(index: number): string {
  let rest = index;
  let letter = '';
  do {
    letter = String.fromCharCode(65 + (rest % 26)) + letter;
    rest = Math.floor(rest / 26) - 1;
  } while (rest >= 0);
  return letter;
}

/** The marks of `classes`, in their order. */
export function classSigns(classes: readonly string[]): ClassSign[] {
  const own = classes.length <= CLASS_SLOTS ? CLASS_SLOTS : CLASS_SLOTS - 1;
  return classes.map((name, index) => ({
    index,
    name,
    letter: classLetter(index),
    slot: Math.min(index, own),
  }));
}

/** Sums counts per class into counts per slot. */
export function countsBySlot(counts: readonly number[], signs: readonly ClassSign[]): number[] {
  const used = signs.reduce((most, sign) => Math.max(most, sign.slot + 1), 0);
  const sums = new Array<number>(used).fill(0);
  for (const sign of signs) sums[sign.slot]! += counts[sign.index] ?? 0;
  return sums;
}
