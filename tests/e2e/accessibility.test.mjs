// axe-core on every state of the page, in both themes and on a narrow screen.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { LONG, axeSource, downloadTree, dropFile, site, waitForDone, waitForState } from './support.mjs';

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
      where: nodes
        .slice(0, 5)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} :: ${failureSummary.slice(0, 300)}`),
    })),
  );
  assert.deepEqual(violations, [], state);
}

/** The page itself must never scroll sideways. */
async function expectNoSideways(page, state) {
  const [content, screen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok(content <= screen, `${state}: ${content} px of content on ${screen} px`);
}

const NARROW = { width: 390, height: 844 };
const SCREENS = {
  'light, wide': {},
  'dark, wide': { colorScheme: 'dark' },
  'light, 390 px': { viewport: NARROW },
  'dark, 390 px': { viewport: NARROW, colorScheme: 'dark' },
};

for (const [screen, options] of Object.entries(SCREENS)) {
  const checks = (page) => async (state) => {
    await expectAccessible(page, `${screen}, ${state}`);
    await expectNoSideways(page, `${screen}, ${state}`);
  };

  test(`no violation from the arrival to a tree that is opened again: ${screen}`, async () => {
    const { page, close } = await here.open(options);
    const check = checks(page);
    await waitForDone(page);
    await page.getByTestId('importance').waitFor();
    await page.getByTestId('plane').getByRole('img').first().waitFor();
    await page.getByTestId('row-follow').click();
    await page.getByTestId('one-row').getByText('CART says').waitFor();
    for (const fold of await page.locator('details > summary').all()) await fold.click();
    await check('done, one row followed, everything unfolded');
    const tree = await downloadTree(page);
    await page
      .getByTestId('load-tree')
      .setInputFiles({ name: tree.name, mimeType: 'application/json', buffer: Buffer.from(tree.text) });
    await page.getByText('This tree predicts').waitFor();
    await check('a tree from a file');
    await page.getByRole('button', { name: 'Put this tree away' }).click();
    await page.getByTestId('sample-airfoil').click();
    await waitForState(page, 'loaded');
    await check('loaded');
    await dropFile(page, 'empty.csv', '');
    await waitForState(page, 'error');
    await check('error');
    await close();
  });

  test(`no violation while training, paused, and with wide trees of numbers: ${screen}`, async () => {
    const { page, close } = await here.open({
      hash: LONG.replace('xor', 'airfoil').replace('depth=4', 'depth=5'),
      ...options,
    });
    const check = checks(page);
    await page.waitForFunction(() => document.querySelector('[data-testid=progress]')?.value > 0);
    await check('training');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.state), 'training');
    await page.getByTestId('pause').click();
    await waitForState(page, 'paused');
    await check('paused');
    await page.getByTestId('stop').click();
    await waitForDone(page);
    await page.getByTestId('errors').waitFor();
    await page.getByTestId('plane').getByRole('img').first().waitFor();
    await page.getByTestId('scrubber').press('Home');
    await page.getByText('GradTree at this moment').waitFor();
    await check('numbers, at a moment of the film');
    await close();
  });
}

test('nothing moves for those who asked for less motion', async () => {
  const { page, close } = await here.open({ reducedMotion: 'reduce' });
  await waitForDone(page);
  const root = page.getByTestId('tree-cart').getByRole('treeitem').first();
  const before = await page.evaluate(
    () => document.querySelectorAll('[data-testid=tree-cart] [role=treeitem]').length,
  );
  await root.focus();
  // Folding moves the root to the middle; without an animation it is there in the next frame.
  await page.keyboard.press('ArrowLeft');
  const places = await page.evaluate(async () => {
    const at = () =>
      document.querySelector('[data-testid=tree-cart] [role=treeitem]').getAttribute('transform');
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
