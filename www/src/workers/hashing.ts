/** The SHA-256 of a file, computed in pieces. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { pieces } from './pieces';

/** In hexadecimal. Rejects if the file cannot be read. */
export async function hashPieces(file: Blob): Promise<string> {
  const hash = sha256.create();
  for await (const piece of pieces(file)) hash.update(piece);
  return bytesToHex(hash.digest());
}
