// The closer look: the film of a training, the comparison of two trees, one row, and why one tree is better.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { PATIENCE, axeSource, expectClean, site, waitForDone, waitForState } from './support.mjs';

const here = site();
const XOR = '#sample=xor&model=gradtree&depth=2&seed=1&set.epochs=150&set.restarts=4';
let axe;

before(async () => {
  axe = await axeSource();
});

async function expectAccessible(page, state) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`));
  assert.deepEqual(found, [], state);
}

/** The closer look has arrived with the rows. */
async function looked(page) {
  await waitForDone(page);
  await page.getByTestId('importance').waitFor({ timeout: PATIENCE });
}

test('a training can be looked at again: slider, keys, play; tree, scores and map follow', async () => {
  const { page, record, close } = await here.open({ hash: XOR });
  await looked(page);
  const slider = page.getByTestId('scrubber');
  const conditions = () => page.getByTestId('tree-gradient').locator('.label').allTextContents();
  const best = await conditions();
  const last = Number(await slider.getAttribute('max'));
  assert.ok(last > 20, `${last + 1} frames`);

  await slider.focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('[data-testid=scrubber]').value === '0');
  await page.getByText('Gradient tree at this moment').waitFor();
  assert.notDeepEqual(await conditions(), best, 'the first tree is not the best one');
  assert.match(await slider.getAttribute('aria-valuetext'), /Restart 1, epoch 1$/);
  await page.getByTestId('plane').getByText('as at the chosen moment').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await slider.inputValue(), '2');
  await expectAccessible(page, 'in the middle of the film');

  // Space plays from here to the end.
  await page.keyboard.press(' ');
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=scrubber]').value) > 10);
  await page.keyboard.press(' ');
  await page.getByTestId('film-best').click();
  await page.waitForFunction(() => !document.body.innerText.includes('Gradient tree at this moment'));
  assert.deepEqual(await conditions(), best);
  await expectClean(page, record);
  await close();
});

test('a node that is looked at shows where its rows are in the other tree', async () => {
  const { page, close } = await here.open({ hash: XOR });
  await looked(page);
  const shares = () => page.getByTestId('tree-cart').locator('.share').allTextContents();
  assert.deepEqual(await shares(), []);
  await page.getByTestId('tree-gradient').getByRole('treeitem').nth(1).focus();
  const parts = (await shares()).map((share) => Number.parseFloat(share));
  assert.ok(parts.length > 1 && parts[0] === 100, `all rows pass the root, then part: ${parts}`);
  await page.getByTestId('train').focus();
  assert.deepEqual(await shares(), [], 'nothing is looked at any more');
  await close();
});

test('the comparison counts as the scores do', async () => {
  const { page, close } = await here.open({ hash: XOR });
  await looked(page);
  const right = async (tree) => (await page.getByTestId('confusion').locator('p', { hasText: tree }).innerText()).match(/(\d+) of (\d+) right/);
  const [, gradient, all] = await right('Gradient tree');
  assert.match(await page.getByTestId('verdict').innerText(), new RegExp(`\\b${gradient}\\b`), 'the same count in the verdict');
  assert.equal(all, '120');
  assert.match(await page.getByTestId('verdict').innerText(), /sign test/);
  assert.match(await page.getByTestId('disagreement').innerText(), /They differ on \d+ of 120 rows/);
  assert.match(await page.getByTestId('roc').innerText(), /area under the curve 0\.\d/);
  await page.getByTestId('plane').getByLabel('Across').selectOption('x3');
  await page.getByTestId('plane').getByRole('img', { name: /CART over x3/ }).waitFor();
  await close();
});

test('why one tree is better is told with four trees, and five seeds say whether it is luck', async () => {
  const { page, record, close } = await here.open({ hash: '#sample=xor&model=gradtree&depth=2&seed=1&set.epochs=60&set.restarts=2' });
  await looked(page);
  await page.getByTestId('why-ask').click();
  const why = page.getByTestId('why');
  await why.getByRole('table').waitFor({ timeout: PATIENCE });
  const text = await why.innerText();
  assert.match(text, /CART's first cut, x\d ≤ [\d.]+, takes [\d.]+ off the impurity at once/);
  assert.match(text, /Gradient tree's first cut, .* of [\d,]+ cuts of one column/);
  const cart = await page.getByTestId('metrics-table').locator('tr', { hasText: /^accuracy/ }).first().locator('td').first().innerText();
  assert.equal((await why.locator('td').first().innerText()).trim(), cart.trim().split(/\s/).at(-1), 'the first of the four is CART itself');

  await page.getByTestId('seeds-run').click();
  await page.getByTestId('seeds').getByText(/better with|Neither is ahead/).waitFor({ timeout: PATIENCE });
  assert.equal(await page.getByTestId('seeds').locator('tbody tr').count(), 6);
  await expectAccessible(page, 'explained, with five seeds');
  await expectClean(page, record);
  await close();
});

test('one row is followed through both trees and tips when a value changes', async () => {
  const { page, close } = await here.open({ hash: '#sample=iris&model=gradtree&depth=2&seed=1&set.epochs=60&set.restarts=2' });
  await looked(page);
  const row = page.getByTestId('one-row');
  await page.getByTestId('row-follow').click();
  await row.getByText('CART says').waitFor();
  assert.match(await row.innerText(), /CART says Iris-setosa/, 'the first row of the file');
  assert.ok((await page.getByTestId('tree-cart').locator('.traced').count()) > 2, 'its way is drawn');
  await row.getByLabel('Row of the preview').selectOption({ label: '60' });
  await row.getByText('CART says Iris-versicolor').waitFor();
  // Only columns that a tree reads have a control.
  for (const [name, cell] of [['petal_length', '1'], ['petal_width', '0.1']]) {
    const field = row.getByRole('textbox', { name });
    if ((await field.count()) > 0) await field.fill(cell);
  }
  await page.keyboard.press('Tab');
  await row.getByText('CART says Iris-setosa').waitFor();
  await expectAccessible(page, 'following a row');
  await page.getByTestId('row-follow').click();
  assert.equal(await page.getByTestId('tree-cart').locator('.traced').count(), 0);
  await close();
});

test('a row far outside says that a bound answers in place of the formula', async () => {
  const { page, close } = await here.open({ hash: '#sample=airfoil&model=get-linear&depth=2&seed=1&set.epochs=10&set.starts=2' });
  await looked(page);
  const row = page.getByTestId('one-row');
  await page.getByTestId('row-follow').click();
  await row.getByText('CART says').waitFor();
  const beyond = page.getByTestId('row-beyond');
  assert.equal(await beyond.count(), 0, 'the first row of the file is none');
  for (const field of await row.getByRole('textbox').all()) await field.fill('1000000000');
  await page.keyboard.press('Tab');
  await beyond.waitFor();
  assert.match(await beyond.innerText(), /formula alone would give -?\d.*stays within the targets' range/);
  const said = /Gradient tree says (-?[\d.]+)/.exec(await row.innerText());
  assert.ok(said && Math.abs(Number(said[1])) < 250, `an answer near the file's targets, not ${said?.[0]}`);
  const leaf = page.getByTestId('tree-gradient').locator('.leaf title').first();
  assert.match(await leaf.textContent(), /, kept from -?[\d.]+ to [\d.]+, \d/);
  await expectAccessible(page, 'a bound answers');
  await close();
});

test('numbers have errors in place of classes', async () => {
  const { page, close } = await here.open({ hash: '#sample=airfoil&model=gradtree&depth=3&set.epochs=20&set.restarts=1' });
  await looked(page);
  assert.match(await page.getByTestId('errors').innerText(), /CART: root mean squared error \d/);
  assert.match(await page.getByTestId('disagreement').innerText(), /CART is nearer on \d+|the same answer on every one/);
  await expectAccessible(page, 'numbers');
  await close();
});

test('a drawing is saved as SVG that stands alone and as PNG', async () => {
  const { page, close } = await here.open({ hash: XOR });
  await looked(page);
  const save = async (form) => {
    const button = page.getByTestId('tree-gradient').getByRole('button', { name: `as ${form}` });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const svg = await save('SVG');
  const text = svg.bytes.toString('utf8');
  assert.equal(svg.name, 'xor-gradtree.svg');
  assert.ok(!/var\(|class=|rgba?\(/.test(text), 'no style sheet, no variable, no rgb()');
  assert.ok(text.includes('≤') && text.includes('<pattern'));
  const png = await save('PNG');
  assert.deepEqual([...png.bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
  await close();
});

test('a new file in the middle of a training, and a window that changes its size, lose nothing', async () => {
  const { page, record, close } = await here.open({ hash: '#sample=xor&model=gradtree&depth=5&set.epochs=100000&set.patience=100000' });
  await page.waitForFunction(() => document.querySelector('[data-testid=progress]')?.value > 0);
  for (const width of [390, 1440, 700, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForTimeout(250);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${width} px`);
  }
  await page.getByTestId('sample-iris').click();
  await waitForState(page, 'loaded');
  await page.getByTestId('train').click();
  await page.waitForFunction(() => document.querySelector('[data-testid=progress]')?.value > 0);
  await page.getByTestId('stop').click();
  await looked(page);
  await expectClean(page, record);
  await close();
});

test('300 columns and 40 classes are drawn and compared', async () => {
  const { page, record, close } = await here.open({ hash: '#sample=iris&model=gradtree&depth=3&set.epochs=3&set.restarts=1' });
  await waitForDone(page);
  const names = Array.from({ length: 300 }, (_, at) => `a rather long name of column number ${at}`);
  const rows = Array.from({ length: 400 }, (_, i) => [...names.map((_, j) => (i * (j + 7)) % 101), `kind ${String(i % 40).padStart(2, '0')}`].join(','));
  const file = { name: 'wide.csv', mimeType: 'text/csv', buffer: Buffer.from(`${names.join(',')},y\n${rows.join('\n')}\n`) };
  await page.getByTestId('file-input').setInputFiles(file);
  await waitForState(page, 'loaded');
  await page.getByTestId('train').click();
  await page.waitForFunction(() => document.querySelector('[data-testid=progress]')?.value > 0);
  await page.getByTestId('stop').evaluate((button) => button.click());
  await looked(page);
  assert.match(await page.getByTestId('confusion').innerText(), /most frequent mistakes of 40 classes/);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
  await expectAccessible(page, 'wide');
  await expectClean(page, record);
  await close();
});
