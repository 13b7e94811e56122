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
  const found = await page.evaluate(async () =>
    (await window.axe.run(document)).violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`,
    ),
  );
  assert.deepEqual(found, [], state);
}

/** The closer look has loaded its rows. */
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
  await page.getByText('GradTree at this moment').waitFor();
  assert.notDeepEqual(await conditions(), best, 'the first tree is not the best one');
  assert.match(await slider.getAttribute('aria-valuetext'), /Greedy start, epoch 1$/);
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
  await page.waitForFunction(() => !document.body.innerText.includes('GradTree at this moment'));
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
  const right = async (tree) =>
    (await page.getByTestId('confusion').locator('p', { hasText: tree }).innerText()).match(
      /(\d+) of (\d+) right/,
    );
  const [, gradient, all] = await right('GradTree');
  assert.match(
    await page.getByTestId('verdict').innerText(),
    new RegExp(`\\b${gradient}\\b`),
    'the same count in the verdict',
  );
  assert.equal(all, '120');
  assert.match(await page.getByTestId('verdict').innerText(), /sign test/);
  assert.match(await page.getByTestId('disagreement').innerText(), /They differ on \d+ of 120 rows/);
  assert.match(await page.getByTestId('roc').innerText(), /area under the curve 0\.\d/);
  await page.getByTestId('plane').getByLabel('Across').selectOption('x3');
  await page
    .getByTestId('plane')
    .getByRole('img', { name: /CART over x3/ })
    .waitFor();
  const map = page.getByTestId('plane');
  assert.match(
    await map.innerText(),
    /CART answers (yes|no) on [\d.]+%.* GradTree answers/s,
    'the map in words',
  );
  // Letters follow their regions one frame later.
  const answers = map.getByRole('img', { name: /GradTree over x3/ }).locator('.answer');
  await answers.first().waitFor();
  const letters = await answers.allTextContents();
  assert.ok(
    letters.length >= 1 && letters.every((letter) => /^[AB]$/.test(letter)),
    `answers are told by letters too: ${letters}`,
  );
  await close();
});

test('why one tree is better is told with four trees, and five seeds say whether it is luck', async () => {
  const { page, record, close } = await here.open({
    hash: '#sample=xor&model=gradtree&depth=2&seed=1&set.epochs=60&set.restarts=2',
  });
  await looked(page);
  const why = page.getByTestId('why');
  // It can be cancelled at any time: nothing is left of it, and it can be requested again.
  await page.getByTestId('why-ask').focus();
  await page.keyboard.press('Enter');
  await why.getByRole('progressbar').waitFor();
  assert.equal(
    await page.evaluate(() => document.activeElement.dataset.testid),
    'why-stop',
    'the focus stays on the button that now stops',
  );
  await page.keyboard.press('Enter');
  await why.getByRole('progressbar').waitFor({ state: 'detached' });
  await page.getByTestId('why-ask').click();
  await why.getByRole('table').waitFor({ timeout: PATIENCE });
  const text = await why.innerText();
  assert.match(text, /CART's first cut, x\d ≤ [\d.]+, takes [\d.]+ off the impurity at once/);
  assert.match(text, /GradTree's first cut, .* of [\d,]+ cuts of one column/);
  const cart = await page
    .getByTestId('metrics-table')
    .locator('tr', { hasText: /^accuracy/ })
    .first()
    .locator('td')
    .first()
    .innerText();
  assert.match(
    (await why.locator('td').first().innerText()).trim(),
    new RegExp(`^${cart.trim().split(/\s/).at(-1)}\\s+CART itself$`),
    'the first of the four is CART itself',
  );
  assert.match(text, /Impurity: how often two rows/, 'no word without its explanation');

  await page.getByTestId('seeds-run').click();
  await page
    .getByTestId('seeds')
    .getByText(/better with|Neither is ahead/)
    .waitFor({ timeout: PATIENCE });
  const seeds = page.getByTestId('seeds');
  assert.equal(await seeds.getByTestId('seed-rows').locator('tr').count(), 5);
  await seeds.getByTestId('seeds-others').locator('summary').click();
  const spread = (await seeds.locator('table').allInnerTexts()).join('\n');
  for (const part of ['Test', 'Validation', 'Training', 'The tree itself'])
    assert.match(spread, new RegExp(`^${part}`, 'm'));
  assert.match(spread, /accuracy\s+\d\.\d{3} ± \d\.\d{3}\s+\d\.\d{3} ± \d\.\d{3}/);
  assert.match(
    spread,
    /leaves\s+\d+(\.\d)? ± \d+(\.\d)?\s+\d+(\.\d)? ± \d+(\.\d)?\s*\n/,
    'counts have one decimal at most',
  );
  await expectAccessible(page, 'explained, with five seeds');
  await expectClean(page, record);
  await close();
});

test('one row is followed through both trees and tips when a value changes', async () => {
  const { page, close } = await here.open({
    hash: '#sample=iris&model=gradtree&depth=2&seed=1&set.epochs=60&set.restarts=2',
  });
  await looked(page);
  const row = page.getByTestId('one-row');
  await page.getByTestId('row-follow').click();
  await row.getByText('CART says').waitFor();
  assert.match(await row.innerText(), /CART says Iris-setosa/, 'the first row of the file');
  assert.ok((await page.getByTestId('tree-cart').locator('.traced').count()) > 2, 'its way is drawn');
  await row.getByTestId('row-number').fill('60');
  await page.keyboard.press('Tab');
  await row.getByText('CART says Iris-versicolor').waitFor();
  // Rows beyond the preview come from the engine.
  await row.getByTestId('row-number').fill('150');
  await page.keyboard.press('Tab');
  await row.getByText('CART says Iris-virginica').waitFor();
  await row.getByText('In the file class is Iris-virginica').waitFor();
  await row.getByTestId('row-number').fill('151');
  await page.keyboard.press('Tab');
  assert.equal(await row.getByTestId('row-number').inputValue(), '150', 'there is no row 151');
  await row.getByTestId('row-number').fill('60');
  await page.keyboard.press('Tab');
  await row.getByText('CART says Iris-versicolor').waitFor();
  // Only columns that a tree reads have a control.
  for (const [name, cell] of [
    ['petal_length', '1'],
    ['petal_width', '0.1'],
  ]) {
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
  const { page, close } = await here.open({
    hash: '#sample=airfoil&model=get-linear&depth=2&seed=1&set.epochs=10&set.starts=2',
  });
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
  const said = /GET-Linear says (-?[\d.]+)/.exec(await row.innerText());
  assert.ok(said && Math.abs(Number(said[1])) < 250, `an answer near the file's targets, not ${said?.[0]}`);
  const leaf = page.getByTestId('tree-gradient').locator('.leaf title').first();
  assert.match(await leaf.textContent(), /, kept from -?[\d.]+ to [\d.]+, \d/);
  await expectAccessible(page, 'a bound answers');
  await close();
});

test('rows on which the trees differ can be gone through', async () => {
  const { page, close } = await here.open({ hash: XOR });
  await looked(page);
  await page.getByTestId('row-follow').click();
  const row = page.getByTestId('one-row');
  const answers = () => row.locator('.answer').allTextContents();
  const seen = new Set();
  for (let step = 0; step < 3; step += 1) {
    const before = await row.getByTestId('row-number').inputValue();
    await page.getByTestId('row-different').click();
    await page.waitForFunction(
      (old) => document.querySelector('[data-testid=row-number]').value !== old,
      before,
    );
    const number = await row.getByTestId('row-number').inputValue();
    await page.waitForFunction(() => {
      const said = [...document.querySelectorAll('[data-testid=one-row] .answer')].map(
        (answer) => / says (\S+)/.exec(answer.textContent)[1],
      );
      return said.length === 2 && said[0] !== said[1];
    });
    seen.add(number);
    assert.equal((await answers()).length, 2);
  }
  assert.equal(seen.size, 3, 'three different rows');
  await close();
});

test('many classes have curves of their own, words a map, and leaves names', async () => {
  const { page, record, close } = await here.open({
    hash: '#sample=own&model=gradtree&depth=3&set.epochs=30&set.restarts=1',
  });
  await waitForState(page, 'ready');
  let seed = 5;
  const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const rows = Array.from({ length: 400 }, () => {
    const [size, colour] = [next() * 10, ['red', 'green', 'blue'][Math.floor(next() * 3)]];
    const kind = colour === 'red' ? 'plum' : size > 5 ? 'pear' : 'fig';
    return `${size.toFixed(2)},${colour},${next() < 0.12 ? 'fig' : kind}`;
  });
  await page.getByTestId('file-input').setInputFiles({
    name: 'fruit.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`size,colour,kind\n${rows.join('\n')}\n`),
  });
  await waitForState(page, 'loaded');
  await page.getByTestId('target-select').selectOption('kind');
  await page.getByTestId('train').click();
  await looked(page);

  const roc = page.getByTestId('roc');
  await roc.getByLabel('Class').selectOption('plum');
  await roc.getByRole('heading', { name: /Finding “plum”/ }).waitFor();
  const area = Number(/CART: area under the curve (\d\.\d+)/.exec(await roc.innerText())[1]);
  assert.ok(area > 0.85, `plums are easy: ${area}`);

  const map = page.getByTestId('plane');
  await map.getByLabel('Across').selectOption('colour');
  const drawing = map.getByRole('img', { name: 'CART over colour and size' });
  await drawing.waitFor();
  const written = await drawing.locator('text').allTextContents();
  for (const word of ['blue', 'green', 'red'])
    assert.ok(
      written.some((text) => text.startsWith(word)),
      `${word} in ${written}`,
    );
  assert.ok((await drawing.locator('.mark').count()) === 3, 'marks of each class');
  await expectAccessible(page, 'three classes, words on the map');
  await expectClean(page, record);
  await close();
});

test('a tree of very many nodes is saved with its cards', async () => {
  const { page, close } = await here.open({
    hash: '#sample=airfoil&model=gradtree&depth=8&set.epochs=2&set.restarts=1',
  });
  await looked(page);
  const view = page.getByTestId('tree-cart');
  await view.getByLabel('Levels').selectOption('8');
  await view.locator('canvas').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    view.getByRole('button', { name: 'as SVG' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  assert.ok((text.match(/≤/g) ?? []).length > 100, 'conditions are written');
  await view.locator('canvas').waitFor();
  await close();
});

test('numbers have errors in place of classes', async () => {
  const { page, close } = await here.open({
    hash: '#sample=airfoil&model=gradtree&depth=3&set.epochs=20&set.restarts=1',
  });
  await looked(page);
  assert.match(await page.getByTestId('errors').innerText(), /CART: root mean squared error \d/);
  assert.match(
    await page.getByTestId('disagreement').innerText(),
    /CART is nearer on \d+|the same answer on every one/,
  );
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
  const { page, record, close } = await here.open({
    hash: '#sample=xor&model=gradtree&depth=5&set.epochs=100000&set.patience=100000',
  });
  await page.waitForFunction(() => document.querySelector('[data-testid=progress]')?.value > 0);
  for (const width of [390, 1440, 700, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForTimeout(250);
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      `${width} px`,
    );
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
  const { page, record, close } = await here.open({
    hash: '#sample=iris&model=gradtree&depth=3&set.epochs=3&set.restarts=1',
  });
  await waitForDone(page);
  const names = Array.from({ length: 300 }, (_, at) => `a rather long name of column number ${at}`);
  const rows = Array.from({ length: 400 }, (_, i) =>
    [...names.map((_, j) => (i * (j + 7)) % 101), `kind ${String(i % 40).padStart(2, '0')}`].join(','),
  );
  const file = {
    name: 'wide.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${names.join(',')},y\n${rows.join('\n')}\n`),
  };
  await page.getByTestId('file-input').setInputFiles(file);
  await waitForState(page, 'loaded');
  await page.getByTestId('train').click();
  await page.waitForFunction(() => document.querySelector('[data-testid=progress]')?.value > 0);
  await page.getByTestId('stop').evaluate((button) => button.click());
  await looked(page);
  assert.match(await page.getByTestId('confusion').innerText(), /most frequent mistakes of 40 classes/);
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
  );
  await expectAccessible(page, 'wide');
  await expectClean(page, record);
  await close();
});
