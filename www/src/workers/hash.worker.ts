/**
 * The SHA-256 of a file, away from the engine.
 *
 * The browser's own digest takes a file in one piece and copies it, twice the memory of a large one; this goes piece by piece.
 */
import { hashPieces } from './hashing';

self.onmessage = ({ data }: MessageEvent<Blob>) => {
  hashPieces(data).then(
    (hash) => self.postMessage(hash),
    () => self.postMessage(''),
  );
};
