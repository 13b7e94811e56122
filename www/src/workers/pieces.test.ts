import { describe, expect, it } from 'vitest';
import { PIECE_BYTES, pieces } from './pieces';

const bytes = Uint8Array.from({ length: 2 * PIECE_BYTES + 77 }, (_, at) => (at * 7) % 251);

async function all(file: Blob): Promise<Uint8Array> {
  const found: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces(file)) found.push(piece.slice());
  return new Uint8Array(await new Blob(found).arrayBuffer());
}

/** Deep comparison of megabytes takes a test runner seconds. */
const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, at) => byte === b[at]);

describe('the pieces of a file', () => {
  it('are all of its bytes in order', async () => {
    expect(same(await all(new Blob([bytes])), bytes)).toBe(true);
    expect(await all(new Blob([]))).toHaveLength(0);
  });

  it('come from a browser that cannot fill a given buffer too', async () => {
    const file = new Blob([bytes]);
    const plain = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.slice(0, 100));
          controller.enqueue(bytes.slice(100));
          controller.close();
        },
      });
    Object.defineProperty(file, 'stream', { value: plain });
    expect(same(await all(file), bytes)).toBe(true);
  });

  it('end with an error when the file is gone', async () => {
    const file = new Blob([bytes]);
    Object.defineProperty(file, 'stream', {
      value: () => new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) }),
    });
    await expect(all(file)).rejects.toThrow('gone');
  });
});
