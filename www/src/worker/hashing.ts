/** The SHA-256 of a file, piece by piece. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Bytes taken from the file at once. */
const PIECE_BYTES = 4 * 2 ** 20;

/** In hexadecimal. Rejects when the file cannot be read. */
export async function hashPieces(file: Blob, pieceBytes = PIECE_BYTES): Promise<string> {
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += pieceBytes) {
    hash.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()));
  }
  return bytesToHex(hash.digest());
}
