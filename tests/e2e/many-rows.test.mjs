// A million rows: predicted on the page as on the command line, and a file of 100 MB read and trained on.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import {
  downloadTree,
  espalier,
  expectClean,
  put,
  sampleFile,
  site,
  waitForDone,
  waitForState,
} from './support.mjs';

const here = site();
const ROWS = 1_000_000;

/** Writes a file row by row. */
async function write(path, header, row) {
  const file = createWriteStream(path);
  file.write(`${header}\n`);
  for (let at = 0; at < ROWS; at += 1000) {
    const text = Array.from({ length: 1000 }, (_, index) => `${row(at + index)}\n`).join('');
    if (!file.write(text)) await new Promise((resolve) => file.once('drain', resolve));
  }
  file.end();
  await finished(file);
  return path;
}

async function digest(path) {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

/** From now on the page records how long its main thread delays a timer. */
function watchMainThread(page) {
  return page.evaluate(() => {
    window.__longest = 0;
    window.__beats = 0;
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      window.__longest = Math.max(window.__longest, now - last);
      window.__beats += 1;
      last = now;
    }, 20);
  });
}

test('a million rows are predicted on the page as on the command line, with progress, and the page answers meanwhile', async (t) => {
  const { page, record, close } = await here.open({
    hash: '#sample=xor&model=gradtree&depth=2&set.epochs=40&set.restarts=1',
  });
  await waitForDone(page);
  const { text } = await downloadTree(page, 'gradient');
  const tree = await put(here.folder, 'xor.tree.json', text);

  const [header, ...known] = (await sampleFile('xor.csv')).trim().split('\n');
  // Other columns, words with commas, quotes and missing cells are kept.
  const rows = await write(join(here.folder, 'rows.csv'), `id,${header},note`, (at) => {
    const cells = known[at % known.length];
    return `${at},${at % 97 === 0 ? cells.replace(/^[^,]*/, '') : cells},${at % 1000 === 0 ? '"a, ""b"""' : 'né'}`;
  });

  await watchMainThread(page);
  const shares = page.evaluate(() => {
    const seen = new Set();
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        const bar = document.querySelector('[data-testid=predict-progress]');
        if (bar) seen.add(bar.value);
        else if (seen.size > 0) {
          clearInterval(timer);
          resolve([...seen]);
        }
      }, 10);
    });
  });
  const begun = performance.now();
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 300_000 }),
    (async () => {
      await page.getByTestId('predict-input').setInputFiles(rows);
      await page.getByTestId('predict-progress').waitFor();
      // The work is not done in the page itself, so it remains usable.
      await page.getByTestId('seed-input').fill('77');
      assert.match(await page.evaluate(() => location.hash), /seed=77/);
      assert.ok(await page.getByTestId('predict-progress').isVisible(), 'it is still predicting');
    })(),
  ]);
  const onPage = await download.path();
  const seconds = (performance.now() - begun) / 1000;

  const seen = await shares;
  assert.ok(seen.length >= 5, `the bar moves: ${seen}`);
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
    'and never back',
  );
  const { longest, beats } = await page.evaluate(() => ({
    longest: window.__longest,
    beats: window.__beats,
  }));
  assert.ok(beats > 10);
  t.diagnostic(
    `${ROWS} rows in ${seconds.toFixed(1)} s; the main thread's longest silence was ${longest.toFixed(0)} ms`,
  );

  const out = join(here.folder, 'rows.predicted.csv');
  await espalier('predict', tree, rows, '--out', out);
  assert.equal(await digest(onPage), await digest(out), 'page and command line write the same bytes');
  await expectClean(page, record);
  await close();
});

test('a file of 100 MB is read, trained on and lets the page answer', async (t) => {
  const { page, record, close } = await here.open({ hash: '#model=gradtree' });
  await waitForDone(page);
  const number = (at, salt) => (((at * 2654435761 + salt * 40503) >>> 0) % 100_000) / 1000;
  const header = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'label'].join(',');
  const path = await write(join(here.folder, 'large.csv'), header, (at) => {
    const cells = Array.from({ length: 11 }, (_, column) => number(at, column).toFixed(5));
    return [...cells, number(at, 0) + number(at, 1) > 100 ? 'high' : 'low'].join(',');
  });
  await watchMainThread(page);
  const begun = performance.now();
  await page.getByTestId('file-input').setInputFiles(path);
  await waitForState(page, 'reading');
  await page.waitForFunction(() => document.documentElement.dataset.state === 'loaded', undefined, {
    timeout: 300_000,
  });
  const seconds = (performance.now() - begun) / 1000;
  assert.match(await page.getByTestId('status').innerText(), /1,000,000 rows/);
  // Long enough for a first tree on a busy machine: a budget that runs out before the first tree leaves none.
  await page.getByTestId('budget-input').fill('45');
  await page.getByTestId('train').click();
  await page.waitForFunction(() => document.documentElement.dataset.state === 'done', undefined, {
    timeout: 300_000,
  });
  assert.ok((await page.getByTestId('tree-gradient').getByRole('treeitem').count()) >= 3);
  const longest = await page.evaluate(() => window.__longest);
  t.diagnostic(
    `read in ${seconds.toFixed(1)} s; the main thread's longest silence until the trees were there was ${longest.toFixed(0)} ms`,
  );
  await expectClean(page, record);
  await close();
});
