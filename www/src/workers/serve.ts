/** A worker around a wasm module: connects the loop to the worker's own clock and messages. */
import type { FromWorker, ToWorker } from '../messages';
import type { Engine } from './engine';
import { hashFile } from './hash-file';
import { Loop } from './loop';

/** The name of a worker that only runs units of a training that another one leads. */
export const HELPER = 'helper';

// Messages that arrive while the wasm is being fetched wait here; the page may send before `ready`.
const waiting: ToWorker[] = [];
let loop: Loop | null = null;

// A message channel, not a timer: nested timers are slowed to 4 ms each, a third of a slice.
const channel = new MessageChannel();
const tasks: (() => void)[] = [];
channel.port1.onmessage = () => tasks.shift()?.();

function post(message: FromWorker): void {
  const buffers = [message.curve, message.numbers, message.bytes]
    .map((bulk) => bulk?.buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
  self.postMessage(message, { transfer: buffers });
}

/** A rejected promise inside a worker is invisible to the page; an exception outside any promise is not. */
function crash(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}

/**
 * Serves the page with the engine that `start` creates. The package's own declarations are looser than the
 * contract.
 */
export function serve(start: () => Promise<unknown>): void {
  self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    if (loop) loop.receive(data);
    else waiting.push(data);
  };
  start()
    .then((engine) => {
      loop = new Loop(engine as Engine, {
        now: () => performance.now(),
        later: (due) => {
          tasks.push(due);
          channel.port2.postMessage(null);
        },
        after: (ms, due) => void setTimeout(due, ms),
        post,
        // The trees of a helper name no file.
        hash: self.name === HELPER ? async () => '' : hashFile,
        cores: navigator.hardwareConcurrency || 1,
        crash,
      });
      loop.open();
      for (const message of waiting.splice(0)) loop.receive(message);
    })
    .catch(crash);
}
