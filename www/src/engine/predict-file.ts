/** The page's side of the predicting worker. */
import type { PredictReply, PredictRequest, Predicted, Refusal } from '../messages';

/**
 * Predicts a file in a worker of its own, which is ended when the predictions are there; rejects if the
 * worker cannot be loaded.
 */
export function predictFile(
  tree: string,
  file: Blob,
  report: (share: number) => void,
): Promise<Predicted | Refusal> {
  const worker = new Worker(new URL('../workers/exporter.worker.ts', import.meta.url), {
    type: 'module',
    name: 'predict',
  });
  const predicted = new Promise<Predicted | Refusal>((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }: MessageEvent<PredictReply>) => {
      if ('share' in data) report(data.share);
      else resolve(data);
    };
    worker.postMessage({ tree, file } satisfies PredictRequest);
  });
  return predicted.finally(() => worker.terminate());
}
