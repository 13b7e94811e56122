/**
 * A random sample of the rows of a file that is too large to hold: one pass counts the rows, a second takes
 * some of them. Every set of rows is equally likely, rows stay in the file's order, and the seed determines
 * them.
 */
import type { Sampled } from '../messages';
import { RowEnds, widthOf, type Width } from './rows';

/** Bytes read from the file at once. */
export const PIECE_BYTES = 4 * 2 ** 20;

/**
 * Takes `wanted` rows. The first line is always taken, because it may be the header.
 *
 * @param report  called with the share of the work that is done
 */
export async function sampleRows(
  file: Blob,
  wanted: number,
  seed: number,
  report: (share: number) => void,
  pieceBytes = PIECE_BYTES,
): Promise<Sampled> {
  const width = widthOf(new Uint8Array(await file.slice(0, 2).arrayBuffer()));
  let lines = 0;
  await eachRow(
    file,
    width,
    pieceBytes,
    (share) => report(share / 2),
    () => void lines++,
  );
  const rows = Math.max(0, lines - 1);
  const random = mulberry32(seed);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let line = 0;
  let missing = Math.min(wanted, rows);
  await eachRow(
    file,
    width,
    pieceBytes,
    (share) => report((1 + share) / 2),
    (bytes) => {
      if (line === 0) parts.push(bytes());
      else if (random() * (rows - line + 1) < missing) {
        // Knuth's selection sampling: the probability is the rows still wanted divided by the rows still to
        // come.
        parts.push(bytes());
        missing--;
      }
      line++;
    },
  );
  return { blob: new Blob(parts, { type: 'text/csv' }), taken: Math.min(wanted, rows), rows };
}

/** Calls `row` for each row of the file with a function that returns its bytes. */
async function eachRow(
  file: Blob,
  width: Width,
  pieceBytes: number,
  report: (share: number) => void,
  row: (bytes: () => Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  const ends = new RowEnds(width);
  // The part of the current row received so far, and its position in the file.
  let held = new Uint8Array(0);
  let start = 0;
  for (let at = 0; at < file.size; at += pieceBytes) {
    const piece = new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer());
    const text = held.length > 0 ? joined(held, piece) : piece;
    const base = at - held.length;
    const take = (end: number) => {
      const from = start;
      row(() => text.slice(from - base, end - base));
      start = end;
    };
    ends.push(piece, take);
    if (at + piece.length >= file.size) ends.finish(take);
    held = text.slice(start - base);
    report(Math.min(1, (at + piece.length) / file.size));
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** A small generator of numbers in [0, 1), the same everywhere for the same seed. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
