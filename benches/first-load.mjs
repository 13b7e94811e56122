// What a first visit waits for in Chromium: the first paint, a page that answers, an engine that is ready, the finished example.
//
//   cargo xtask build && node benches/first-load.mjs [RUNS]
//
// Every run is a new browser with nothing cached; the page comes from this computer, compressed with brotli as a host would send it.
// Times are taken inside the page, in milliseconds from the start of the navigation.

import { readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const require = createRequire(new URL('../www/package.json', import.meta.url));
const { chromium } = require('playwright-core');

const DIST = process.env.ESPALIER_DIST ?? fileURLToPath(new URL('../dist', import.meta.url));
const RUNS = Number(process.argv[2] ?? 5);
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.csv': 'text/csv' };

/** Every file of the page, compressed once. */
async function compressed() {
  const files = new Map();
  for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set('/' + relative(DIST, path), { body: brotliCompressSync(await readFile(path)), type: TYPES[extname(path)] ?? 'application/octet-stream' });
  }
  return files;
}

/** Notes when the page changes its state, when it can be used, and what holds its main thread. Runs before anything else in it. */
function watch() {
  const seen = (window.__seen = { states: {}, usable: null, long: [] });
  const look = () => {
    const { state } = document.documentElement?.dataset ?? {};
    if (state && !(state in seen.states)) seen.states[state] = performance.now();
    if (seen.usable === null && document.querySelector('[data-testid=file-input]:not(:disabled)')) seen.usable = performance.now();
  };
  new MutationObserver(look).observe(document, { attributes: true, subtree: true, childList: true, attributeFilter: ['data-state'] });
  new PerformanceObserver((list) => seen.long.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration]))).observe({ type: 'longtask', buffered: true });
}

async function visit(address) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watch);
    await page.goto(address);
    await page.waitForFunction(() => document.documentElement.dataset.state === 'done', null, { timeout: 60_000 });
    // Two frames, so that what arrived is painted and long tasks are reported.
    return await page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const { states, usable, long } = window.__seen;
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      const fetched = performance.getEntriesByType('resource').map(({ name, startTime, responseEnd }) => [name.split('/').at(-1), startTime, responseEnd]);
      return { paint: paint?.startTime ?? NaN, usable, ready: states.ready, training: states.training, done: states.done, long, fetched };
    });
  } finally {
    await browser.close();
  }
}

const files = await compressed();
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const file = files.get(pathname === '/' ? '/index.html' : pathname);
  if (!file) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': file.type, 'content-encoding': 'br' }).end(file.body);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const round = (number) => (Number.isFinite(number) ? Math.round(number) : '–');
const runs = [];
console.log('| run | load | first paint | usable | engine ready | training | example done | longest task before ready |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (let run = 1; run <= RUNS; run++) {
  const load = loadavg()[0];
  const seen = await visit(`http://127.0.0.1:${server.address().port}/`);
  seen.longest = Math.max(0, ...seen.long.filter(([start]) => start < seen.ready).map(([, duration]) => duration));
  runs.push(seen);
  console.log(`| ${run} | ${load.toFixed(1)} | ${['paint', 'usable', 'ready', 'training', 'done', 'longest'].map((key) => round(seen[key])).join(' | ')} |`);
}
const best = (key) => round(Math.min(...runs.map((run) => run[key])));
console.log(`| best | | ${['paint', 'usable', 'ready', 'training', 'done', 'longest'].map(best).join(' | ')} |`);
if (process.env.WATERFALL) {
  console.log('\nfetched, from and until:');
  for (const [name, from, until] of runs.at(-1).fetched) console.log(`  ${name.padEnd(40)} ${round(from)} ${round(until)}`);
  console.log('long tasks, start and length:', runs.at(-1).long.map((task) => task.map(round).join('+')).join(' '));
}
server.closeAllConnections();
server.close();
