/** The bytes of a file, piece by piece, in one buffer: slices of a blob cost four times as much, most of it fresh memory. */

/** Bytes taken from the file at once. */
export const PIECE_BYTES = 2 ** 20;

/** Each piece is there until the next one is asked for. Throws when the file cannot be read. */
export async function* pieces(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const stream = file.stream();
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: 'byob' });
  } catch {
    // A browser whose files cannot fill a buffer of ours.
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
    // Whoever stops early is not told how closing went.
    reader.cancel().catch(() => {});
  }
}

async function* streamed(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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
