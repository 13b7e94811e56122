// Closing the lid during training: every process of the page stops for a while and then continues.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { downloadTree, expectClean, site, states, waitForDone, waitForState } from './support.mjs';

const here = site();

/** More than twice the page's limit for a silent worker. */
const ASLEEP_MS = 10_000;

/** The processes that hold pages and their workers: these are what a suspended machine stops. */
async function renderers(browser) {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  await devtools.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

async function suspend(browser) {
  const ids = await renderers(browser);
  assert.ok(ids.length > 0, 'the browser names its processes');
  ids.forEach((id) => process.kill(id, 'SIGSTOP'));
  try {
    await sleep(ASLEEP_MS);
  } finally {
    ids.forEach((id) => process.kill(id, 'SIGCONT'));
  }
}

const curve = (page) => page.evaluate(() => Number(document.querySelector('[data-testid=progress]').value));

/** Everything except when it was made and how long that took. */
function timeless(text) {
  const {
    created: _c,
    training: { duration_s: _d, ...training },
    ...tree
  } = JSON.parse(text);
  return { ...tree, training };
}

const RUN = '#sample=xor&model=gradtree&depth=3&set.epochs=400&set.patience=400&set.restarts=8&seed=3';

test('a training that was suspended gives the tree of one that was not, and nothing is said to be lost', async () => {
  const unbroken = await here.open({ hash: RUN });
  await waitForDone(unbroken.page);
  const { text: expected } = await downloadTree(unbroken.page);
  await unbroken.close();

  const { page, record, close } = await here.open({ hash: RUN });
  await waitForState(page, 'training');
  await page.waitForFunction(() => document.querySelector('[data-testid=progress]').value > 0.05);
  await suspend(page.context().browser());
  assert.ok((await curve(page)) < 1, 'it slept in mid-training');
  await waitForDone(page);
  const { text } = await downloadTree(page);
  assert.deepEqual(timeless(text), timeless(expected));
  assert.ok(!(await states(page)).includes('error'));
  await expectClean(page, record);
  await close();
});

test('sleep does not use up the time budget', async () => {
  const long =
    '#sample=xor&model=gradtree&depth=4&set.epochs=100000&set.patience=100000&set.restarts=32&budget=8';
  const { page, record, close } = await here.open({ hash: long });
  await waitForState(page, 'training');
  await page.waitForFunction(() => document.querySelector('[data-testid=progress]').value > 0);
  await suspend(page.context().browser());
  // It slept for ten seconds, longer than its budget of eight; a page that counted them would end with the
  // next message.
  await sleep(1500);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.state), 'training');
  await waitForDone(page);
  await expectClean(page, record);
  await close();
});
