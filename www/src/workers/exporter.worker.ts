/**
 * Predicts a file in pieces, outside the page and the engine: the file is read twice and never held whole.
 */
import type { PredictReply, PredictRequest, Predicted, Refusal } from '../messages';
import init, { Predictor } from '../pkg/exporter.js';
import wasm from '../pkg/exporter_bg.wasm?url';
import { pieces } from './pieces';

type Slice =
  | { again: boolean; rows: number; bytes: Uint8Array<ArrayBuffer>; warnings: string[] }
  | { message: string; hint: string };

/** Milliseconds between two reports. */
const REPORT_MS = 60;

/** The share of the progress that is for surveying the file. */
const SURVEY = 0.3;

/** Predictions are collected into parts of this many bytes, because browsers keep large ones on disk. */
const PART_BYTES = 2 ** 23;

const post = (reply: PredictReply) => self.postMessage(reply);

async function predict({ tree, file }: PredictRequest): Promise<Predicted | Refusal> {
  await init({ module_or_path: wasm });
  const predictor = Predictor.create(tree);
  const parts: Blob[] = [];
  let gathered: Uint8Array<ArrayBuffer>[] = [];
  let gatheredBytes = 0;
  let reported = 0;
  const gather = (bytes: Uint8Array<ArrayBuffer>, atLeast: number) => {
    if (bytes.length > 0) gathered.push(bytes);
    gatheredBytes += bytes.length;
    if (gatheredBytes < atLeast) return;
    parts.push(new Blob(gathered));
    gathered = [];
    gatheredBytes = 0;
  };
  for (let surveyed = false; ;) {
    let read = 0;
    let slice: Slice;
    const source = pieces(file);
    for (;;) {
      let next: IteratorResult<Uint8Array<ArrayBuffer>>;
      try {
        next = await source.next();
      } catch {
        return { failure: 'unreadable' };
      }
      slice = predictor.feed(next.done ? undefined : next.value) as Slice;
      if ('message' in slice) return slice;
      if (next.done) break;
      gather(slice.bytes, PART_BYTES);
      if (slice.again) break;
      read += next.value.byteLength;
      const now = performance.now();
      if (now - reported < REPORT_MS) continue;
      reported = now;
      const share = read / file.size;
      post({ share: surveyed ? SURVEY + (1 - SURVEY) * share : SURVEY * share });
    }
    const ended = read === file.size;
    gather(slice.bytes, 1);
    if (!slice.again)
      return { csv: new Blob(parts, { type: 'text/csv' }), rows: slice.rows, warnings: slice.warnings };
    // A survey may have to start over: then the file was not read to its end.
    surveyed = ended;
    await source.return(undefined);
  }
}

self.onmessage = ({ data }: MessageEvent<PredictRequest>) => {
  predict(data).then(post, (error: unknown) =>
    setTimeout(() => {
      throw error;
    }),
  );
};
