/** Estimates the length of a file's rows from its start. */
import { RowEnds, widthOf } from '../workers/rows';

/** Bytes read to estimate the length of a row. */
const HEAD_BYTES = 2 ** 18;

/** Mean length of the first rows in bytes. */
export async function bytesPerRow(file: Blob): Promise<number> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const ends = new RowEnds(widthOf(head));
  let rows = 0;
  let last = 0;
  ends.push(head, (position) => {
    rows++;
    last = position;
  });
  return rows > 0 ? last / rows : head.length;
}
