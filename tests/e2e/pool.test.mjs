// Several workers train together: the same bytes, and every control applies to all of them.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  LONG,
  PATIENCE,
  downloadTree,
  espalier,
  expectClean,
  progress,
  put,
  sampleFile,
  site,
  waitForDone,
  waitForState,
} from './support.mjs';

const here = site();

/** Opens a page that reports this many cores, whatever the machine has. */
async function open(hash, cores = 3) {
  const opened = await here.open();
  await opened.page.addInitScript(
    (count) => Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => count }),
    cores,
  );
  await opened.page.goto('about:blank');
  opened.record.errors.length = 0;
  await opened.page.goto(`${opened.record.origin}/some/sub/path/${hash}`);
  return opened;
}

/**
 * Waits until at least `count` workers exist. The training is paused meanwhile: on a busy machine it would
 * end before they exist.
 */
async function gather(page, count = 2) {
  await waitForState(page, 'training');
  // Pressed within the page: a click from outside waits until nothing moves, and the training may last only a
  // second.
  await page.waitForFunction(() => {
    const begun = document.querySelector('[data-testid=progress]')?.value > 0;
    if (begun) document.querySelector('[data-testid=pause]').click();
    return begun;
  });
  await waitForState(page, 'paused');
  const told = (wanted) =>
    Number(/^wasm ×(\d) workers$/.exec(document.querySelector('[data-testid=engine]').textContent)?.[1]) >=
    wanted;
  await page.waitForFunction(told, count, { timeout: 4 * PATIENCE });
  await page.getByTestId('pause').click();
  await waitForState(page, 'training', 'done');
}

/** A training of some seconds that ends by itself. */
const EPOCHS = 800;
const SOME = `#sample=raisin&model=gradtree&depth=5&seed=7&set.epochs=${EPOCHS}&set.patience=${EPOCHS}&set.restarts=7`;

/** The same with GET: some seconds, seven starts. */
const GET_EPOCHS = 300;
const GET = `#sample=raisin&model=get&depth=6&seed=7&set.epochs=${GET_EPOCHS}&set.starts=7`;

for (const [model, hash, settings, depth] of [
  ['gradtree', SOME, [`epochs=${EPOCHS}`, `patience=${EPOCHS}`, 'restarts=7'], '5'],
  ['get', GET, [`epochs=${GET_EPOCHS}`, 'starts=7'], '6'],
]) {
  test(`the ${model} tree of several workers is that of one, and of the command line, to the byte`, async () => {
    const trees = [];
    for (const cores of [4, 1]) {
      const { page, record, close } = await open(hash, cores);
      if (cores > 1) await gather(page, 3);
      await waitForDone(page);
      trees.push((await downloadTree(page, 'gradient')).text);
      if (cores > 1) {
        const charts = page.getByTestId('restart-charts').locator('li');
        assert.equal(await charts.count(), 7, 'every restart has its chart, wherever it ran');
        assert.equal(await page.getByTestId('restart-charts').locator('li.winner').count(), 1);
        assert.match(
          await charts.first().locator('.visually-hidden').textContent(),
          model === 'get' ? /start.*: \d+ epochs?, least loss/i : /^Greedy start: \d+ epochs?, least loss/,
        );
      } else {
        assert.equal(await page.getByTestId('engine').innerText(), 'wasm, 1 worker');
      }
      await expectClean(page, record);
      await close();
    }
    assert.equal(trees[0], trees[1], 'three workers and one');
    const data = await put(here.folder, 'raisin.csv', await sampleFile('raisin.csv'));
    const tree = join(here.folder, 'raisin.tree.json');
    const given = settings.flatMap((setting) => ['--set', setting]);
    await espalier(
      'train',
      data,
      '--target',
      'Class',
      '--model',
      model,
      '--depth',
      depth,
      '--seed',
      '7',
      '--threads',
      '2',
      ...given,
      '--tree',
      tree,
      '--progress',
      'none',
    );
    assert.equal(trees[0], await readFile(tree, 'utf8'), 'workers and threads');
  });
}

test('the film contains the winner, wherever it ran, and ends with the tree that is kept', async () => {
  const { page, record, close } = await open(`${SOME}&set.start=random`, 4);
  await gather(page, 3);
  await waitForDone(page);
  const slider = page.getByTestId('scrubber');
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=scrubber]').max) > 10);
  const winner = Number(
    /^random start (\d+)/.exec(
      await page.getByTestId('restart-charts').locator('li.winner span').first().textContent(),
    )[1],
  );
  await slider.focus();
  await slider.press('End');
  const restart = async () =>
    Number(/random start (\d+)/i.exec(await slider.getAttribute('aria-valuetext'))[1]);
  assert.equal(await restart(), winner, 'the last frame is of the restart that is kept');
  const drawn = () => page.getByTestId('tree-gradient').locator('.size').textContent();
  const kept = JSON.parse((await downloadTree(page, 'gradient')).text).trees[0].nodes.length;
  await page.waitForFunction(
    (count) =>
      document.querySelector('[data-testid=tree-gradient] .size').textContent.startsWith(`${count} node`),
    kept,
  );
  await slider.focus();
  assert.ok(Number(await slider.getAttribute('max')) < 1000);
  let own = 0;
  for (let at = 0; at < 20; at++) {
    await slider.press('PageDown');
    if ((await restart()) === winner) own += 1;
  }
  assert.ok(own >= 2, `${own} of 20 moments on the way back are the winner's`);
  await page.getByTestId('film-best').click();
  assert.ok((await drawn()).startsWith(`${kept} node`));
  await expectClean(page, record);
  await close();
});

test('pause holds everybody, step moves, resume goes on, stop ends with a tree', async () => {
  const { page, record, close } = await open(`${LONG}&set.start=random`);
  await gather(page);
  await page.getByTestId('pause').click();
  await waitForState(page, 'paused');
  const held = await progress(page);
  await page.waitForTimeout(700);
  assert.equal(await progress(page), held);
  await page.getByTestId('step').click();
  await page.waitForFunction(
    (before) => document.querySelector('[data-testid=progress]').value > before,
    held,
  );
  assert.equal(await page.evaluate(() => document.documentElement.dataset.state), 'paused');
  await page.getByTestId('pause').click();
  await waitForState(page, 'training');
  await page.getByTestId('stop').click();
  await waitForDone(page);
  const { text } = await downloadTree(page, 'gradient');
  await espalier('verify', await put(here.folder, 'pool.tree.json', text));
  assert.equal(page.workers().length, 1, 'the helpers are gone');
  await expectClean(page, record);
  await close();
});

test('a helper that dies costs nothing but time', async () => {
  const { page, close } = await open(SOME);
  await gather(page);
  // The engine's worker was created first.
  await page.workers()[1].evaluate(() => self.close());
  await waitForDone(page);
  const { text } = await downloadTree(page, 'gradient');
  await close();
  const alone = await open(SOME, 1);
  await waitForDone(alone.page);
  assert.equal(text, (await downloadTree(alone.page, 'gradient')).text);
  await alone.close();
});

test('another file ends a shared training and is read', async () => {
  const { page, record, close } = await open(LONG);
  await gather(page);
  await page.getByTestId('sample-iris').click();
  await waitForState(page, 'loaded');
  assert.match(await page.getByTestId('status').innerText(), /iris\.csv: 150 rows/);
  assert.equal(page.workers().length, 1);
  await expectClean(page, record);
  await close();
});

test('a time budget ends a shared training', async () => {
  const { page, close } = await open(`${LONG}&budget=3`);
  await waitForDone(page);
  assert.match(await page.getByTestId('status').innerText(), /time budget of 3 s was used up/);
  await close();
});
