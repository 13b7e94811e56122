// The main path through the page in Firefox, driven over WebDriver BiDi; skipped with a note if Firefox is
// not installed.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PATIENCE, put, serveSite, axeSource } from './support.mjs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const require = createRequire(new URL('../../www/package.json', import.meta.url));
const FIREFOX = process.env.FIREFOX ?? ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);
const skip = FIREFOX ? false : 'Firefox is not installed: on Debian, apt-get install firefox-esr';
let browser;
let host;
let folder;

before(async () => {
  if (skip) return;
  host = await serveSite();
  folder = await mkdtemp(join(tmpdir(), 'espalier-firefox-'));
  browser = await require('puppeteer-core').launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    // By the window, because setting a viewport needs a command that older Firefoxes do not know.
    defaultViewport: null,
    args: ['--width=1280', '--height=1000'],
    // A script may wait as long as a step of any other test.
    protocolTimeout: 3 * PATIENCE,
    extraPrefsFirefox: { 'browser.download.dir': folder, 'browser.download.folderList': 2 },
  });
});

after(async () => {
  if (skip) return;
  await browser.close();
  host.server.closeAllConnections();
  host.server.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(hash) {
  const page = await browser.newPage();
  page.setDefaultTimeout(2 * PATIENCE);
  const errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(host.address + hash);
  return { page, errors };
}

/**
 * Waits by polling: in some versions the page's policy refuses the code that the driver would inject to wait.
 */
async function until(page, holds, ...args) {
  for (
    const end = Date.now() + 2 * PATIENCE;
    Date.now() < end;
    await new Promise((resolve) => setTimeout(resolve, 100))
  ) {
    if (await page.evaluate(holds, ...args)) return;
  }
  assert.fail(`waited in vain for ${holds}`);
}

const there = (page, selector) =>
  until(page, (selector) => document.querySelector(selector) !== null, selector);
const state = (page, ...states) =>
  until(page, (wanted) => wanted.includes(document.documentElement.dataset.state), states);
const click = (page, testid) => page.$eval(`[data-testid="${testid}"]`, (element) => element.click());
const text = (page, testid) => page.$eval(`[data-testid="${testid}"]`, (element) => element.innerText);

test('Firefox: a sample is trained, looked at again, compared and taken home', { skip }, async () => {
  const { page, errors } = await open(
    '#sample=xor&model=gradtree&depth=2&seed=1&set.epochs=120&set.restarts=3',
  );
  await state(page, 'done');
  await there(page, '[data-testid=importance]');
  assert.match(await text(page, 'metrics-table'), /accuracy/);
  assert.match(await text(page, 'verdict'), /of 120 test rows/);
  const nodes = await page.$$eval('[data-testid=tree-gradient] [role=treeitem]', (items) => items.length);
  assert.ok(nodes >= 3, `${nodes} nodes`);

  await page.focus('[data-testid=scrubber]');
  await page.keyboard.press('Home');
  await until(page, () => document.body.innerText.includes('GradTree at this moment'));
  await click(page, 'film-best');

  // Comparison: the map in words, a node shown in the other tree, and the explanation.
  await there(page, '[data-testid=plane] svg[role=img]');
  assert.match(await text(page, 'plane'), /CART answers .* GradTree answers/s);
  await page.$eval('[data-testid=tree-gradient] [role=treeitem][tabindex="0"]', (item) => item.focus());
  await page.keyboard.press('ArrowRight');
  await until(page, () => document.querySelectorAll('[data-testid=tree-cart] .share').length > 1);
  await click(page, 'why-ask');
  await there(page, '[data-testid=why] table');
  assert.match(await text(page, 'why'), /CART itself/);

  await click(page, 'row-follow');
  await until(page, () => document.querySelector('[data-testid=one-row]').innerText.includes('CART says'));

  await click(page, 'download-json');
  await until(page, () =>
    /Saved .*tree\.json/.test(document.querySelector('[data-testid=status]').innerText),
  );
  let saved = [];
  for (let wait = 0; wait < 100 && saved.length === 0; wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    saved = (await readdir(folder)).filter((name) => name.endsWith('.tree.json'));
  }
  assert.deepEqual(saved, ['xor-gradtree.tree.json'], 'the download has arrived');
  assert.deepEqual(errors, []);

  await page.evaluate(await axeSource());
  const found = await page.evaluate(async () =>
    (await window.axe.run(document)).violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`,
    ),
  );
  assert.deepEqual(found, []);
  await page.close();
});

test('Firefox: an own file is read, paused, stepped and stopped', { skip }, async () => {
  const { page, errors } = await open(
    '#sample=iris&model=gradtree&depth=3&set.epochs=100000&set.patience=100000',
  );
  await until(page, () => document.querySelector('[data-testid=progress]')?.value > 0);
  await click(page, 'stop');
  await state(page, 'done');
  const rows = Array.from(
    { length: 200 },
    (_, i) => `${(i * 37) % 101};${(i * 53) % 97},5;${(i * 37) % 101 > 50 ? 'ja' : 'nein'}`,
  );
  const path = await put(folder, 'eigene.csv', `a;b;y\n${rows.join('\n')}\n`);
  const input = await page.$('[data-testid=file-input]');
  await input.uploadFile(path);
  await until(page, () => document.querySelector('[data-testid=preview-table]')?.innerText.includes('nein'));
  await click(page, 'train');
  await until(
    page,
    () =>
      document.documentElement.dataset.state === 'training' &&
      document.querySelector('[data-testid=progress]').value > 0,
  );
  await click(page, 'pause');
  await state(page, 'paused');
  await click(page, 'step');
  await click(page, 'stop');
  await state(page, 'done');
  assert.match(await text(page, 'tree-cart'), /nodes/);
  assert.deepEqual(errors, []);
  assert.ok((await readdir(folder)).includes('eigene.csv'));
  await page.close();
});
