// Pause, step and stop.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  LONG,
  downloadTree,
  espalier,
  expectClean,
  progress,
  put,
  site,
  waitForDone,
  waitForState,
} from './support.mjs';

const here = site();

/** The epoch in the status line of a paused training. */
async function pausedEpoch(page) {
  const text = await page.getByTestId('status').innerText();
  const found = /Paused: .*epoch ([\d,]+)/.exec(text);
  assert.ok(found, `the status says where the training is held, not: ${text}`);
  return Number(found[1].replaceAll(',', ''));
}

test('a paused training holds, steps by one epoch, goes on and stops with a tree', async () => {
  // Random starts only: a greedy one has steps that belong to no epoch.
  const { page, record, close } = await here.open({ hash: `${LONG}&set.start=random` });
  await page.waitForFunction(() => document.querySelector('[data-testid=progress]')?.value > 0);

  await page.getByRole('button', { name: 'Pause' }).click();
  await waitForState(page, 'paused');
  const held = await progress(page);
  const epoch = await pausedEpoch(page);
  await page.waitForTimeout(700);
  assert.equal(await progress(page), held, 'nothing moves while paused');
  assert.equal(await pausedEpoch(page), epoch);

  for (const steps of [1, 2, 3]) {
    await page.getByRole('button', { name: 'Step' }).click();
    await page.waitForFunction(
      (wanted) =>
        new RegExp(`epoch ${wanted}\\b`).test(document.querySelector('[data-testid=status]').textContent),
      epoch + steps,
    );
    assert.equal(await pausedEpoch(page), epoch + steps, `${steps} steps are ${steps} epochs`);
  }

  await page.getByRole('button', { name: 'Resume' }).click();
  await waitForState(page, 'training');
  await page.waitForFunction(
    (before) => document.querySelector('[data-testid=progress]').value > before,
    held,
  );

  await page.getByRole('button', { name: 'Stop' }).click();
  await waitForDone(page);
  const { text } = await downloadTree(page, 'gradient');
  await espalier('verify', await put(here.folder, 'stopped.tree.json', text));
  await expectClean(page, record);
  await close();
});

test('a training can be stopped while it is paused', async () => {
  const { page, close } = await here.open({ hash: LONG });
  await waitForState(page, 'training');
  await page.getByTestId('pause').click();
  await waitForState(page, 'paused');
  await page.getByTestId('stop').click();
  await waitForDone(page);
  assert.ok((await page.getByTestId('tree-gradient').getByRole('treeitem').count()) >= 1);
  await close();
});

test('another file in mid-training ends it and is read', async () => {
  const { page, record, close } = await here.open({ hash: LONG });
  await waitForState(page, 'training');
  await page.getByTestId('sample-iris').click();
  await waitForState(page, 'loaded');
  assert.match(await page.getByTestId('status').innerText(), /iris\.csv: 150 rows/);
  await expectClean(page, record);
  await close();
});

test('a time budget ends a training with the best tree so far', async () => {
  const { page, close } = await here.open({ hash: `${LONG}&budget=1` });
  await waitForDone(page);
  assert.match(await page.getByTestId('status').innerText(), /time budget of 1 s was used up/);
  assert.equal(await page.getByTestId('budget-input').inputValue(), '1');
  assert.ok(await page.getByTestId('download-json').isEnabled());
  await close();
});

test('cards come to their places although a training goes on', async (t) => {
  const hash = '#sample=raisin&model=gradtree&depth=3&set.epochs=100000&set.patience=100000&set.restarts=32';
  const { page, record, close } = await here.open({ hash, viewport: { width: 760, height: 700 } });
  await waitForState(page, 'training');
  await page.waitForFunction(
    () => document.querySelectorAll('[data-testid=tree-gradient] [role=treeitem]').length > 4,
  );
  /** Moments at which no card overlaps another of its level. */
  const { clear, all } = await page.evaluate(async () => {
    let clear = 0;
    const all = 50;
    for (let moment = 0; moment < all; moment++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const levels = new Map();
      for (const item of document.querySelectorAll(
        '[data-testid=tree-gradient] [role=treeitem]:not(.coming)',
      )) {
        const x = Number(/translate\(([-\d.]+)/.exec(item.getAttribute('transform'))[1]);
        const half = Number(item.querySelector('rect.box:not(.behind)')?.getAttribute('width') ?? 0) / 2;
        const level = item.getAttribute('aria-level');
        levels.set(level, [...(levels.get(level) ?? []), [x - half, x + half]]);
      }
      const apart = (row) =>
        row
          .toSorted((a, b) => a[0] - b[0])
          .every(([left], at, sorted) => at === 0 || left >= sorted[at - 1][1] - 1);
      if ([...levels.values()].every(apart)) clear += 1;
    }
    return { clear, all };
  });
  t.diagnostic(`${clear} of ${all} moments had every card at a place of its own`);
  // A move takes time, so some are caught while moving.
  assert.ok(clear > 0.85 * all, `${clear} of ${all}`);
  await page.getByTestId('stop').click();
  await waitForState(page, 'done');
  await expectClean(page, record);
  await close();
});

test('while a tree is trained nothing about a column can be changed, however it is reached', async () => {
  const { page, close } = await here.open({ hash: LONG });
  await waitForState(page, 'training');
  const head = page.getByTestId('preview-table').locator('th').first();
  const kind = head.getByRole('combobox');
  // As a script or a screen reader may do it: without hovering first.
  await kind.evaluate((select) => {
    select.value = 'category';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  assert.equal(await kind.inputValue(), 'auto', 'the choice is taken back');
  await head.hover();
  await page.waitForFunction(() => document.querySelector('[data-testid=preview-table] th select').disabled);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.state), 'training');
  await page.getByTestId('stop').click();
  await waitForDone(page);
  await page.waitForFunction(() => !document.querySelector('[data-testid=preview-table] th select').disabled);
  await close();
});

test('by keyboard a training is met at the frame around the table, and the focus stays', async () => {
  const { page, close } = await here.open({ hash: LONG });
  await waitForState(page, 'training');
  const frame = page.getByRole('region', { name: /^First rows of the table/ });
  await frame.focus();
  await page.waitForFunction(() => document.querySelector('[data-testid=preview-table] th select').disabled);
  await page.keyboard.press('Tab');
  assert.match(
    await page.evaluate(() => document.activeElement.dataset.testid ?? ''),
    /^details-/,
    'on to the first control that works',
  );
  await close();
});
