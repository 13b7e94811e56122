/** Predicts a file in slices, away from the page and from the engine. Ended by terminating it. */
import init, { Predictor } from '../pkg/exporter.js';
import wasm from '../pkg/exporter_bg.wasm?url';
import { pieces } from './pieces';
import { nextSteps } from './slices';

/** What the page asks. */
export interface PredictRequest {
  /** The tree's JSON. */
  tree: string;
  file: Blob;
}

/** The rows with the answers behind them. */
export interface Predicted {
  csv: Blob;
  rows: number;
  /** What the user should know about the rows. */
  warnings: string[];
}

/** Why there is no answer: the words for a file that cannot be had are the page's. */
export type Refusal = { message: string; hint: string } | { failure: 'unreadable' | 'too_large' };

/** What comes back: progress, then the answers; or why there are none. */
export type PredictReply = { share: number } | Predicted | Refusal;

type Slice = { share: number; rows: number; text: string; done: boolean; warnings: string[] } | { message: string; hint: string };

/** Milliseconds of a slice, and between two reports. */
const SLICE_MS = 60;

/** Share of the work that is bringing the bytes in. */
const BRINGING_IN = 0.1;

const post = (reply: PredictReply) => self.postMessage(reply);

async function predict({ tree, file }: PredictRequest): Promise<Predicted | Refusal> {
  await init({ module_or_path: wasm });
  const predictor = Predictor.create(tree, file.size);
  if (!predictor) return { failure: 'too_large' };
  try {
    let fed = 0;
    for await (const piece of pieces(file)) {
      predictor.feed(piece);
      fed += piece.byteLength;
      post({ share: (BRINGING_IN * fed) / file.size });
    }
  } catch {
    return { failure: 'unreadable' };
  }
  // The answers leave the wasm in pieces, so they are never there twice.
  const parts: Blob[] = [];
  for (let rows = 1000; ; ) {
    const begun = performance.now();
    const slice = predictor.advance(rows) as Slice;
    if ('message' in slice) return slice;
    if (slice.text) parts.push(new Blob([slice.text]));
    if (slice.done) return { csv: new Blob(parts, { type: 'text/csv' }), rows: slice.rows, warnings: slice.warnings };
    post({ share: BRINGING_IN + (1 - BRINGING_IN) * slice.share });
    rows = nextSteps(rows, performance.now() - begun, SLICE_MS);
  }
}

self.onmessage = ({ data }: MessageEvent<PredictRequest>) => {
  predict(data).then(post, (error: unknown) =>
    setTimeout(() => {
      throw error;
    }),
  );
};
