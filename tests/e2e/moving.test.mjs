// What moves, and what must not: a window resized during training, readers who prefer less motion, the
// buttons in view.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONG, dropFile, expectClean, progress, site, waitForDone, waitForState } from './support.mjs';

const here = site();

/** The position of the tree's frame, and by how much the page is wider than its window. */
function places(page) {
  return page.evaluate(() => {
    const tree = document.querySelector('[data-testid=tree-gradient]');
    const box = (element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return { left, right, width };
    };
    return {
      frame: box(tree.querySelector('.frame')),
      wider: document.documentElement.scrollWidth - innerWidth,
    };
  });
}

test('a window that changes its size while a tree moves keeps the tree whole, its focus, and the training', async () => {
  const { page, record, close } = await here.open({ hash: LONG, viewport: { width: 1440, height: 900 } });
  await waitForState(page, 'training');
  const items = page.getByTestId('tree-gradient').getByRole('treeitem');
  await items.nth(1).waitFor();
  await items.first().focus();
  let before = await progress(page);
  for (const width of [700, 390, 1100, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    // Drawn for the new width: the drawing fills its frame, except for the border.
    await page.waitForFunction(() => {
      const frame = document.querySelector('[data-testid=tree-gradient] .frame');
      return (
        Math.abs(
          frame.getBoundingClientRect().width - frame.querySelector('svg').getBoundingClientRect().width,
        ) < 4
      );
    });
    await page.waitForFunction(() => {
      const [frame, root] = ['.frame', '[role=treeitem] .box'].map((at) =>
        document.querySelector(`[data-testid=tree-gradient] ${at}`).getBoundingClientRect(),
      );
      return root.left >= frame.left && root.right <= frame.right;
    });
    const { wider, frame } = await places(page);
    assert.ok(wider <= 0, `${width}: the page is ${wider} pixels wider than its window`);
    assert.ok(frame.right <= width, `${width}: the frame ends at ${frame.right}`);
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('role')),
      'treeitem',
      `${width}: the focus stays in the tree`,
    );
    await page.waitForFunction(
      (before) => document.querySelector('[data-testid=progress]').value > before,
      before,
    );
    before = await progress(page);
  }
  await page.getByTestId('stop').click();
  await waitForDone(page);
  await expectClean(page, record);
  await close();
});

test('with less motion wished for, nothing slides: cards are at their places at once, the film goes by single frames', async () => {
  const hash = '#sample=raisin&model=gradtree&depth=4&set.epochs=40&set.restarts=1';
  const { page, record, close } = await here.open({ hash, reducedMotion: 'reduce' });
  await waitForDone(page);
  const sliding = await page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter(
        (element) =>
          parseFloat(getComputedStyle(element).transitionDuration) > 0.001 ||
          parseFloat(getComputedStyle(element).animationDuration) > 0.001,
      )
      .map((element) => element.getAttribute('class') ?? element.tagName),
  );
  assert.deepEqual([...new Set(sliding)], [], 'what has a transition');

  // Folding moves the cards that stay; those visible in the next frame are the ones that stay.
  const { next, later } = await page.evaluate(async () => {
    const tree = document.querySelector('[data-testid=tree-cart]');
    const where = () =>
      [...tree.querySelectorAll('[role=treeitem]')].map((item) => item.getAttribute('transform')).join(' ');
    const split = [...tree.querySelectorAll('[role=treeitem][aria-expanded=true]')].find(
      (item) => item.getAttribute('aria-level') === '2',
    );
    split.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const next = where();
    await new Promise((resolve) => setTimeout(resolve, 400));
    return { next, later: where() };
  });
  assert.equal(next, later);

  await page.waitForFunction(() => !document.querySelector('[data-testid=scrubber]').disabled);
  const slider = page.getByTestId('scrubber');
  const play = page.getByTestId('film-play');
  assert.equal((await play.innerText()).trim(), 'Next');
  await play.click();
  assert.equal(await slider.inputValue(), '0', 'the film begins at its first frame');
  await play.click();
  const second = await slider.inputValue();
  assert.ok(Number(second) > 0);
  await page.waitForTimeout(700);
  assert.equal(await slider.inputValue(), second, 'and waits there');
  await expectClean(page, record);
  await close();
});

test('the buttons of a training are in the first screen of a usual window, and hide nothing that has the focus', async () => {
  const { page, close } = await here.open({
    hash: '#sample=raisin&model=gradtree&depth=4&set.epochs=20&set.restarts=1',
    viewport: { width: 1440, height: 900 },
  });
  await waitForDone(page);
  for (const id of ['train', 'pause', 'step', 'stop', 'progress', 'status-seen']) {
    const { top, bottom } = await page
      .getByTestId(id)
      .evaluate((element) => element.getBoundingClientRect().toJSON());
    assert.ok(top >= 0 && bottom <= 900, `${id}: from ${top} to ${bottom} of 900 pixels`);
  }
  await page.getByText('More settings').click();
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByTestId('target-select').focus();
  const covered = [];
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate(() => {
      const { activeElement: element } = document;
      if (!element.closest('.settings')) return null;
      const { left, top, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return {
        name: element.id || element.textContent.trim(),
        seen: hit !== null && (element.contains(hit) || hit.contains(element)),
      };
    });
    if (now === null) break;
    if (!now.seen) covered.push(now.name);
  }
  assert.deepEqual(covered, []);
  await close();
});

test('a file with many oddities shows its table as well, and all of them when asked', async () => {
  const { page, close } = await here.open({ hash: '#sample=own', viewport: { width: 1440, height: 900 } });
  await waitForState(page, 'ready');
  const columns = Array.from({ length: 12 }, (_, at) => `c${at}`);
  const rows = Array.from({ length: 60 }, (_, row) =>
    [...columns.map((_, at) => (row === 5 ? 'oops' : row * (at + 1))), row % 2 ? 'a' : 'b'].join(','),
  );
  await dropFile(page, 'odd.csv', [[...columns, 'kind'].join(','), ...rows].join('\n'));
  await waitForState(page, 'loaded');
  const warning = (at) => page.locator('.preview').getByText(`Column "c${at}"`);
  assert.ok(await warning(0).isVisible());
  assert.ok(!(await warning(11).isVisible()));
  const shown = await page
    .getByTestId('preview-table')
    .locator('tbody tr')
    .first()
    .evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      const card = row.closest('.card').getBoundingClientRect();
      return top > card.top && bottom < card.bottom;
    });
  assert.ok(shown, 'the first row of the table is in sight');
  await page.getByText('9 more warnings').click();
  assert.ok(await warning(11).isVisible());
  await close();
});
