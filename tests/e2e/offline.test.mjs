// After the first visit the page works without a connection, from its own files only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectClean, site, waitForDone, waitForState } from './support.mjs';

const here = site();

test('the page opens, trains and looks closer without a connection', async () => {
  const { page, record, close } = await here.open({
    hash: '#sample=iris&model=gradtree&depth=2&set.epochs=10&set.restarts=1',
  });
  await waitForDone(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => {
    const names = await caches.keys();
    return names.length === 1 && (await (await caches.open(names[0])).keys()).length > 8;
  });
  await expectClean(page, record);
  await page.context().setOffline(true);
  await page.reload();
  await waitForDone(page);
  await page.getByTestId('importance').waitFor();
  await page.getByTestId('sample-raisin').click();
  await waitForState(page, 'loaded');
  const kept = await page.evaluate(async () =>
    (await (await caches.open((await caches.keys())[0])).keys()).map(({ url }) => new URL(url).pathname),
  );
  assert.ok(
    kept.some((path) => path.endsWith('.wasm')) && kept.every((path) => path.startsWith('/some/sub/path/')),
    kept.join(' '),
  );
  await close();
});
