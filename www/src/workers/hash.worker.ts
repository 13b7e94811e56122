/**
 * Computes the SHA-256 of a file, outside the engine.
 *
 * The browser's own digest needs the file in one piece and copies it: twice the memory for a large file. This
 * works in pieces.
 */
import { hashPieces } from './hashing';

self.onmessage = ({ data }: MessageEvent<Blob>) => {
  hashPieces(data).then(
    (hash) => self.postMessage(hash),
    () => self.postMessage(''),
  );
};
