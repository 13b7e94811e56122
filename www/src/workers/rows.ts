/**
 * Finds where the rows of a CSV end, byte by byte in pieces of any length. A line break inside a quoted field
 * does not end a row.
 *
 * It works on the bytes, whatever their encoding, because every relevant character is ASCII. In UTF-16 a
 * character has two bytes, so a row ends after both.
 */

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
/** Comma, semicolon, tab, bar: after each of them a quote opens a field. */
const OPENS_FIELD = new Uint8Array(256);
for (const sign of [0x2c, 0x3b, 0x09, 0x7c]) OPENS_FIELD[sign] = 1;

/** Bytes per character, and the position of the byte that holds ASCII. */
export interface Width {
  bytes: 1 | 2;
  ascii: 0 | 1;
}

/** From the byte-order mark; without one every relevant character is a single byte. */
export function widthOf(head: Uint8Array): Width {
  if (head[0] === 0xff && head[1] === 0xfe) return { bytes: 2, ascii: 0 };
  if (head[0] === 0xfe && head[1] === 0xff) return { bytes: 2, ascii: 1 };
  return { bytes: 1, ascii: 0 };
}

const enum At {
  FieldStart,
  Field,
  Quoted,
  /**
   * After a quote inside a quoted field: it ends the field, unless another quote follows and both are an
   * escaped quote.
   */
  AfterQuote,
}

export class RowEnds {
  private at = At.FieldStart;
  /** The last character was a CR outside quotes: an LF after it belongs to the same line break. */
  private afterCr = false;
  /** The current row holds more than a line break. */
  private filled = false;
  private offset = 0;
  private other = 0;

  constructor(private readonly width: Width = { bytes: 1, ascii: 0 }) {}

  /**
   * Scans a piece and calls `end` after each row, with the position in the whole file. Blank lines are not
   * rows; they count towards the next row.
   */
  push(piece: Uint8Array, end: (position: number) => void): void {
    const { bytes, ascii } = this.width;
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index] as number;
      const position = this.offset + index;
      if (bytes === 2) {
        // The first byte of a pair waits for the second.
        if (position % 2 === 0) {
          this.other = byte;
          continue;
        }
        const [sign, rest] = ascii === 0 ? [this.other, byte] : [byte, this.other];
        this.sign(rest === 0 ? sign : -1, position - 1, 2, end);
      } else {
        this.sign(byte, position, 1, end);
      }
    }
    this.offset += piece.length;
  }

  /** The last row may have no line break. */
  finish(end: (position: number) => void): void {
    if (this.filled) end(this.offset);
    this.filled = false;
  }

  private sign(sign: number, position: number, bytes: number, end: (position: number) => void): void {
    const lf = sign === LF;
    if (this.afterCr) {
      this.afterCr = false;
      // The row ended with the CR; its LF counts towards the next row, which makes no difference to a reader.
      if (lf) return;
    }
    if (this.at === At.Quoted) {
      if (sign === QUOTE) this.at = At.AfterQuote;
      return;
    }
    if (lf || sign === CR) {
      this.afterCr = sign === CR;
      this.at = At.FieldStart;
      if (this.filled) end(position + bytes);
      this.filled = false;
      return;
    }
    this.filled = true;
    if (sign === QUOTE && this.at !== At.Field) this.at = At.Quoted;
    else this.at = OPENS_FIELD[sign] === 1 ? At.FieldStart : At.Field;
  }
}
