// A worker that dies during training is detected, reported and replaced; what was trained is kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONG, downloadTree, espalier, put, site, waitForDone, waitForState } from './support.mjs';

const here = site();

const WAYS = {
  'closed without a word': (worker) => worker.evaluate(() => self.close()),
  'crashed by an exception': (worker) =>
    worker.evaluate(() => {
      setTimeout(() => {
        throw new Error('out of memory, on purpose');
      });
    }),
};

for (const [way, kill] of Object.entries(WAYS)) {
  test(`a worker ${way} in mid-training is noticed and replaced`, async () => {
    const { page, close } = await here.open({ hash: LONG });
    // The first downloadable copy is made after a second.
    await page.waitForFunction(() => !document.querySelector('[data-testid=download-json]').disabled);
    await page.getByTestId('export-tree').selectOption({ label: 'GradTree so far' });
    const items = await page.getByTestId('tree-gradient').getByRole('treeitem').count();

    await kill(page.workers()[0]);
    await waitForState(page, 'error');
    const alert = page.getByRole('alert');
    assert.equal(await alert.getAttribute('data-testid'), 'error');
    const said = await alert.innerText();
    assert.match(said, /engine was lost in the middle of the training/i);
    assert.match(said, /started again/i);
    assert.match(said, /tree learned so far is kept and can be downloaded/i);

    assert.ok(
      items > 0 && (await page.getByTestId('tree-gradient').getByRole('treeitem').count()) > 0,
      'the tree is still drawn',
    );
    const { text } = await downloadTree(page, 'gradient');
    await espalier('verify', await put(here.folder, 'kept.tree.json', text));

    // What the page saw of the training can still be replayed.
    const slider = page.getByTestId('scrubber');
    await page.waitForFunction(() => !document.querySelector('[data-testid=scrubber]').disabled);
    assert.ok(Number(await slider.getAttribute('max')) >= 2, 'the film has frames');
    await slider.press('Home');
    assert.match(await slider.getAttribute('aria-valuetext'), /(start 1|greedy start), (epoch|as it began)/i);
    assert.ok((await page.getByTestId('tree-gradient').getByRole('treeitem').count()) > 0);
    await page.getByTestId('film-best').click();

    await page.getByTestId('seed-input').fill('5');
    await page.getByRole('button', { name: 'Train again' }).click();
    await waitForState(page, 'training');
    await page.waitForFunction(() => document.querySelector('[data-testid=progress]').value > 0);
    await page.getByTestId('stop').click();
    await waitForDone(page);
    const again = await downloadTree(page, 'gradient');
    assert.equal(JSON.parse(again.text).training.seed, 5);
    await close();
  });
}
