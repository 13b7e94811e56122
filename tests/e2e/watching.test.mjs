// What is shown of a training: both trees at once, dates as dates, what the learner is doing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropFile, expectClean, site, waitForDone, waitForState } from './support.mjs';

const here = site();

test('two deep trees begin side by side in the first screen, and stand one above the other where that is wished', async () => {
  const { page, record, close } = await here.open({
    hash: '#sample=raisin&model=gradtree&depth=5&set.epochs=20&set.restarts=1',
    viewport: { width: 1440, height: 900 },
  });
  await waitForDone(page);
  const boxes = () =>
    page.evaluate(() =>
      ['tree-cart', 'tree-gradient'].map((id) => {
        const { x, top, width } = document
          .querySelector(`[data-testid=${id}] .frame`)
          .getBoundingClientRect();
        return { x, top: top + scrollY, width };
      }),
    );
  const [cart, gradient] = await boxes();
  assert.ok(Math.abs(cart.top - gradient.top) < 40 && gradient.x >= cart.x + cart.width, 'side by side');
  assert.ok(gradient.top < 800, `the learner's tree begins at ${gradient.top} of 900 pixels`);
  const levels = await page
    .getByTestId('tree-gradient')
    .getByRole('treeitem')
    .evaluateAll((items) => Math.max(...items.map((item) => Number(item.getAttribute('aria-level')))));
  assert.ok(levels >= 3, `${levels} levels can be read`);

  const button = page.getByRole('button', { name: 'One above the other' });
  await button.click();
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  const [above, below] = await boxes();
  assert.ok(below.top > above.top + 100 && above.width > 1.5 * cart.width, 'one above the other');
  await button.click();
  assert.ok(Math.abs((await boxes())[1].top - gradient.top) < 2);
  await expectClean(page, record);
  await close();
});

test('a cut on a date is a date in the reader’s language', async () => {
  const day = (at) => new Date(Date.UTC(2023, 0, 1 + at)).toISOString().slice(0, 10);
  const rows = Array.from(
    { length: 300 },
    (_, at) => `${day(at)},${(at * 7919) % 100},${at < 150 ? 'old' : 'new'}`,
  );
  const said = [];
  for (const locale of ['en-US', 'de-DE']) {
    const { page, close } = await here.open({ hash: '#sample=own', locale });
    await waitForState(page, 'ready');
    await dropFile(page, 'members.csv', ['joined,noise,kind', ...rows].join('\n'));
    await waitForState(page, 'loaded');
    await page.getByTestId('target-select').selectOption('kind');
    await page.getByTestId('train').click();
    await waitForDone(page);
    said.push(await page.getByTestId('tree-cart').locator('pre').textContent());
    await close();
  }
  assert.match(said[0], /^joined ≤ May 30, 2023\? /);
  assert.match(said[1], /^joined ≤ 30\.05\.2023\? /);
});

test('GET says which start it is at and how steep, and draws the soft and the hard loss with their gap', async () => {
  const { page, record, close } = await here.open({
    hash: '#sample=airfoil&model=get&depth=3&set.epochs=400&set.starts=3',
  });
  await page.evaluate(() => {
    window.__phases = new Set();
    const note = () => window.__phases.add(document.querySelector('[data-testid=phase]')?.textContent ?? '');
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await waitForDone(page);
  const phases = await page.evaluate(() => [...window.__phases]);
  assert.ok(
    phases.some((phase) => /^(random start \d of \d|descent from )/.test(phase)),
    phases.join('; '),
  );
  const chart = page.getByTestId('loss-chart');
  for (const line of ['path.train', 'path.hard', 'path.gap'])
    assert.ok((await chart.locator(`.plot ${line}`).count()) >= 3, line);
  assert.match(
    await chart.locator('.visually-hidden').textContent(),
    /of the soft tree, [\d.]+ of the tree as it is read/,
  );

  // Its film has the same words, and ends with the kept tree.
  await page.waitForFunction(() => !document.querySelector('[data-testid=scrubber]').disabled);
  const slider = page.getByTestId('scrubber');
  await slider.press('Home');
  assert.match(await slider.getAttribute('aria-valuetext'), /^Start at CART's tree, /);
  await slider.press('End');
  assert.match(await slider.getAttribute('aria-valuetext'), /^The tree that was kept, .*start/);
  await expectClean(page, record);
  await close();
});
