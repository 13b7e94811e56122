// Everything by keyboard: skip link, sample, Train, and moving through the tree.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectClean, site, waitForDone, waitForState } from './support.mjs';

const here = site();

/** Presses Tab until `matches` (run in the page on the focused element) holds. */
async function tabTo(page, what, matches) {
  for (let press = 0; press < 120; press += 1) {
    if (await page.evaluate(matches)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${what} cannot be reached with Tab`);
}

const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return {
      role: at.getAttribute('role'),
      name: at.querySelector('title')?.textContent ?? at.textContent,
      level: Number(at.getAttribute('aria-level')),
      expanded: at.getAttribute('aria-expanded'),
    };
  });

test('from the skip link to the result', async () => {
  const { page, close } = await here.open();
  await waitForDone(page);
  await page.keyboard.press('Tab');
  assert.match((await focused(page)).name, /skip to the result/i, 'the first stop is the skip link');
  const box = await page.evaluate(() => document.activeElement.getBoundingClientRect().toJSON());
  assert.ok(box.top >= 0 && box.height > 0, 'and it is visible');
  await page.keyboard.press('Enter');
  await tabTo(page, 'the first tree', () => document.activeElement.getAttribute('role') === 'treeitem');
  await close();
});

test('a sample is chosen, trained and its tree walked without a mouse', async () => {
  const { page, record, close } = await here.open();
  await waitForDone(page);
  await tabTo(page, 'the iris sample', () => document.activeElement.dataset.testid === 'sample-iris');
  await page.keyboard.press('Enter');
  await waitForState(page, 'loaded');
  await tabTo(page, 'the target', () => document.activeElement.dataset.testid === 'target-select');
  await tabTo(page, 'Train', () => document.activeElement.dataset.testid === 'train');
  await page.keyboard.press('Enter');
  await waitForDone(page);

  await tabTo(page, 'the greedy tree', () => document.activeElement.getAttribute('role') === 'treeitem');
  const root = await focused(page);
  assert.equal(root.level, 1);
  assert.equal(root.expanded, 'true');
  assert.match(root.name, /at most .* rows; yes leads to/);

  await page.keyboard.press('ArrowRight');
  const yes = await focused(page);
  assert.equal(yes.level, 2, 'right goes to the yes child');
  await page.keyboard.press('End');
  const last = await focused(page);
  assert.match(last.name, /^Leaf: /);
  assert.equal(last.expanded, null, 'a leaf does not unfold');
  await page.keyboard.press('ArrowLeft');
  assert.equal((await focused(page)).level, last.level - 1, 'left goes to the parent');
  await page.keyboard.press('Home');
  assert.equal((await focused(page)).name, root.name);

  const items = () => page.getByTestId('tree-cart').getByRole('treeitem').count();
  const all = await items();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await items(), 1, 'left folds the root');
  assert.equal((await focused(page)).expanded, 'false');
  await page.keyboard.press('ArrowRight');
  assert.equal(await items(), all, 'right unfolds it');
  await page.keyboard.press('ArrowDown');
  assert.equal((await focused(page)).level, 2);
  assert.equal(
    await page.getByTestId('tree-cart').locator('[role=treeitem][tabindex="0"]').count(),
    1,
    'one stop for Tab',
  );

  await page.keyboard.press('Tab');
  await tabTo(page, 'the download', () => document.activeElement.dataset.testid === 'download-json');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.match(download.suggestedFilename(), /\.tree\.json$/);
  await expectClean(page, record);
  await close();
});

/** From now on the page records whenever a change of the document leaves nothing focused. */
function watchFocus() {
  window.__lost = [];
  const look = () => {
    if (document.activeElement === document.body) window.__lost.push(document.documentElement.dataset.state);
  };
  new MutationObserver(look).observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributes: true,
  });
}

test('focus inside a tree survives training', async () => {
  const { page, close } = await here.open({ hash: '#sample=iris&model=gradtree&depth=3&set.restarts=1' });
  await waitForDone(page);
  await page.getByTestId('seed-input').fill('9');
  await page.getByTestId('train').click();
  await waitForState(page, 'training', 'done');
  // It may be a node of the previous tree, which disappears when the training starts, or of the new one.
  const item = page.getByTestId('tree-gradient').getByRole('treeitem').last();
  await item.waitFor();
  await item.focus();
  await waitForDone(page);
  assert.equal((await focused(page)).role, 'treeitem', 'the focus is still on a node of the tree');
  await close();
});

for (const which of ['tree-gradient', 'tree-cart']) {
  test(`focus on the last node of ${which} is handed on when another training takes its place`, async () => {
    const { page, close } = await here.open({ hash: '#sample=iris&model=gradtree&depth=3&set.restarts=1' });
    await waitForDone(page);
    await page.getByTestId('seed-input').fill('9');
    await page.evaluate(watchFocus);
    // In one task, so that the worker has not answered yet: the node belongs to the tree that disappears.
    const before = await page.evaluate((which) => {
      document.querySelector('[data-testid=train]').click();
      const last = [...document.querySelectorAll(`[data-testid=${which}] [role=treeitem]`)].at(-1);
      last.focus();
      return document.activeElement === last && document.documentElement.dataset.state;
    }, which);
    assert.equal(before, 'training');
    await waitForDone(page);
    assert.equal((await focused(page)).role, 'treeitem', 'the focus is on a node of the new tree');
    assert.ok(
      await page.evaluate(
        (which) => document.activeElement.closest(`[data-testid=${which}]`) !== null,
        which,
      ),
      'of the same tree',
    );
    assert.deepEqual(await page.evaluate(() => window.__lost), [], 'and was nowhere in between');
    // A key works where the focus is.
    await page.keyboard.press('Home');
    assert.equal((await focused(page)).level, 1);
    await close();
  });
}

test('focus on a tool of a tree stays at the tree when another training takes its place', async () => {
  const { page, close } = await here.open({ hash: '#sample=iris&model=gradtree&depth=3&set.restarts=1' });
  await waitForDone(page);
  await page.getByTestId('seed-input').fill('9');
  await page.evaluate(watchFocus);
  await page.evaluate(() => {
    document.querySelector('[data-testid=train]').click();
    document.querySelector('[data-testid=tree-gradient] .tools button').focus();
  });
  await waitForDone(page);
  assert.ok(
    await page.evaluate(() => document.activeElement.closest('[data-testid=tree-gradient]') !== null),
  );
  assert.deepEqual(await page.evaluate(() => window.__lost), []);
  await page.keyboard.press('Tab');
  assert.ok(
    await page.evaluate(() => document.activeElement.closest('[data-testid=tree-gradient] .tools') !== null),
    'Tab goes on from there',
  );
  await close();
});

test('a tree too wide for its frame shows the levels that can be read, and all of it by zoom and keyboard', async () => {
  const { page, close } = await here.open({
    hash: '#sample=airfoil&model=gradtree&depth=6&set.epochs=3&set.restarts=1',
  });
  await waitForDone(page);
  const view = page.getByTestId('tree-cart');
  const items = view.getByRole('treeitem');
  const inside = () =>
    page.evaluate(() => {
      const node = document.activeElement.getBoundingClientRect();
      const around = document.activeElement.closest('.frame').getBoundingClientRect();
      return (
        node.left >= around.left - 1 &&
        node.right <= around.right + 1 &&
        node.top >= around.top - 1 &&
        node.bottom <= around.bottom + 1
      );
    });
  const few = await items.count();
  await items.first().focus();
  assert.ok(await inside(), 'the root is in sight');
  await view.getByLabel('Levels').selectOption('6');
  const all = await items.count();
  assert.ok(few < 64 && all > 100, `${few} nodes at first, ${all} in all`);
  assert.equal(all, Number.parseInt(await view.locator('.size').innerText(), 10));
  await items.first().focus();
  assert.ok(await inside(), 'the root is in sight among all levels');
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await page.keyboard.press('End');
  assert.ok(await inside(), 'the last leaf is in sight when zoomed');
  await page.keyboard.press('Home');
  assert.ok(await inside(), 'and so is the root');
  await page.keyboard.press('0');
  assert.ok(
    await view
      .getByRole('button', { name: 'Fit' })
      .evaluate((button) => button.getAttribute('aria-disabled') === 'true'),
  );
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
  );
  await close();
});

test('from an own file to the downloaded tree, the film and one row on the way, without a mouse', async () => {
  const { page, record, close } = await here.open({
    hash: '#sample=iris&model=gradtree&depth=2&set.epochs=40&set.restarts=2',
  });
  await waitForDone(page);
  const at = (testid) => new Function(`return document.activeElement.dataset.testid === '${testid}'`);
  const reach = (testid) => tabTo(page, testid, at(testid));
  // On a busy machine the browser sometimes ignores a key without opening its dialogue.
  let chooser = null;
  for (let attempt = 0; attempt < 5 && !chooser; attempt++) {
    await reach('file-input');
    const opened = page.waitForEvent('filechooser', { timeout: 10_000 }).catch(() => null);
    await page.keyboard.press('Enter');
    chooser = await opened;
  }
  assert.ok(chooser, 'Enter opens the file dialogue');
  const rows = Array.from(
    { length: 150 },
    (_, i) => `${(i * 37) % 101},${(i * 53) % 97},${(i * 37) % 101 > 50 ? 'yes' : 'no'}`,
  );
  await chooser.setFiles({
    name: 'own.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`a,b,y\n${rows.join('\n')}\n`),
  });
  await waitForState(page, 'loaded');
  await reach('train');
  await page.keyboard.press('Enter');
  await waitForDone(page);
  await page.getByTestId('importance').waitFor();
  await reach('scrubber');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.getByText('GradTree at this moment').waitFor();
  await reach('film-best');
  await page.keyboard.press('Enter');
  await reach('download-json');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.equal(download.suggestedFilename(), 'own-gradtree.tree.json');
  await reach('row-follow');
  await page.keyboard.press('Enter');
  await page.getByTestId('one-row').getByText('CART says').waitFor();
  await expectClean(page, record);
  await close();
});

test('every control is reached with Tab, in the order of the page', async () => {
  const { page, close } = await here.open({
    hash: '#sample=iris&model=gradtree&depth=2&set.epochs=20&set.restarts=2',
  });
  await waitForDone(page);
  await page.getByTestId('plane').getByRole('img').first().waitFor();
  await page.getByTestId('row-follow').click();
  await page.getByTestId('one-row').getByText('CART says').waitFor();
  const all = await page.evaluate(() => {
    const controls =
      'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';
    const shown = [...document.querySelectorAll(controls)].filter(
      (control) => control.checkVisibility() && control.tabIndex >= 0,
    );
    shown.forEach((control, at) => (control.dataset.order = String(at)));
    document.activeElement?.blur();
    getSelection()?.removeAllRanges();
    document.body.tabIndex = -1;
    document.body.focus();
    return shown.map(
      (control) =>
        control.dataset.testid || control.ariaLabel || control.textContent.trim().slice(0, 40) || control.id,
    );
  });
  assert.ok(all.length > 50, `${all.length} controls`);
  const visited = [];
  for (let press = 0; press < all.length + 5; press += 1) {
    await page.keyboard.press('Tab');
    const order = await page.evaluate(() => document.activeElement?.dataset?.order);
    if (order !== undefined) visited.push(Number(order));
  }
  const missed = all.filter((_, at) => !visited.includes(at));
  assert.deepEqual(missed, [], 'controls that Tab does not reach');
  const first = visited.slice(0, all.length);
  assert.deepEqual(
    first,
    [...first].sort((a, b) => a - b),
    'in the order of the document',
  );
  await close();
});
