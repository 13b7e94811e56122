// From a dropped file to a downloaded tree and back, checked against the command line and an independent
// reader.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  downloadBytes,
  downloadText,
  downloadTree,
  dropFile,
  espalier,
  expectClean,
  put,
  site,
  waitForDone,
  waitForState,
} from './support.mjs';
import { rowsOf, walk } from './walker.mjs';

const here = site();

/** Numbers, words, missing cells, three classes; the same on every machine. */
function garden(rows) {
  let state = 12345;
  const next = () => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
  const lines = ['height,width,soil,age,kind'];
  for (let row = 0; row < rows; row += 1) {
    const height = next() * 5;
    const width = next() * 3;
    const soil = ['clay', 'sand', 'loam'][Math.floor(next() * 3)];
    const kind = height <= 2 ? (soil === 'sand' ? 'pear' : 'apple') : width <= 1.5 ? 'plum' : 'apple';
    const cells = [
      height.toFixed(3),
      next() < 0.06 ? '' : width.toFixed(2),
      next() < 0.05 ? 'NA' : soil,
      Math.floor(next() * 40),
    ];
    lines.push([...cells, next() < 0.05 ? 'plum' : kind].join(','));
  }
  return `${lines.join('\n')}\n`;
}

const CSV = garden(400);

/** Drops the garden, chooses its target, trains with a few short runs. */
async function trained(target = 'kind') {
  // A short training by the address; the dropped file keeps the settings.
  const opened = await here.open({
    hash: '#sample=iris&model=gradtree&depth=3&set.epochs=60&set.restarts=1',
  });
  const { page } = opened;
  await waitForDone(page);
  await dropFile(page, 'garden.csv', CSV);
  await waitForState(page, 'loaded');
  await page.getByTestId('target-select').selectOption(target);
  await page.getByTestId('train').click();
  await waitForDone(page);
  return opened;
}

/** Compares the command line's predictions with the walker's, row by row. */
async function comparePredictions(json, label) {
  const tree = await put(here.folder, `${label}.tree.json`, json);
  const data = await put(here.folder, 'garden.csv', CSV);
  const out = join(here.folder, `${label}.predicted.csv`);
  await espalier('predict', tree, data, '--out', out);
  const predicted = rowsOf(await readFile(out, 'utf8'));
  const document = JSON.parse(json);
  const rows = rowsOf(CSV);
  assert.equal(predicted.length, rows.length);
  const leaves = new Set();
  rows.forEach((row, index) => {
    const { leaf, prediction } = walk(document, row);
    leaves.add(leaf);
    assert.equal(predicted[index].leaf, String(leaf), `leaf of row ${index + 1} of ${label}`);
    assert.equal(
      predicted[index].prediction,
      String(prediction),
      `prediction of row ${index + 1} of ${label}`,
    );
  });
  assert.ok(leaves.size > 1, `${label} sends rows to more than one leaf`);
  await espalier('verify', tree);
}

test('a dropped file is previewed with what was understood of each column', async () => {
  const { page, record, close } = await here.open();
  await waitForDone(page);
  await dropFile(page, 'garden.csv', CSV);
  await waitForState(page, 'loaded');
  const preview = page.getByTestId('preview-table');
  // Rows are drawn a few at a time.
  await preview.locator('tbody tr').nth(99).waitFor({ state: 'attached' });
  assert.equal(await preview.locator('tbody tr').count(), 100);
  for (const [column, kind] of [
    ['height', 'number'],
    ['soil', 'category'],
    ['kind', 'category'],
  ]) {
    assert.match(
      await page.getByTestId(`column-${column}`).innerText(),
      new RegExp(kind),
      `kind of ${column}`,
    );
  }
  assert.equal(
    await page.getByRole('combobox', { name: 'Target' }).inputValue(),
    'kind',
    'the suggested target',
  );
  await expectClean(page, record);
  await close();
});

test('what is downloaded predicts as the command line does, leaf by leaf', async () => {
  const { page, record, close } = await trained();
  const gradient = await downloadTree(page, 'gradient');
  assert.match(gradient.name, /^garden.*\.tree\.json$/);
  await comparePredictions(gradient.text, 'gradient');
  const cart = await downloadTree(page, 'cart');
  await comparePredictions(cart.text, 'cart');
  await expectClean(page, record);
  await close();
});

test('a numeric target gives a tree of numbers', async () => {
  const { page, close } = await trained('height');
  assert.match(await page.getByTestId('metrics-table').innerText(), /R²/);
  // Deeper levels are folded until they are opened.
  const levels = page.getByTestId('tree-cart').getByLabel('Levels');
  await levels.selectOption(await levels.locator('option').last().getAttribute('value'));
  assert.match(
    await page.getByTestId('tree-cart').getByRole('treeitem').last().locator('title').textContent(),
    /mean .*, deviation/,
  );
  const { text } = await downloadTree(page, 'gradient');
  assert.equal(JSON.parse(text).task, 'regression');
  await comparePredictions(text, 'regression');
  await close();
});

test('a downloaded tree can be opened again, drawn, proved and used', async () => {
  const { page, record, close } = await trained();
  const { text } = await downloadTree(page, 'gradient');
  const drawn = await page.getByTestId('tree-gradient').locator('pre').textContent();
  await close();

  const again = await here.open();
  await waitForDone(again.page);
  await again.page
    .getByTestId('load-tree')
    .setInputFiles({ name: 'mine.tree.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await again.page.getByText(/of its own proof rows were run again and all agree/).waitFor();
  assert.equal(
    await again.page.getByTestId('tree-gradient').locator('pre').textContent(),
    drawn,
    'the same tree is drawn',
  );
  assert.equal(await again.page.getByTestId('tree-cart').count(), 0, 'a file holds one tree');
  assert.equal(await again.page.getByTestId('loss-chart').count(), 0, 'the loss was that of another tree');
  await again.page.getByTestId('row-follow').click();
  await again.page.getByTestId('one-row').getByText('mine.tree.json says').waitFor();

  const predicted = await downloadText(again.page, () =>
    again.page
      .getByTestId('predict-input')
      .setInputFiles({ name: 'garden.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) }),
  );
  const tree = await put(here.folder, 'again.tree.json', text);
  const data = await put(here.folder, 'garden.csv', CSV);
  const out = join(here.folder, 'again.csv');
  await espalier('predict', tree, data, '--out', out);
  assert.equal(predicted.text, await readFile(out, 'utf8'), 'page and command line predict the same file');

  const copy = await downloadText(again.page, () => again.page.getByTestId('download-json').click());
  assert.equal(copy.text, text, 'downloaded once more, it is the same file');
  await expectClean(page.isClosed() ? again.page : page, record);
  await expectClean(again.page, again.record);
  await again.close();
});

test('every export is what the command line writes', async () => {
  let { page, close } = await trained();
  const { text } = await downloadTree(page, 'gradient');
  const tree = await put(here.folder, 'export.tree.json', text);
  const listed = await page
    .getByTestId('export-menu')
    .locator('button')
    .evaluateAll((all) => all.map((one) => one.dataset.testid));
  const formats = listed.map((id) => id.replace('export-', '')).filter((format) => format !== 'png');
  assert.ok(formats.length >= 14, `${formats}`);
  for (const [at, format] of formats.entries()) {
    // Chromium asks the user before the eleventh download of a tab.
    if (at === 8) {
      await close();
      ({ page, close } = await trained());
    }
    const { bytes } = await downloadBytes(page, () => page.getByTestId(`export-${format}`).click());
    const out = join(here.folder, `export.${format}`);
    await espalier('export', tree, '--to', format, '--out', out);
    assert.ok(bytes.equals(await readFile(out)), format);
  }
  const picture = await downloadBytes(page, () => page.getByTestId('export-png').click());
  assert.match(picture.name, /\.png$/);
  assert.equal(picture.bytes.subarray(1, 4).toString(), 'PNG');
  // Width and height come after the first chunk's name.
  assert.ok(picture.bytes.readUInt32BE(16) > 600 && picture.bytes.readUInt32BE(20) > 200);
  await close();
});

test('a pasted table is read like a file', async () => {
  const { page, close } = await here.open();
  await waitForDone(page);
  await page.getByText('Paste a table').click();
  await page.getByTestId('paste-input').fill(CSV);
  await page.getByTestId('paste-button').click();
  await waitForState(page, 'loaded');
  assert.match(await page.getByTestId('status').innerText(), /400 rows/);
  await close();
});
