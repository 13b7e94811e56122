/** Draws rows from a file too large to be held, away from the page and from the engine. Ended by terminating it. */
import type { SampleReply, SampleRequest } from '../messages';
import { sampleRows } from './sampling';

const post = (reply: SampleReply) => self.postMessage(reply);

self.onmessage = ({ data: { file, rows, seed } }: MessageEvent<SampleRequest>) => {
  sampleRows(file, rows, seed, (share) => post({ share })).then(post, () => post({ unreadable: true }));
};
