// The workloads of runs.rs in WebAssembly under Node, one thread, beside the native figures of the same `cargo xtask bench`. Epochs are in
// processor time, which a busy machine disturbs less.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pkg = process.env.ESPALIER_PKG ?? join(root, 'www/src/pkg');
const { default: init, Engine } = await import(pathToFileURL(join(pkg, 'study.js')).href);
await init({ module_or_path: await readFile(join(pkg, 'study_bg.wasm')) });

/** Three classes cut by the first two columns, the others noise: the same text as in runs.rs. For GET a number. */
function csv(rows, features, numbers) {
  let state = 12345;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 16;
  };
  const lines = [[...Array(features).keys()].map((j) => `x${j}`).join(',') + ',y'];
  for (let i = 0; i < rows; i++) {
    const row = Array.from({ length: features }, () => next() % 1000);
    const above = row[1] > row[0] ? 1 : 0;
    const number = Math.floor((row[0] * row[1]) / 1000) + 300 * above + Math.floor(row[features - 1] / 4);
    const label = numbers ? number : 'abc'[(row[0] > 500 ? 1 : 0) + above];
    lines.push(`${row.join(',')},${label}`);
  }
  return new TextEncoder().encode(lines.join('\n') + '\n');
}

function expect(reply, kind) {
  if (reply.event.kind !== kind) throw new Error(`expected ${kind}, got ${JSON.stringify(reply.event).slice(0, 300)}`);
}

function measure(work) {
  const get = work.model.startsWith('get');
  const bytes = csv(work.rows, work.features, get);
  const engine = new Engine();
  let begun = performance.now();
  const options = {
    delimiter: '', encoding: '', header: null, skipBadRows: false, kinds: {}, missing: {},
  };
  expect(engine.handle({ kind: 'load', run: 1, name: '', options }, bytes), 'loaded');
  const read_ms = performance.now() - begun;
  const one = { epochs: work.epochs, patience: work.epochs, restarts: 1, start: 'random', refit: false };
  const gradtree = work.model === 'gradtree' ? one : {};
  // The published settings: all rows in every step, and ten starts of two runs each.
  const recipe = get ? 'published' : 'espalier';
  const said = { depth: work.depth, ...(get ? { epochs: work.epochs / 20, polish: 'off' } : gradtree) };
  const settings = {
    target: 'y', task: get ? 'regression' : 'auto', model: work.model, recipe, seed: 1, test: 0.2, valid: 0.2, ignore: [], positive: '', label: '', answers: 'auto', said,
  };
  begun = performance.now();
  expect(engine.handle({ kind: 'train', run: 2, settings }), 'started');
  const cart_ms = performance.now() - begun;
  const spent = process.cpuUsage();
  while (!engine.advance(1000, false));
  const epoch_ms = process.cpuUsage(spent).user / 1000 / Math.max(work.epochs, 1);
  engine.free();
  return { read_ms, cart_ms, epoch_ms };
}

const workloads = JSON.parse(await readFile(join(root, 'benches/workloads.json'), 'utf8'));
const native = JSON.parse(await readFile(join(root, 'target/runs.json'), 'utf8').catch(() => '[]'));
const cell = (value, width, digits) => (value === undefined ? '–' : value.toFixed(digits)).padStart(width);
console.log('wasm under Node, ms'.padEnd(22) + 'read'.padStart(12) + 'start with cart'.padStart(16) + 'epoch'.padStart(14) + 'epoch, wasm : native'.padStart(24));
// An argument is a part of the names to run.
const wanted = process.argv.slice(2).find((text) => !text.startsWith('-')) ?? '';
for (const work of workloads.filter((work) => work.name.includes(wanted))) {
  const runs = [measure(work), measure(work), measure(work)];
  const best = (key) => Math.min(...runs.map((run) => run[key]));
  const beside = native.find((figure) => figure.name === work.name);
  const ratio = beside && work.epochs ? best('epoch_ms') / beside.epoch_ms : undefined;
  console.log(work.name.padEnd(22) + cell(best('read_ms'), 12, 2) + cell(best('cart_ms'), 16, 2) + cell(best('epoch_ms'), 14, 3) + cell(ratio, 24, 2));
}
