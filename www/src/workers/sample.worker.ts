/**
 * Draws rows from a file that is too large to hold, outside the page and the engine. It is ended by
 * terminating it.
 */
import type { SampleReply, SampleRequest } from '../messages';
import { sampleRows } from './sampling';

const post = (reply: SampleReply) => self.postMessage(reply);

self.onmessage = ({ data: { file, rows, seed } }: MessageEvent<SampleRequest>) => {
  sampleRows(file, rows, seed, (share) => post({ share })).then(post, () => post({ unreadable: true }));
};
