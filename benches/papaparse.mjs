// Reading a large CSV in Chromium: our reader beside PapaParse, the same file in the same run of the browser.
//
//   cargo xtask build && node benches/papaparse.mjs [ROWS]
//
// The file has a million rows of twelve columns, numbers and words, some 100 MB, and is made inside the page. Each reader
// has a fresh page and one twentieth of the file to warm up on, as compilers of a browser take their time. Ours decodes, cuts,
// types and profiles in the slices of the page's worker, and then a second worker hashes the file, as on the page, where the table is
// shown before its hash is there. PapaParse once gives text cells and once turns numbers into numbers. No cell is quoted, which is PapaParse's fast mode.

import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(new URL('../www/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const www = fileURLToPath(new URL('../www', import.meta.url));
const rows = Number(process.argv[2] ?? 1_000_000);
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** The page's hashing worker without the bundler. */
const HASH_WORKER = `
  import { sha256 } from '/node_modules/@noble/hashes/sha2.js';
  import { bytesToHex } from '/node_modules/@noble/hashes/utils.js';
  self.onmessage = async ({ data: file }) => {
    const hash = sha256.create();
    for (let at = 0; at < file.size; at += 4194304) hash.update(new Uint8Array(await file.slice(at, at + 4194304).arrayBuffer()));
    self.postMessage(bytesToHex(hash.digest()));
  };`;

/** Serves the generated package and PapaParse, and an empty page for everything else. */
const server = createServer(async (request, response) => {
  const file = normalize(join(www, decodeURIComponent(new URL(request.url, 'http://localhost').pathname)));
  try {
    if (request.url === '/hash.js') {
      response.writeHead(200, { 'content-type': TYPES['.js'] }).end(HASH_WORKER);
      return;
    }
    if (!file.startsWith(normalize(www) + sep)) throw new Error('outside');
    const content = await readFile(file);
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(content);
  } catch {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>bench</title>');
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info', '--js-flags=--max-old-space-size=8192'],
});

/** Process ids of the pages. */
async function pages() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** Memory of a process in megabytes by the system's own name for it; NaN where the system does not say. */
async function memory(pid, name) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN) / 1000;
}

/** Makes the file in the page; gives its size in bytes. */
function make(rows) {
  const WORDS = 'north south east west engineering sales support research monthly weekly yearly once'.split(' ');
  let state = 1;
  const draw = (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
  const digits = (count) => String(draw(10 ** count)).padStart(count, '0');
  const parts = ['id,temperature,pressure,humidity,price,quantity,distance,duration,region,department,period,answer\n'];
  for (let row = 0; row < rows; ) {
    const lines = [];
    for (const end = Math.min(rows, row + 10_000); row < end; row++) {
      lines.push(
        `${row},${draw(80)}.${digits(4)},${900 + draw(200)}.${digits(6)},0.${digits(8)},${draw(100_000)}.${digits(2)},${draw(1000)},` +
          `${draw(5000)}.${digits(7)},${draw(300)}.${digits(5)},${WORDS[draw(4)]},${WORDS[4 + draw(4)]},${WORDS[8 + draw(4)]},` +
          `${draw(50) === 0 ? '' : ['yes', 'no'][draw(2)]}\n`,
      );
    }
    // A blob each, so that the text does not stay in the page.
    parts.push(new Blob([lines.join('')]));
  }
  window.file = new Blob(parts);
  window.warmUp = new Blob(parts.slice(0, 1 + Math.ceil(parts.length / 20)));
  return window.file.size;
}

/** Our reader, as the page's worker uses it. */
async function espalier(which) {
  const { default: init, Engine } = await import('/src/pkg/espalier.js');
  const wasm = await init();
  const engine = new Engine();
  const file = window[which];
  const begun = performance.now();
  engine.reserve(file.size);
  const pieces = file.stream().getReader({ mode: 'byob' });
  for (let buffer = new ArrayBuffer(2 ** 20); ; ) {
    const { done, value } = await pieces.read(new Uint8Array(buffer));
    if (done) break;
    engine.feed(value);
    buffer = value.buffer;
  }
  const options = {
    delimiter: '', encoding: '', header: null, skipBadRows: false, kinds: {}, missing: {},
  };
  let { event } = engine.beginLoad({ kind: 'load', run: 1, name: 'bench', options });
  let cut = NaN;
  let slowest = 0;
  while (event.kind === 'reading') {
    const before = performance.now();
    ({ event } = engine.readOn(20_000));
    slowest = Math.max(slowest, performance.now() - before);
    // From seven tenths on the columns are being understood.
    if (Number.isNaN(cut) && event.share >= 0.7) cut = (performance.now() - begun) / 1000;
  }
  const seconds = (performance.now() - begun) / 1000;
  if (event.kind !== 'loaded') throw new Error(JSON.stringify(event.error));
  const worker = new Worker('/hash.js', { type: 'module' });
  const hash = new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
  });
  worker.postMessage(file);
  engine.identify(await hash);
  const hashed = (performance.now() - begun) / 1000 - seconds;
  engine.free();
  worker.terminate();
  return { seconds, hashed, cut, slowest, rows: event.table.rows, heap: wasm.memory.buffer.byteLength / 1e6 };
}

/** PapaParse on the whole text, which is its quickest way. */
async function papaparse(which, dynamicTyping) {
  const script = document.createElement('script');
  script.src = '/node_modules/papaparse/papaparse.min.js';
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  const begun = performance.now();
  const { data } = window.Papa.parse(await window[which].text(), { dynamicTyping, skipEmptyLines: true });
  const seconds = (performance.now() - begun) / 1000;
  return { seconds, rows: data.length - 1, heap: performance.memory.usedJSHeapSize / 1e6 };
}

/** Runs one reader on a fresh page. */
async function measure(reader, typed) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${origin}/empty`);
  const bytes = await page.evaluate(make, rows);
  const run = (which) => page.evaluate(`(${reader})('${which}', ${typed})`);
  await run('warmUp');
  const pids = await pages();
  // The peak of making the file does not count.
  for (const pid of pids) await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {});
  const resting = await Promise.all(pids.map((pid) => memory(pid, 'VmRSS')));
  const result = await run('file');
  if (result.rows !== rows) throw new Error(`${result.rows} rows instead of ${rows}`);
  const grown = await Promise.all(pids.map(async (pid, index) => (await memory(pid, 'VmHWM')) - resting[index]));
  const peak = Math.max(...grown);
  await context.close();
  return { ...result, bytes, peak };
}

try {
  const ours = await measure(espalier, false);
  const text = await measure(papaparse, false);
  const typed = await measure(papaparse, true);
  const size = ours.bytes / 1e6;
  console.log(`${rows} rows, 12 columns, ${size.toFixed(1)} MB; Chromium ${browser.version()}`);
  const say = (name, { seconds, heap, peak }, what) =>
    console.log(
      `${name.padEnd(26)}${seconds.toFixed(2).padStart(8)} s ${(size / seconds).toFixed(0).padStart(6)} MB/s   ` +
        `${what} ${heap.toFixed(0)} MB, process grew by at most ${peak.toFixed(0)} MB (${(peak / size).toFixed(2)} × file)`,
    );
  say('espalier, profiled table', ours, 'wasm memory');
  console.log(`${'  of it up to the cells'.padEnd(26)}${ours.cut.toFixed(2).padStart(8)} s; hashed afterwards, beside the user, in ${ours.hashed.toFixed(2)} s; the longest slice ${ours.slowest.toFixed(0)} ms`);
  say('PapaParse, text', text, 'JS heap');
  say('PapaParse, numbers typed', typed, 'JS heap');
  const times = (one) => `${(one.seconds / ours.cut).toFixed(1)} × (cells), ${(one.seconds / ours.seconds).toFixed(1)} × (profiled table)`;
  console.log(`faster than PapaParse: ${times(text)}; with numbers typed ${times(typed)}`);
} finally {
  await browser.close();
  server.close();
}
