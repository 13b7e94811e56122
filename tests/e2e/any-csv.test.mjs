// Real-world files: what was inferred is shown, and every guess can be corrected.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  axeSource,
  dropFile,
  downloadTree,
  expectClean,
  site,
  waitForDone,
  waitForState,
} from './support.mjs';

const here = site();
let axe;

before(async () => {
  axe = await axeSource();
});

const START = '#sample=iris&model=gradtree&depth=2&set.epochs=20&set.restarts=1';

/** A page that has finished its first training. */
async function open(options = {}) {
  const opened = await here.open({ hash: START, ...options });
  await waitForDone(opened.page);
  return opened;
}

async function read(page, name, content) {
  await dropFile(page, name, content);
  // The page is in `reading` before `loaded`, and was in `done` before that.
  await waitForState(page, 'loaded', 'error');
}

/** Does something that reads the file again, and waits until it has been read. */
async function reread(page, action) {
  const before = await page.evaluate(() => window.__states.length);
  await action();
  await page.waitForFunction(
    (from) =>
      window.__states.slice(from).includes('reading') &&
      ['loaded', 'error'].includes(document.documentElement.dataset.state),
    before,
  );
}

const column = (page, name) => page.getByTestId(`column-${name}`);
const shown = (page, control) =>
  page.getByTestId(control).evaluate((select) => select.selectedOptions[0].textContent.trim());

async function expectAccessible(page, state) {
  await page.evaluate(axe);
  const violations = await page.evaluate(async () =>
    (await window.axe.run(document)).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    ),
  );
  assert.deepEqual(violations, [], state);
  const [content, screen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok(content <= screen, `${state}: ${content} px of content on ${screen} px`);
}

const EUROPEAN =
  'Ort;Größe;Preis\r\n' +
  Array.from({ length: 40 }, (_, i) => `${i % 2 ? 'Köln' : 'Bonn'};${i},5;1.${100 + i},25\r\n`).join('');

test('semicolons, decimal commas and thousands are understood and shown', async () => {
  const { page, record, close } = await open();
  await read(page, 'preise.csv', Buffer.from(EUROPEAN, 'latin1'));
  assert.equal(await shown(page, 'delimiter-select'), 'semicolon, guessed');
  assert.equal(await shown(page, 'encoding-select'), 'Windows-1252, guessed');
  assert.equal(await shown(page, 'header-select'), 'names, guessed');
  assert.match(await column(page, 'Größe').innerText(), /number/);
  assert.match(await column(page, 'Größe').innerText(), /decimal comma/);
  assert.match(await column(page, 'Preis').innerText(), /thousands/);
  assert.match(
    await column(page, 'Preis').getByRole('img').getAttribute('aria-label'),
    /From 1,100\.3 to 1,139\.3; median/,
  );
  assert.match(
    await column(page, 'Ort').getByRole('img').getAttribute('aria-label'),
    /Bonn \(20\), Köln \(20\)/,
  );
  await page.getByTestId('train').click();
  await waitForDone(page);
  await expectClean(page, record);
  await close();
});

test('another separator, encoding and first line read the file again', async () => {
  const { page, close } = await open();
  await read(page, 'preise.csv', Buffer.from(EUROPEAN, 'latin1'));
  await reread(page, () => page.getByTestId('header-select').selectOption('false'));
  assert.equal(await shown(page, 'header-select'), 'a row of data');
  assert.equal(await column(page, 'column 1').count(), 1);
  await reread(page, () => page.getByTestId('header-select').selectOption(''));
  assert.equal(await column(page, 'Größe').count(), 1);
  await reread(page, () => page.getByTestId('encoding-select').selectOption('utf-8'));
  assert.equal(await column(page, 'Größe').count(), 0, 'the wrong encoding garbles the name');
  await reread(page, () => page.getByTestId('encoding-select').selectOption(''));
  await reread(page, () => page.getByTestId('delimiter-select').selectOption('|'));
  assert.equal(await page.getByTestId('preview-table').locator('th').count(), 1);
  await close();
});

test('a file of a spreadsheet in UTF-16 is understood', async () => {
  const { page, close } = await open();
  const text =
    '\ufefftemp\tstate\r\n' +
    Array.from({ length: 30 }, (_, i) => `${i}\t${i < 15 ? 'kühl' : 'warm'}\r\n`).join('');
  await read(page, 'unicode.txt', Buffer.from(text, 'utf16le'));
  assert.equal(await shown(page, 'encoding-select'), 'UTF-16 LE, guessed');
  assert.equal(await shown(page, 'delimiter-select'), 'tab, guessed');
  assert.match(await column(page, 'state').getByRole('img').getAttribute('aria-label'), /kühl \(15\)/);
  await close();
});

const RAGGED = 'a,b,y\n1,2,no\n1,2\n3,2,no\n4,1,yes\n5,2,no,9\n6,1,yes\n7,2,no\n8,1,yes\n9,2,no\n10,1,yes\n';

test('rows that cannot be read are named and can be skipped', async () => {
  const { page, record, close } = await open();
  await read(page, 'ragged.csv', RAGGED);
  const alert = await page.getByRole('alert').innerText();
  assert.match(alert, /Line 3/);
  assert.match(alert, /Lines 3, 6\./);
  await expectAccessible(page, 'the offer to skip rows');
  await reread(page, () => page.getByRole('button', { name: 'Skip these 2 rows' }).click());
  assert.equal(await page.getByTestId('error').count(), 0);
  assert.match(
    await page.locator('body').innerText(),
    /2 rows cannot be read and are left out, the first on line 3/,
  );
  await page.getByTestId('skipped-rows').locator('summary').click();
  const rows = await page.getByTestId('skipped-rows').innerText();
  assert.match(rows, /Line 3: 2 fields instead of 3/);
  assert.match(rows, /Line 6: 4 fields instead of 3/);
  await expectAccessible(page, 'skipped rows');
  // And back: the rows are refused again.
  await reread(page, () => page.getByTestId('skip-rows').click());
  assert.match(await page.getByRole('alert').innerText(), /Line 3/);
  await expectClean(page, record);
  await close();
});

test('a kind is overridden, and the cells that do not fit are listed by line', async () => {
  const { page, close } = await open();
  const csv =
    'code,x,y\n' +
    Array.from(
      { length: 60 },
      (_, i) => `${i === 7 ? 'n.n.' : 10 + (i % 5)},${i},${i % 2 ? 'up' : 'down'}\n`,
    ).join('');
  await read(page, 'codes.csv', csv);
  assert.match(await column(page, 'code').innerText(), /1 cell does not fit/);
  const heights = await page
    .getByTestId('preview-table')
    .locator('th')
    .evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().height));
  assert.equal(new Set(heights).size, 1, `one height for all heads: ${heights}`);
  await page.getByTestId('details-code').click();
  assert.match(await page.getByTestId('unfit-cells').innerText(), /Line 9: n\.n\./);
  await expectAccessible(page, 'details of a column');

  await reread(page, () =>
    column(page, 'code').getByRole('combobox', { name: 'Kind of code' }).selectOption('category'),
  );
  assert.match(await column(page, 'code').locator('.kind').innerText(), /category/);
  assert.equal(await page.getByTestId('unfit-cells').count(), 0);
  await reread(page, () =>
    column(page, 'code').getByRole('combobox', { name: 'Kind of code' }).selectOption('auto'),
  );
  assert.match(await column(page, 'code').locator('.kind').innerText(), /number/);

  // This spelling marks a missing value.
  await page.getByTestId('missing-input').fill('n.n., 12');
  await reread(page, () => page.getByTestId('missing-apply').click());
  assert.match(await column(page, 'code').innerText(), /12 missing \(20%\)/);
  assert.doesNotMatch(await column(page, 'code').innerText(), /does not fit/);
  await reread(page, () => page.getByRole('button', { name: 'Find them again' }).click());
  assert.match(await column(page, 'code').innerText(), /1 missing/);
  await close();
});

test('the positive class comes second in the tree that is downloaded', async () => {
  const { page, close } = await open();
  await read(
    page,
    'two.csv',
    'x,y\n' + Array.from({ length: 60 }, (_, i) => `${i % 45},${i % 45 < 20 ? 'good' : 'bad'}\n`).join(''),
  );
  assert.equal(await shown(page, 'positive-select'), 'good, as usual');
  const classes = async () => {
    await page.getByTestId('train').click();
    await waitForState(page, 'training', 'done');
    await waitForDone(page);
    return JSON.parse((await downloadTree(page, 'cart')).text).target.classes;
  };
  assert.deepEqual(await classes(), ['bad', 'good']);
  await page.getByRole('combobox', { name: 'Positive class' }).selectOption('bad');
  assert.deepEqual(await classes(), ['good', 'bad']);
  await close();
});

/**
 * A file of some megabytes, created inside the page and put into the file input, because the test protocol is
 * too slow to carry it.
 */
async function chooseLarge(page, rows) {
  await page.evaluate((rows) => {
    const lines = ['a,b,c,d,y\n'];
    for (let row = 0; row < rows; row++)
      lines.push(`${row},${(row * 7919) % 1000},${row % 17}.5,word${row % 40},${row % 2 ? 'yes' : 'no'}\n`);
    const transfer = new DataTransfer();
    transfer.items.add(new File(lines, 'large.csv', { type: 'text/csv' }));
    const input = document.querySelector('[data-testid=file-input]');
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, rows);
}

test('a large file moves a bar, counts its rows and can be called off', async () => {
  const { page, record, close } = await open();
  await page.evaluate(() => {
    window.__shares = [];
    window.__rows = new Set();
    const look = () => {
      const bar = document.querySelector('[data-testid=reading-progress]');
      if (bar && bar.value !== window.__shares.at(-1)) window.__shares.push(bar.value);
      const words = bar?.nextElementSibling?.textContent;
      if (words) window.__rows.add(words);
      requestAnimationFrame(look);
    };
    look();
  });
  await chooseLarge(page, 1_200_000);
  await page.getByRole('progressbar', { name: 'Reading progress' }).waitFor();
  await waitForState(page, 'loaded');
  const [shares, rows] = await page.evaluate(() => [window.__shares, [...window.__rows]]);
  assert.ok(shares.length >= 4, `the bar moves: ${shares}`);
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  );
  assert.ok(
    rows.some((words) => /^[\d,]+ rows so far$/.test(words)),
    rows.join('; '),
  );
  assert.match(await page.locator('body').innerText(), /large\.csv: 1,200,000 rows/);

  await chooseLarge(page, 1_500_000);
  await page.getByTestId('cancel-reading').click();
  await waitForState(page, 'loaded');
  assert.match(
    await page.locator('body').innerText(),
    /large\.csv: 1,200,000 rows/,
    'the file from before is still there',
  );
  assert.equal(await page.getByTestId('error').count(), 0);
  await expectClean(page, record);
  await close();
});

test('a file that the tab cannot hold is offered as a sample, the same for the same seed', async () => {
  const { page, record, close } = await open();
  // A machine with so little memory that a megabyte is too much: the limit is an eighth of it.
  await page.evaluate(() => Object.defineProperty(navigator, 'deviceMemory', { value: 1 / 256 }));
  const draw = async () => {
    await chooseLarge(page, 50_000);
    await waitForState(page, 'error');
    const alert = await page.getByRole('alert').innerText();
    assert.match(alert, /“large\.csv” has 1\.\d+ MB; this tab can hold 524 kB/);
    assert.match(alert, /About 1\d,000 rows of it would fit/);
    await expectAccessible(page, 'the offer of a sample');
    await page.getByRole('button', { name: /^Take a random sample of 1\d,000 rows$/ }).click();
    await waitForState(page, 'loaded');
    assert.match(
      await page.getByTestId('notice').innerText(),
      /random sample of 1\d,000 of the 50,000 rows of large\.csv, drawn with seed 1\./,
    );
    // The table is built in parts.
    await page.waitForFunction(
      () => document.querySelectorAll('[data-testid=preview-table] tbody tr').length === 100,
    );
    return page.getByTestId('preview-table').locator('tbody').innerText();
  };
  const first = await draw();
  assert.equal(await draw(), first);
  await expectClean(page, record);
  await close();
});

test('profiles in the dark and on a narrow screen', async () => {
  const { page, close } = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await read(page, 'preise.csv', Buffer.from(EUROPEAN, 'latin1'));
  await page.getByTestId('details-Preis').click();
  await expectAccessible(page, 'dark, 390 px, details open');
  await close();
});
