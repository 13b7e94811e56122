// axe-core on every state of the page, in both themes and on a narrow screen.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { LONG, axeSource, dropFile, site, waitForDone, waitForState } from './support.mjs';

const here = site();
let axe;

before(async () => {
  axe = await axeSource();
});

/** Fails with rule, help and place of every violation. */
async function expectAccessible(page, state) {
  await page.evaluate(axe);
  const violations = await page.evaluate(async () =>
    (await window.axe.run(document)).violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.slice(0, 5).map(({ html, failureSummary }) => `${html.slice(0, 160)} :: ${failureSummary.slice(0, 300)}`),
    })),
  );
  assert.deepEqual(violations, [], state);
}

/** The page itself must never scroll sideways. */
async function expectNoSideways(page, state) {
  const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= screen, `${state}: ${content} px of content on ${screen} px`);
}

/** Every state on one screen of each theme; the finished state on the others too, since only colours and widths differ. */
const SCREENS = {
  'light, wide': { every: true },
  'dark, 390 px': { every: true, viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  'dark, wide': { every: false, colorScheme: 'dark' },
  'light, 390 px': { every: false, viewport: { width: 390, height: 844 } },
};

for (const [screen, { every, ...options }] of Object.entries(SCREENS)) {
  test(`no violation in ${every ? 'any state' : 'the finished state'}: ${screen}`, async () => {
    const { page, close } = await here.open(options);
    const check = async (state) => {
      await expectAccessible(page, `${screen}, ${state}`);
      await expectNoSideways(page, `${screen}, ${state}`);
    };
    await waitForDone(page);
    for (const fold of await page.locator('details > summary').all()) await fold.click();
    await check('done, everything unfolded');
    if (every) {
      await page.getByTestId('sample-airfoil').click();
      await waitForState(page, 'loaded');
      await check('loaded');
      await page.getByTestId('train').click();
      await waitForState(page, 'training', 'done');
      await waitForDone(page);
      await check('done, wide trees of numbers');
      await dropFile(page, 'empty.csv', '');
      await waitForState(page, 'error');
      await check('error');
    }
    await close();
  });
}

test('no violation while training and while paused', async () => {
  const { page, close } = await here.open({ hash: LONG });
  await page.waitForFunction(() => document.querySelector('[data-testid=progress]')?.value > 0);
  await expectAccessible(page, 'training');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.state), 'training');
  await page.getByTestId('pause').click();
  await waitForState(page, 'paused');
  await expectAccessible(page, 'paused');
  await close();
});

test('nothing moves for those who asked for less motion', async () => {
  const { page, close } = await here.open({ reducedMotion: 'reduce' });
  await waitForDone(page);
  const root = page.getByTestId('tree-cart').getByRole('treeitem').first();
  const before = await page.evaluate(() => document.querySelectorAll('[data-testid=tree-cart] [role=treeitem]').length);
  await root.focus();
  // Folding moves the root to the middle; without a tween it is there with the next frame.
  await page.keyboard.press('ArrowLeft');
  const places = await page.evaluate(async () => {
    const at = () => document.querySelector('[data-testid=tree-cart] [role=treeitem]').getAttribute('transform');
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    const first = at();
    for (let count = 0; count < 15; count += 1) await frame();
    return [first, at()];
  });
  assert.equal(places[0], places[1]);
  assert.ok(before > 1);
  await close();
});
