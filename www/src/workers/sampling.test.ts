import { describe, expect, it } from 'vitest';
import { RowEnds, widthOf } from './rows';
import { mulberry32, sampleRows } from './sampling';

const silent = () => {};

/** The rows of a text, cut from pieces of `size` bytes. */
function rowsOf(text: string | Uint8Array, size = 1000): string[] {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const ends = new RowEnds(widthOf(bytes));
  const positions: number[] = [];
  for (let at = 0; at < bytes.length; at += size)
    ends.push(bytes.slice(at, at + size), (end) => positions.push(end));
  ends.finish((end) => positions.push(end));
  const decoder = new TextDecoder();
  return positions.map((end, index) => decoder.decode(bytes.slice(positions[index - 1] ?? 0, end)));
}

describe('the end of a row', () => {
  it('is a line break of any kind, or the end of the file', () => {
    expect(rowsOf('a,b\n1,2\n')).toEqual(['a,b\n', '1,2\n']);
    expect(rowsOf('a,b\r\n1,2')).toEqual(['a,b\r', '\n1,2']);
    expect(rowsOf('a\rb\r')).toEqual(['a\r', 'b\r']);
    expect(rowsOf('a\n\n\nb\n')).toEqual(['a\n', '\n\nb\n']);
  });

  it('is never inside of quotes', () => {
    expect(rowsOf('a,"x\ny",b\n"1\r\n""2""\n",3\n')).toEqual(['a,"x\ny",b\n', '"1\r\n""2""\n",3\n']);
    expect(rowsOf('size;5" pipe\nnext;row\n')).toEqual(['size;5" pipe\n', 'next;row\n']);
  });

  it('is found whatever the pieces', () => {
    const text = 'a,"x\ny",b\r\n"1\r\n""2""\n",3,4\r\nlast,"q",z';
    const whole = rowsOf(text);
    for (let size = 1; size < 12; size++) expect(rowsOf(text, size)).toEqual(whole);
  });

  it('has two bytes in UTF-16', () => {
    const text = '\ufeffa\t"x\ny"\n\u0a0a\t2\n';
    const bytes = new Uint8Array(
      [...text].flatMap((sign) => [sign.charCodeAt(0) & 255, sign.charCodeAt(0) >> 8]),
    );
    const ends: number[] = [];
    new RowEnds(widthOf(bytes)).push(bytes, (end) => ends.push(end));
    expect(ends).toEqual([18, 26]);
  });
});

describe('a sample of rows', () => {
  const file = new Blob(['id,note\n', ...Array.from({ length: 1000 }, (_, row) => `${row},"a\nb ${row}"\n`)]);

  it('has as many rows as were asked for, whole, in order, with the first line', async () => {
    const { blob, taken, rows } = await sampleRows(file, 100, 7, silent, 333);
    expect([taken, rows]).toEqual([100, 1000]);
    const text = await blob.text();
    expect(text.startsWith('id,note\n')).toBe(true);
    const ids = rowsOf(text)
      .slice(1)
      .map((row) => /^(\d+),"a\nb \1"\n$/.exec(row)?.[1]);
    expect(ids).toHaveLength(100);
    const numbers = ids.map(Number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(100);
  });

  it('depends on the seed and on nothing else', async () => {
    const draw = async (seed: number, piece: number) =>
      (await sampleRows(file, 50, seed, silent, piece)).blob.text();
    expect(await draw(1, 100)).toBe(await draw(1, 5000));
    expect(await draw(1, 100)).not.toBe(await draw(2, 100));
  });

  it('favours no part of the file', async () => {
    let sum = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { blob } = await sampleRows(file, 50, seed, silent);
      for (const row of rowsOf(await blob.text()).slice(1)) sum += Number.parseInt(row, 10);
    }
    // The mean of 2,000 draws from 0 … 999 has a standard deviation of 6.5.
    expect(Math.abs(sum / 2000 - 499.5)).toBeLessThan(26);
  });

  it('is the whole file when that has fewer rows', async () => {
    const { blob, taken } = await sampleRows(file, 5000, 1, silent);
    expect(taken).toBe(1000);
    expect(await blob.text()).toBe(await file.text());
  });

  it('is drawn with numbers below 1', () => {
    const random = mulberry32(3);
    const drawn = Array.from({ length: 1000 }, random);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
  });
});
