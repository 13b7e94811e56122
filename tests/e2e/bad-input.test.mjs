// Bad input gets a clear message in place, and the page still works afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropFile, expectClean, site, waitForDone, waitForState } from './support.mjs';

const here = site();
/** All the bad files go through one page, which must keep working. */
let opened;
async function thePage() {
  if (opened === undefined) {
    opened = await here.open({ hash: '#sample=iris&model=gradtree&depth=2&set.epochs=20&set.restarts=1' });
    await waitForDone(opened.page);
  }
  return opened.page;
}

/** The page's message, once there is one. */
async function said(page) {
  await waitForState(page, 'error');
  return page.getByRole('alert').innerText();
}

/** Closes the message and trains on a good file. */
async function stillWorks(page) {
  await page.getByRole('button', { name: 'Dismiss' }).click();
  assert.equal(await page.getByTestId('error').count(), 0, 'the message can be put away');
  await page.getByTestId('sample-iris').click();
  await waitForState(page, 'loaded');
  await page.getByTestId('train').click();
  await waitForDone(page);
  assert.ok((await page.getByTestId('tree-gradient').getByRole('treeitem').count()) >= 1);
}

const GOOD = 'a,b,y\n1,2,no\n2,1,yes\n3,2,no\n4,1,yes\n5,2,no\n6,1,yes\n7,2,no\n8,1,yes\n9,2,no\n10,1,yes\n';

const UNREADABLE = [
  ['an empty file', 'empty.csv', '', [/the file is empty/i, /header line and at least two rows/i]],
  ['blank lines only', 'blank.csv', '\n\n \n', [/the file is empty/i]],
  ['a header only', 'header.csv', 'a,b,y\n', [/header line but no rows/i, /at least two rows/i]],
  ['a ragged row', 'ragged.csv', 'a,b,y\n1,2,no\n1,2,3,4\n', [/line 3/i, /4 fields/i, /header has 3/i]],
  [
    'a binary file',
    'picture.csv',
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0, 1, 2]),
    [/not a text file/i, /save it as CSV/i],
  ],
];

for (const [what, name, content, words] of UNREADABLE) {
  test(`${what} is refused in words`, async () => {
    const page = await thePage();
    await dropFile(page, name, content);
    const text = await said(page);
    for (const word of words) assert.match(text, word);
    await stillWorks(page);
  });
}

const UNTRAINABLE = [
  ['one row', 'one.csv', 'a,b,y\n1,2,no\n', 'y', [/only 1 row/i, /at least 2/i, /more rows/i]],
  [
    'one class',
    'class.csv',
    GOOD.replaceAll('yes', 'no'),
    'y',
    [/column "y"/i, /same class, "no"/i, /at least two classes/i],
  ],
  [
    'no usable feature',
    'features.csv',
    GOOD.replace(/^[^,]+,[^,]+,/gm, 'k,'),
    'y',
    [/no column is left to learn from/i],
  ],
  [
    'a target that is all missing',
    'missing.csv',
    GOOD.replace(/,(yes|no)$/gm, ','),
    'y',
    [/column "y"/i, /every cell of the target is missing/i, /another target/i],
  ],
];

for (const [what, name, content, target, words] of UNTRAINABLE) {
  test(`${what} is refused in words`, async () => {
    const page = await thePage();
    await dropFile(page, name, content);
    await waitForState(page, 'loaded', 'error');
    if ((await page.getByTestId('error').count()) === 0) {
      // The page may already refuse such a column as a target; a user who insists must still get the reason.
      await page.getByTestId('target-select').evaluate((select, value) => {
        for (const option of select.options) option.disabled = false;
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      }, target);
      await page.getByTestId('train').click();
    }
    const text = await said(page);
    for (const word of words) assert.match(text, word);
    await stillWorks(page);
  });
}

test('two files at once are refused in words', async () => {
  const page = await thePage();
  const transfer = await page.evaluateHandle(() => {
    const both = new DataTransfer();
    both.items.add(new File(['a'], 'a.csv'));
    both.items.add(new File(['b'], 'b.csv'));
    return both;
  });
  await page.getByTestId('drop-zone').dispatchEvent('drop', { dataTransfer: transfer });
  assert.match(await said(page), /one file at a time/i);
  await stillWorks(page);
});

const BROKEN_TREES = [
  ['text that is no JSON', '{"format": "espalier-tree", ', [/ends too early/i, /\*\.tree\.json/]],
  ['another JSON', '{"hello": 1}', [/tree file is broken/i, /format/i, /\*\.tree\.json/]],
  [
    'another major version',
    '{"format": "espalier-tree", "format_version": "9.0"}',
    [/format version "9\.0"/i, /reads 1\.1/i],
  ],
];

for (const [what, content, words] of BROKEN_TREES) {
  test(`a tree file that is ${what} is refused in words`, async () => {
    const page = await thePage();
    await page.getByTestId('load-tree').setInputFiles({
      name: 'broken.tree.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
    const text = await said(page);
    for (const word of words) assert.match(text, word);
    await stillWorks(page);
  });
}

test('rows without a column that the tree tests are refused in words', async () => {
  const page = await thePage();
  await page
    .getByTestId('predict-input')
    .setInputFiles({ name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from(GOOD) });
  const text = await said(page);
  assert.match(text, /the tree tests/i);
  assert.match(text, /petal|sepal/);
  // Shown where the file was chosen, and in full.
  const [error, button] = await Promise.all(
    ['error', 'predict-input'].map((testid) => page.getByTestId(testid).boundingBox()),
  );
  assert.ok(error.y > button.y && error.y - button.y < 300, `${error.y} is just below ${button.y}`);
  await page.waitForFunction(
    () => document.querySelector('[data-testid=error]').getBoundingClientRect().bottom <= innerHeight,
  );
  await stillWorks(page);
});

test('a setting out of range is told beside its field', async () => {
  const page = await thePage();
  await page.getByTestId('depth-input').fill('999');
  await page.getByTestId('depth-input').blur();
  assert.match(await page.locator('body').innerText(), /Depth must be a whole number from 1 to \d+/);
  assert.equal(await page.getByTestId('depth-input').getAttribute('aria-invalid'), 'true');
  await page.getByTestId('depth-input').fill('2');
  await page.getByTestId('depth-input').blur();
  await page.getByTestId('train').click();
  await waitForDone(page);
});

test('none of this was an error of the page itself', async () => {
  await thePage();
  await expectClean(opened.page, opened.record);
  await opened.close();
});

test('an address that cannot be understood gives a notice and the defaults', async () => {
  const { page, record, close } = await here.open({ hash: '#depth=minus&seed=%%%&colour=red' });
  await waitForDone(page);
  const notice = await page.getByTestId('notice').innerText();
  assert.match(notice, /could not be understood/);
  assert.match(notice, /colour=red/);
  assert.match(notice, /depth=minus/);
  assert.equal(await page.getByTestId('depth-input').inputValue(), '2', 'the default of the first sample');
  assert.deepEqual(record.errors, []);
  await close();
});
