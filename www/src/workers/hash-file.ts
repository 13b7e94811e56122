/** The engine worker's side of the hashing worker. */

/**
 * The SHA-256 of a file in hexadecimal, computed in a worker of its own, so that it does not delay reading a
 * large file. Empty if it fails: then the tree does not name its file, but nothing else is lost.
 */
export function hashFile(file: Blob, signal: AbortSignal): Promise<string> {
  let worker: Worker;
  try {
    worker = new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module', name: 'hash' });
  } catch {
    return Promise.resolve('');
  }
  const hashed = new Promise<string>((resolve) => {
    signal.addEventListener('abort', () => resolve(''));
    worker.onerror = () => resolve('');
    worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
    worker.postMessage(file);
  });
  return hashed.finally(() => worker.terminate());
}
