/** The page's side of the sampling worker. */
import type { SampleReply, SampleRequest, Sampled } from '../messages';

/**
 * Draws rows in a worker of its own, which is ended when the rows are there, when something fails, or by
 * `signal`.
 */
export function drawSample(
  file: Blob,
  rows: number,
  seed: number,
  report: (share: number) => void,
  signal: AbortSignal,
): Promise<Sampled> {
  const worker = new Worker(new URL('../workers/sample.worker.ts', import.meta.url), {
    type: 'module',
    name: 'sample',
  });
  const drawn = new Promise<Sampled>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('called off')));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }: MessageEvent<SampleReply>) => {
      if ('share' in data) report(data.share);
      else if ('blob' in data) resolve(data);
      else reject(new Error('unreadable'));
    };
    worker.postMessage({ file, rows, seed } satisfies SampleRequest);
  });
  return drawn.finally(() => worker.terminate());
}
