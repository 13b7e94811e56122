/** Draws rows from a file too large to be held, away from the page and from the engine. Ended by terminating it. */
import { sampleRows } from './sampling';

/** What the page asks. */
export interface SampleRequest {
  file: Blob;
  rows: number;
  seed: number;
}

/** What comes back: progress, then the sample; or that the file cannot be read. */
export type SampleReply = { share: number } | { blob: Blob; taken: number; rows: number } | { unreadable: true };

const post = (reply: SampleReply) => self.postMessage(reply);

self.onmessage = ({ data: { file, rows, seed } }: MessageEvent<SampleRequest>) => {
  sampleRows(file, rows, seed, (share) => post({ share })).then(post, () => post({ unreadable: true }));
};
