/**
 * The bytes of a file in pieces, in one buffer: slices of a blob cost four times as much, most of it for new
 * memory.
 */

/** Bytes read from the file at once. */
export const PIECE_BYTES = 2 ** 20;

/** Each piece is valid until the next one is requested. Throws if the file cannot be read. */
export async function* pieces(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const stream = file.stream();
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: 'byob' });
  } catch {
    // For browsers whose files cannot fill a given buffer.
    yield* streamed(stream.getReader());
    return;
  }
  try {
    let buffer = new ArrayBuffer(PIECE_BYTES);
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return;
      yield value;
      buffer = value.buffer;
    }
  } finally {
    // If the caller stops early, the result of closing does not matter.
    reader.cancel().catch(() => {});
  }
}

async function* streamed(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
