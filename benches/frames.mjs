// Whether the page stays smooth in Chromium while a tree is trained and while a million rows are predicted.
//
//   cargo xtask build && node benches/frames.mjs FILE.csv [SECONDS] [--no-trace]
//
// Prints the time from one frame to the next, the tasks of more than 50 ms that the browser reports, how many of them began after the
// work had ended, and the longest task by the processor time it took itself: on a busy machine a short task can take long because others
// run meanwhile. That time comes from a trace, which is work for the same cores; `--no-trace` does without both.

import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';

import { sampleFile, serveSite } from '../tests/e2e/support.mjs';

const require = createRequire(new URL('../www/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const [path, seconds = '10'] = process.argv.slice(2).filter((text) => !text.startsWith('--'));
const traced = !process.argv.includes('--no-trace');
if (!path) throw new Error('usage: node benches/frames.mjs FILE.csv [SECONDS] [--no-trace]');

/** From now on the page notes its frames and long tasks. Runs in it. */
function watch() {
  const first = window.__frames === undefined;
  window.__frames = [];
  window.__long = [];
  delete window.__doneAt;
  if (!first) return;
  const root = document.documentElement;
  const noted = () => {
    if (root.dataset.state === 'done') window.__doneAt ??= performance.now();
  };
  new MutationObserver(noted).observe(root, { attributeFilter: ['data-state'] });
  new PerformanceObserver((list) => window.__long.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration })))).observe({ type: 'longtask' });
  let last = performance.now();
  requestAnimationFrame(function frame(now) {
    window.__frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  });
}

const state = (page, wanted, timeout = 60_000) => page.waitForFunction((wanted) => document.documentElement.dataset.state === wanted, wanted, { timeout });

/** The most processor time that a task on a page's main thread took, in milliseconds. */
function longestTask({ traceEvents }) {
  const mains = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}:${tid}`));
  const tasks = traceEvents.filter(({ ph, name, pid, tid }) => ph === 'X' && /RunTask|ThreadControllerImpl/.test(name) && mains.has(`${pid}:${tid}`));
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Watches while `action` runs. */
async function smoothness(browser, page, action) {
  const load = loadavg()[0];
  if (traced) await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await page.evaluate(watch);
  await action();
  const end = await page.evaluate(() => window.__doneAt ?? performance.now());
  await page.waitForTimeout(500);
  const { frames, long } = await page.evaluate(() => ({ frames: window.__frames, long: window.__long }));
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1);
  const busiest = traced ? longestTask(JSON.parse(await browser.stopTracing())).toFixed(0) : '–';
  return [load.toFixed(1), frames.length, at(0.5), at(0.95), at(0.99), at(1), long.length, long.filter(({ startTime }) => startTime > end).length, Math.round(Math.max(0, ...long.map(({ duration }) => duration))), busiest];
}

const { server, address } = await serveSite();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const folder = await mkdtemp(join(tmpdir(), 'espalier-frames-'));
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${address}#sample=own&budget=${seconds}`);
  await state(page, 'ready');
  console.log('| what | load | frames | median ms | 95 % | 99 % | longest | tasks over 50 ms | after the end | the longest | most processor time |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  const say = (what, numbers) => console.log(`| ${what} | ${numbers.join(' | ')} |`);

  say(`read ${basename(path)}`, await smoothness(browser, page, async () => {
    await page.getByTestId('file-input').setInputFiles(path);
    await state(page, 'loaded');
  }));
  say(`train on it, ${seconds} s`, await smoothness(browser, page, async () => {
    await page.getByTestId('train').click();
    await state(page, 'done', 300_000);
  }));
  say('play its film', await smoothness(browser, page, async () => {
    await page.getByTestId('film-play').click();
    await page.waitForTimeout(8500);
  }));

  const other = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await other.goto(`${address}#sample=xor&model=gradtree&depth=2&set.epochs=40&set.restarts=1`);
  await state(other, 'done');
  const [header, ...rows] = (await sampleFile('xor.csv')).trim().split('\n');
  const file = createWriteStream(join(folder, 'rows.csv'));
  file.write(`${header}\n`);
  for (let at = 0; at < 1_000_000; at += 1000) file.write(Array.from({ length: 1000 }, (_, row) => `${rows[(at + row) % rows.length]}\n`).join(''));
  file.end();
  await finished(file);
  say('predict 1,000,000 rows', await smoothness(browser, other, async () => {
    const done = other.waitForEvent('download', { timeout: 300_000 });
    await other.getByTestId('predict-input').setInputFiles(join(folder, 'rows.csv'));
    await done;
  }));
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
}
