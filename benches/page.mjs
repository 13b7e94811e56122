// What a person waits for on the built page in Chromium: the first gradient tree after "Train", and how closely a time budget is kept.
//
//   cargo xtask build && node benches/page.mjs ['#model=get&depth=4'] [budgets=10,20] [FILE.csv …]
//
// Default settings, or those of an address, one fresh page per file and budget. "Tree" is the first one with a split, "descent" the first
// one drawn after the descent has begun. Without files, made-up tables of a few thousand rows. Times are taken
// inside the page, from the click to the drawn tree and to the end of the training.

import { createRequire } from 'node:module';
import { basename } from 'node:path';

import { serveSite } from '../tests/e2e/support.mjs';

const require = createRequire(new URL('../www/package.json', import.meta.url));
const { chromium } = require('playwright-core');

/** Three classes cut by the first two columns, the others noise. */
function made(rows, features) {
  let state = 12345;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) % 1000;
  };
  const lines = [[...Array(features).keys()].map((j) => `x${j}`).join(',') + ',y'];
  for (let i = 0; i < rows; i++) {
    const row = Array.from({ length: features }, next);
    lines.push(`${row.join(',')},${'abc'[(row[0] > 500 ? 1 : 0) + (row[1] > row[0] ? 1 : 0)]}`);
  }
  return Buffer.from(lines.join('\n') + '\n');
}

const words = process.argv.slice(2);
const limits = words.find((text) => text.startsWith('budgets='));
const budgets = limits ? limits.slice('budgets='.length).split(',').map(Number) : [0, 2, 5];
const given = words.filter((text) => text !== limits);
const settings = given.filter((text) => text.startsWith('#')).map((text) => text.slice(1)).join('&');
const named = given.filter((text) => !text.startsWith('#')).map((path) => ({ name: basename(path), input: path }));
const files = named.length > 0 ? named : [[2000, 10], [5000, 20]].map(([rows, features]) => ({
  name: `${rows} rows, ${features} columns`,
  input: { name: 'bench.csv', mimeType: 'text/csv', buffer: made(rows, features) },
}));

const { server, address } = await serveSite();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** Seconds from the click to the first tree of the gradient learner and to the end. */
async function measure({ input }, budget) {
  const page = await browser.newPage();
  const hash = [settings, budget ? `budget=${budget}` : ''].filter((text) => text !== '').join('&');
  await page.goto(hash ? `${address}#${hash}` : address);
  await page.waitForFunction(() => ['ready', 'loaded', 'done'].includes(document.documentElement.dataset.state), null, { timeout: 60_000 });
  await page.getByTestId('file-input').setInputFiles(input);
  await page.waitForFunction(() => document.documentElement.dataset.state === 'loaded', null, { timeout: 180_000 });
  const result = await page.evaluate(async () => {
    const drawn = () => document.querySelectorAll('[data-testid="tree-gradient"] [role="treeitem"]').length > 1;
    const begins = () => document.querySelector('[data-testid="progress"]')?.value > 0;
    const begun = performance.now();
    document.querySelector('[data-testid="train"]').click();
    const times = { first: 0, descent: 0, end: 0 };
    await new Promise((resolve) => {
      const look = () => {
        const now = performance.now() - begun;
        if (times.first === 0 && document.documentElement.dataset.state !== 'loaded' && drawn()) times.first = now;
        if (times.descent === 0 && times.first > 0 && begins()) times.descent = now;
        if (['done', 'error'].includes(document.documentElement.dataset.state)) {
          times.end = now;
          resolve();
        } else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    return { ...times, state: document.documentElement.dataset.state, engine: document.querySelector('[data-testid="engine"]')?.textContent };
  });
  await page.close();
  if (result.state !== 'done') throw new Error('the page says that something went wrong');
  return result;
}

console.log('| file | budget | tree, s | descent, s | end, s | end : budget | engine |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |');
for (const file of files) {
  for (const budget of budgets) {
    const { first, descent, end, engine } = await measure(file, budget);
    const share = budget && end / 1000 > budget * 0.8 ? (end / 1000 / budget).toFixed(3) : 'ended before';
    console.log(`| ${file.name} | ${budget || 'none'} | ${(first / 1000).toFixed(2)} | ${(descent / 1000).toFixed(2)} | ${(end / 1000).toFixed(2)} | ${budget ? share : ''} | ${engine?.trim()} |`);
  }
}
await browser.close();
server.closeAllConnections();
server.close();
