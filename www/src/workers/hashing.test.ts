import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashPieces } from './hashing';

describe('the hash of a file', () => {
  it.each([0, 1, 63, 64, 65, 1000, 2 ** 20 + 7])('is SHA-256 for %i bytes', async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 31 + 7) % 256);
    const expected = createHash('sha256').update(bytes).digest('hex');
    expect(await hashPieces(new Blob([bytes]))).toBe(expected);
  });
});
