// Groups of rows without a target: drop a file, choose no target, train, read what distinguishes the groups,
// download the rows. Also the pruning strength, with nodes that fade.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  axeSource,
  downloadText,
  dropFile,
  espalier,
  expectClean,
  put,
  site,
  waitForDone,
  waitForState,
} from './support.mjs';

const here = site();
let axe;

before(async () => {
  axe = await axeSource();
});

/** Three clusters of rows in four numeric columns and one categorical, and a label that names the cluster. */
function heaps(rows = 240) {
  let state = 7;
  const noise = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647 - 0.5;
  };
  const lines = ['width,height,weight,age,colour,heap'];
  for (let i = 0; i < rows; i++) {
    const heap = i % 3;
    const numbers = [10 * heap, -7 * heap, heap === 1 ? 30 : 4, 20].map((centre) =>
      (centre + 2 * noise()).toFixed(3),
    );
    lines.push([...numbers, heap === 2 ? 'red' : 'blue', `heap ${heap}`].join(','));
  }
  return `${lines.join('\n')}\n`;
}

/** The page with an own file, and without a target. */
async function withoutTarget(options = {}) {
  const opened = await here.open({ hash: '#sample=own', ...options });
  await waitForState(opened.page, 'ready');
  await dropFile(opened.page, 'heaps.csv', heaps());
  await waitForState(opened.page, 'loaded');
  await opened.page.getByTestId('target-select').selectOption({ label: 'No target: find groups' });
  return opened;
}

test('a file without a target is grouped, described, scored beside k-means and taken home', async () => {
  // With this many restarts the page sees some of the training, however fast the machine is.
  const { page, record, close } = await withoutTarget({ hash: '#sample=own&model=relaxed&set.restarts=32' });
  assert.equal(await page.getByTestId('model-select').inputValue(), 'relaxed');
  await page.getByTestId('label-select').selectOption('heap');
  await page.getByTestId('train').click();
  await waitForDone(page);

  assert.ok(
    (await page.getByTestId('tree-gradient').getByRole('treeitem').count()) >= 5,
    'three heaps need two splits',
  );
  assert.equal(await page.getByTestId('tree-cart').count(), 0, 'there is no greedy tree of groups');
  const described = page.getByTestId('groups');
  const words = await described.innerText();
  assert.match(words, /all rows\s+240/);
  assert.match(words, /(width|height|weight) (higher|lower): -?[\d.]+ on average, elsewhere -?[\d.]+/);
  const scores = await page.getByTestId('metrics-table').innerText();
  assert.match(scores, /k-means/);
  const purity = /dendrogram purity\s+▸?(?:better: )?\s*([\d.]+)\s+▸?(?:better: )?\s*([\d.]+)/.exec(scores);
  assert.ok(purity && Number(purity[2]) > 0.9, `the heaps are found: ${scores}`);

  // The training can be replayed as the page saw it.
  const slider = page.getByTestId('scrubber');
  assert.ok(Number(await slider.getAttribute('max')) >= 2, 'the film has frames');
  await slider.press('Home');
  assert.match(await slider.getAttribute('aria-valuetext'), /epoch|as it began/);
  assert.ok((await page.getByTestId('tree-gradient').getByRole('treeitem').count()) >= 1);
  await page.getByTestId('film-best').click();

  const { name, text } = await downloadText(page, () => page.getByTestId('download-groups').click());
  assert.equal(name, 'heaps-groups.csv');
  const [head, ...rows] = text.trim().split(/\r?\n/);
  assert.equal(rows.length, 240);
  const at = head.split(',').indexOf('leaf');
  assert.ok(at >= 0, head);
  const groups = new Map();
  for (const row of rows) {
    const cells = row.split(',');
    const heap = /heap \d/.exec(row)[0];
    groups.set(cells[at], (groups.get(cells[at]) ?? new Set()).add(heap));
  }
  assert.ok(
    groups.size >= 3 && [...groups.values()].every((of) => of.size === 1),
    'every group is of one heap',
  );

  // The hierarchy is a tree like any other: the command line verifies its file.
  const tree = await downloadText(page, () => page.getByTestId('download-json').click());
  await espalier('verify', await put(here.folder, 'groups.tree.json', tree.text));
  await expectClean(page, record);

  // Back to a target: two trees again.
  await page.getByTestId('target-select').selectOption('heap');
  await page.getByTestId('train').click();
  await waitForDone(page);
  assert.ok((await page.getByTestId('tree-cart').getByRole('treeitem').count()) >= 3);
  await close();
});

for (const [screen, options] of Object.entries({
  'light, wide': {},
  'dark, wide': { colorScheme: 'dark' },
  'dark, 390 px': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
})) {
  test(`groups can be used by everybody: ${screen}`, async () => {
    const { page, close } = await withoutTarget(options);
    await page.getByTestId('train').click();
    await waitForDone(page);
    await page.getByTestId('groups').getByRole('table').waitFor();
    const below = await page.evaluate(
      () =>
        document.documentElement.scrollHeight -
        document.querySelector('footer').getBoundingClientRect().bottom -
        window.scrollY,
    );
    assert.ok(below < 100, `the page ends with its last line, not ${below} px below`);
    await page.evaluate(axe);
    const violations = await page.evaluate(async () =>
      (await window.axe.run(document)).violations.map(({ id, nodes }) => [
        id,
        nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)),
      ]),
    );
    assert.deepEqual(violations, [], screen);
    const [content, wide] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(content <= wide, `${screen}: ${content} px of content on ${wide} px`);
    if (process.env.ESPALIER_SHOTS) {
      await page.screenshot({
        path: `${process.env.ESPALIER_SHOTS}/groups-${screen.replace(/\W+/g, '-')}.png`,
        fullPage: true,
      });
    }
    await close();
  });
}

test('the strength of pruning is set by keyboard, and nodes fade on the way', async () => {
  const { page, close } = await here.open({
    hash: '#sample=airfoil&model=relaxed&depth=5&seed=1&set.prune=0.4&set.epochs=400&set.restarts=20',
  });
  await waitForState(page, 'training');
  // A partly pruned node is drawn fainter, and its label says so.
  await page.waitForFunction(() => {
    const inks = [...document.querySelectorAll('[data-testid=tree-gradient] .ink')];
    return inks.some((ink) => Number(ink.getAttribute('opacity')) < 1);
  });
  const faint = page
    .getByTestId('tree-gradient')
    .getByRole('treeitem')
    .filter({ has: page.locator('title', { hasText: /kept|pruned/ }) });
  assert.ok((await faint.count()) >= 1);
  if (process.env.ESPALIER_SHOTS)
    await page.screenshot({ path: `${process.env.ESPALIER_SHOTS}/fading.png`, fullPage: true });
  await page.getByTestId('stop').click();
  await waitForDone(page);
  const opaque = await page
    .locator('[data-testid=tree-gradient] .ink')
    .evaluateAll((inks) => inks.every((ink) => ink.getAttribute('opacity') === '1'));
  assert.ok(opaque, 'a finished tree is not faint');

  const slider = page.getByTestId('param-prune');
  assert.equal(await slider.getAttribute('aria-valuetext'), '40%');
  await slider.focus();
  await page.keyboard.press('End');
  assert.equal(await slider.getAttribute('aria-valuetext'), 'one split');
  assert.match(await page.evaluate(() => location.hash), /set\.prune=1(&|$)/);
  await close();
});

test('at its greatest strength pruning leaves one split', async () => {
  // Short enough to end by itself: a training that is stopped early may have no tree yet.
  const { page, close } = await here.open({
    hash: '#sample=airfoil&model=relaxed&depth=5&seed=1&set.prune=1&set.epochs=40&set.restarts=2',
  });
  await waitForDone(page);
  assert.equal(
    await page.getByTestId('tree-gradient').getByRole('treeitem').count(),
    3,
    'one split and two leaves',
  );
  await page.getByTestId('param-prune').focus();
  await page.keyboard.press('Home');
  assert.equal(await page.getByTestId('param-prune').getAttribute('aria-valuetext'), 'keep everything');
  await close();
});
