// A first visit, two fingers, and a stop before the engine is loaded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectClean, site, waitForDone, waitForState } from './support.mjs';

const here = site();

test('a first visit can be used soon', async (t) => {
  const { page, close } = await here.open({ hash: '#sample=own' });
  await waitForState(page, 'ready', 'done');
  // The button works as soon as it appears; the engine follows.
  const times = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    return {
      content: Math.round(navigation.domContentLoadedEventEnd),
      paint: Math.round(paint?.startTime ?? NaN),
      ready: Math.round(performance.now()),
    };
  });
  t.diagnostic(
    `scripts run after ${times.content} ms, first paint after ${times.paint} ms, engine ready before ${times.ready} ms`,
  );
  assert.ok(await page.getByTestId('file-input').isEnabled());
  await close();
});

test('two fingers zoom the tree and not the page', async () => {
  const { page, record, close } = await here.open({ hasTouch: true });
  await waitForDone(page);
  const frame = page.getByTestId('tree-gradient').locator('svg[role=presentation]');
  await frame.scrollIntoViewIfNeeded();
  const box = await frame.boundingBox();
  const scale = () =>
    frame
      .locator('> g')
      .first()
      .evaluate((group) => Number(/scale\(([\d.]+)\)/.exec(group.getAttribute('transform'))[1]));
  const before = await scale();
  const devtools = await page.context().newCDPSession(page);
  const middle = { x: box.x + box.width / 2, y: box.y + Math.min(box.height, 300) / 2 };
  const touch = (type, apart) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        apart === null ? [] : [-1, 1].map((side, id) => ({ id, x: middle.x + side * apart, y: middle.y })),
    });
  await touch('touchStart', 40);
  for (const apart of [50, 60, 70, 80]) await touch('touchMove', apart);
  await touch('touchEnd', null);
  await page.waitForFunction(
    ([id, was]) =>
      Number(
        /scale\(([\d.]+)\)/.exec(
          document.querySelector(`[data-testid=${id}] svg[role=presentation] > g`).getAttribute('transform'),
        )[1],
      ) >
      1.5 * was,
    ['tree-gradient', before],
  );
  assert.equal(await page.evaluate(() => visualViewport.scale), 1);
  await expectClean(page, record);
  await close();
});

test('a stop is heard while the larger engine is fetched', async () => {
  const { page, record, close } = await here.open();
  await waitForDone(page);
  // The engine does not load until the test allows it.
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = resolve));
  await page.context().route(/study_bg.*\.wasm/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await page.getByTestId('model-select').selectOption('get');
  await page.getByTestId('train').click();
  await waitForState(page, 'training');
  await page.getByTestId('stop').click();
  await waitForState(page, 'done', 'loaded');
  assert.equal(await page.getByTestId('error').count(), 0, 'calling off is no error');
  letGo();
  await page.getByTestId('model-select').selectOption('gradtree');
  await page.getByTestId('train').click();
  await waitForState(page, 'training');
  await waitForDone(page);
  await expectClean(page, record);
  await close();
});

test('numbers are written as the reader’s language writes them, and the file’s own stay as they are', async () => {
  const { page, record, close } = await here.open({ locale: 'de-DE' });
  await waitForDone(page);
  assert.match(await page.getByTestId('metrics-table').innerText(), /\b0,\d{3}\b/);
  assert.doesNotMatch(await page.getByTestId('metrics-table').innerText(), /\b0\.\d{3}\b/);
  assert.match(await page.getByTestId('preview-table').locator('td').first().innerText(), /^0\.\d+$/);
  await expectClean(page, record);
  await close();
});
