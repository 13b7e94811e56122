/** The worker's entry: brings up the wasm and connects the loop to the worker's own clock and messages. */
import init, { Engine as WasmEngine } from '../pkg/espalier.js';
import wasm from '../pkg/espalier_bg.wasm?url';
import type { Engine, FromWorker, ToWorker } from './engine';
import { hashFile } from './hash-file';
import { Loop } from './loop';

// Messages that arrive while the wasm is being fetched wait here; the page may send before `ready`.
const waiting: ToWorker[] = [];
let loop: Loop | null = null;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (loop) loop.receive(data);
  else waiting.push(data);
};

// A message channel rather than a timer: nested timers are slowed to 4 ms each, a third of a slice.
const channel = new MessageChannel();
const tasks: (() => void)[] = [];
channel.port1.onmessage = () => tasks.shift()?.();

function post(message: FromWorker): void {
  const buffers = [message.curve, message.numbers].map((bulk) => bulk?.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
  self.postMessage(message, { transfer: buffers });
}

/** A rejected promise inside a worker is silent on the page; an exception outside any promise is not. */
function crash(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}

async function start(): Promise<void> {
  // Named here, so that the bundler sees the file whichever way the package was generated.
  await init({ module_or_path: wasm });
  // The package's own declarations are looser than the contract in engine.ts, hence the detour.
  const engine = new WasmEngine() as unknown as Engine;
  loop = new Loop(engine, {
    now: () => performance.now(),
    later: (due) => {
      tasks.push(due);
      channel.port2.postMessage(null);
    },
    post,
    hash: hashFile,
    crash,
  });
  loop.open();
  for (const message of waiting.splice(0)) loop.receive(message);
}

start().catch(crash);
