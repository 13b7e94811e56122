// The page opens on a finished sample, from any sub-path, and contacts no other host.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONG, expectClean, site, states, waitForDone, waitForState } from './support.mjs';

const here = site();

test('opens on a finished sample with both trees drawn', async () => {
  const { page, record, close } = await here.open();
  await waitForDone(page);

  assert.deepEqual(await states(page), ['loading', 'ready', 'reading', 'loaded', 'training', 'done']);
  for (const tree of ['tree-cart', 'tree-gradient']) {
    const view = page.getByTestId(tree);
    assert.equal(await view.getByRole('tree').count(), 1, `${tree} is drawn`);
    assert.ok((await view.getByRole('treeitem').count()) >= 3, `${tree} has a split and two leaves`);
    const root = view.getByRole('treeitem').first();
    assert.match(await root.locator('title').textContent(), /at most .*, \d+ rows; yes leads to/);
  }
  assert.ok(
    (await page.getByTestId('loss-chart').locator('path.train').count()) >= 2,
    'key and line of the training loss',
  );
  const scores = await page.getByTestId('metrics-table').innerText();
  assert.match(scores, /accuracy/);
  assert.match(scores, /CART/);
  assert.match(await page.getByTestId('engine').innerText(), /wasm, 1 worker/);
  await expectClean(page, record);
  await close();
});

test('every sample trains', async () => {
  const { page, record, close } = await here.open();
  await waitForDone(page);
  for (const [sample, metric] of [
    ['iris', /accuracy/],
    ['airfoil', /root mean squared error/],
  ]) {
    await page.getByTestId(`sample-${sample}`).click();
    await page.waitForFunction(() => document.documentElement.dataset.state === 'loaded');
    await page.getByTestId('train').click();
    await waitForDone(page);
    assert.match(await page.getByTestId('metrics-table').innerText(), metric);
  }
  await expectClean(page, record);
  await close();
});

test('the address brings an experiment back', async () => {
  const first = await here.open({ hash: '#sample=iris&depth=2&seed=7' });
  await waitForDone(first.page);
  assert.equal(await first.page.getByTestId('depth-input').inputValue(), '2');
  assert.equal(await first.page.getByTestId('seed-input').inputValue(), '7');
  const hash = await first.page.evaluate(() => location.hash);
  assert.match(hash, /sample=iris/);
  assert.match(hash, /seed=7/);
  const second = await here.open({ hash });
  await waitForDone(second.page);
  const text = (page) => page.getByTestId('tree-gradient').locator('pre').textContent();
  assert.equal(await text(second.page), await text(first.page), 'the same address gives the same tree');
  await first.close();
  await second.close();
});

test('frames keep coming while a tree is trained', async (t) => {
  const { page, close } = await here.open({ hash: LONG });
  await waitForState(page, 'training');
  const gaps = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const gaps = [];
        const start = performance.now();
        let last = start;
        requestAnimationFrame(function frame(now) {
          gaps.push(now - last);
          last = now;
          if (now - start < 2000) requestAnimationFrame(frame);
          else resolve(gaps.sort((a, b) => a - b));
        });
      }),
  );
  assert.equal(await page.evaluate(() => document.documentElement.dataset.state), 'training');
  // A measurement, not a requirement: it depends on the machine's load.
  const at = (share) => gaps[Math.min(gaps.length - 1, Math.floor(share * gaps.length))].toFixed(1);
  t.diagnostic(
    `gaps between ${gaps.length} frames while training: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`,
  );
  await page.getByTestId('stop').click();
  await waitForDone(page);
  await close();
});
