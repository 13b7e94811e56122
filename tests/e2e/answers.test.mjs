// The answer rule: leaves show true shares, both trees have the same rule, and everything that shows
// predictions follows it.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  PATIENCE,
  axeSource,
  downloadTree,
  expectClean,
  site,
  waitForDone,
  waitForState,
} from './support.mjs';

const here = site();
let axe;

before(async () => {
  axe = await axeSource();
});

const HASH = '#sample=own&model=gradtree&depth=3&seed=1&set.epochs=20&set.restarts=1';

/** 900 rows, about one in five of the second class: never certain, so that leaves are mixed. */
function rareClass() {
  let state = 7;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const rows = Array.from({ length: 900 }, () => {
    const [x, y] = [random(), random()];
    return `${x.toFixed(4)},${y.toFixed(4)},${random() < (x > 0.6 ? 0.3 : 0.08) + (y > 0.7 ? 0.12 : 0) ? 'yes' : 'no'}`;
  });
  return Buffer.from(`x,y,left\n${rows.join('\n')}\n`);
}

async function trained(options = {}) {
  // Wide enough for three levels of both trees.
  const opened = await here.open({ hash: HASH, viewport: { width: 1800, height: 900 }, ...options });
  const { page } = opened;
  await waitForState(page, 'ready');
  await page
    .getByTestId('file-input')
    .setInputFiles({ name: 'rare.csv', mimeType: 'text/csv', buffer: rareClass() });
  await waitForState(page, 'loaded');
  await page.getByTestId('target-select').selectOption('left');
  await page.getByTestId('train').click();
  await waitForDone(page);
  await page.getByTestId('importance').waitFor({ timeout: PATIENCE });
  return opened;
}

/** The leaves of a tree, read from its elements. */
const leavesOf = (page, tree) =>
  page
    .getByTestId(tree)
    .locator('[role=treeitem][data-class]')
    .evaluateAll((leaves) =>
      leaves.map((leaf) => ({
        node: Number(leaf.dataset.node),
        rows: Number(leaf.dataset.rows),
        share: Number(leaf.dataset.share),
        answer: leaf.dataset.class,
        notes: [...leaf.querySelectorAll('.note')].map((note) => note.textContent).join(' '),
        title: leaf.querySelector('title').textContent,
        against: leaf.querySelector('.against') !== null,
      })),
    );

const deciding = (page) => page.getByTestId('verdict').getAttribute('data-metric');
const firstRow = (page) => page.getByTestId('metrics-table').locator('tr.deciding').first().innerText();
const confusion = (page) => page.getByTestId('confusion').locator('tbody td').allInnerTexts();

test('leaves say the share of real rows, with its count', async () => {
  const { page, record, close } = await trained();
  await page.getByTestId('answers-select').selectOption('balanced');
  await page.waitForFunction(() =>
    document.querySelector('[data-testid=what-counts]').textContent.startsWith('Every class counts equally.'),
  );
  for (const [tree, which] of [
    ['tree-cart', 'cart'],
    ['tree-gradient', 'gradient'],
  ]) {
    const leaves = await leavesOf(page, tree);
    const { trees, target } = JSON.parse((await downloadTree(page, which)).text);
    const { nodes } = trees[0];
    assert.ok(leaves.length > 1, `${tree}: ${await page.getByTestId(tree).innerText()}`);
    for (const { node, rows, share, answer, notes, title, against } of leaves) {
      const { leaf_distribution: counts, data_count: all } = nodes[node];
      const real = counts[target.classes.indexOf(answer)] / counts.reduce((sum, count) => sum + count, 0);
      assert.equal(rows, all);
      assert.ok(Math.abs(share - real) < 1e-9, `${tree} ${node}: ${share} of ${JSON.stringify(counts)}`);
      assert.match(notes, new RegExp(`^${Math.round(100 * real)}% of ${rows}`), 'the same in the drawing');
      assert.ok(title.includes(`${Math.round(100 * real)}% of ${rows} rows`), title);
      assert.equal(against, real < 0.5, `a leaf against its majority is marked: ${title}`);
      assert.equal(against, /every class counts equally|few rows here/.test(title), `and says why: ${title}`);
    }
    const splits = await page
      .getByTestId(tree)
      .locator('[role=treeitem]:not([data-class])')
      .evaluateAll((all) => all.map(({ dataset }) => dataset.missing));
    assert.ok(
      splits.length > 0 && splits.every((way) => way === 'left' || way === 'right'),
      `where missing values go: ${splits}`,
    );
  }
  assert.ok(
    (await leavesOf(page, 'tree-gradient')).some(({ against }) => against),
    'one leaf at least answers against its majority',
  );
  await expectClean(page, record);
  await close();
});

test('another rule is followed at once by trees, scores, mistakes, verdict, download and link', async () => {
  const { page, record, close } = await trained();
  const select = page.getByTestId('answers-select');
  assert.equal(await select.inputValue(), 'auto');
  assert.equal(await deciding(page), 'balanced_accuracy', 'a class is rare');
  assert.match(
    await page.locator('#answers-help').innerText(),
    /Every class counts equally, because .yes., the rarest class, has \d+ %/,
  );
  assert.match(
    await page.getByTestId('constant').innerText(),
    /Always answering no would be right for [78]\d% \(balanced accuracy 50%\)\./,
  );
  assert.match(await firstRow(page), /^balanced accuracy\s*decides/);
  assert.match(await page.getByTestId('verdict').innerText(), /balanced accuracy|tie/);
  const before = await confusion(page);

  await select.selectOption('likeliest');
  await page.waitForFunction(
    () => document.querySelector('[data-testid=verdict]').dataset.metric === 'accuracy',
  );
  assert.match(await firstRow(page), /^accuracy\s*decides/);
  assert.match(page.url(), /answers=likeliest/);
  assert.notDeepEqual(await confusion(page), before);
  assert.ok((await leavesOf(page, 'tree-cart')).every(({ against }) => !against));
  assert.equal(JSON.parse((await downloadTree(page)).text).decision.rule, 'likeliest');

  // Costs: an error is shown next to the fields, and nothing else changes.
  await select.selectOption('costs');
  await page.waitForFunction(() => document.querySelector('[data-testid=verdict]').dataset.metric === 'cost');
  const costs = page.getByTestId('costs');
  const miss = costs.getByLabel('Cost of missing “yes”');
  await miss.fill('-1');
  assert.match(await costs.getByRole('alert').innerText(), /answering “no” for “yes” is negative/);
  await page.evaluate(axe);
  const found = await page.evaluate(async () =>
    (await window.axe.run(document)).violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`,
    ),
  );
  assert.deepEqual(found, [], 'with costs and their trouble');
  await miss.fill('0');
  await costs.getByLabel('Cost of a false “yes”').fill('0');
  assert.match(await costs.getByRole('alert').innerText(), /All costs are zero/);
  await miss.fill('8');
  await page.waitForFunction(() => location.hash.includes('answers=costs%3A0%2C0%3B8%2C0'));
  await costs.getByLabel('Cost of a false “yes”').fill('1');
  await page.waitForFunction(() => location.hash.includes('answers=costs%3A0%2C1%3B8%2C0'));
  assert.match(await firstRow(page), /^cost per row, less is better\s*decides/);
  await expectClean(page, record);
  await close();
});

test('the limit of two classes moves answers, mistakes and the point on the curve together, and goes back', async () => {
  const { page, record, close } = await trained();
  const before = { leaves: await leavesOf(page, 'tree-gradient'), counts: await confusion(page) };
  const slider = page.getByTestId('threshold-slider');
  const value = () => page.getByTestId('threshold-value').innerText();
  assert.match(await value(), /^answers yes from [12]\d(\.\d)?% on$/, 'the share of the rare class');
  await slider.focus();
  await page.keyboard.press('End');
  assert.equal(await value(), 'answers yes from 99% on');
  await page.waitForFunction(
    () => document.querySelector('[data-testid=roc-now-gradient]').dataset.hits === '0',
  );
  assert.ok((await leavesOf(page, 'tree-gradient')).every(({ answer }) => answer === 'no'));
  await page
    .getByTestId('plane')
    .getByText(/GradTree answers no on 100%/)
    .waitFor();
  const [, , missed] = await confusion(page);
  assert.notEqual(missed, '·', 'every “yes” is missed');
  await page.keyboard.press('Home');
  await page.waitForFunction(
    () => document.querySelector('[data-testid=roc-now-gradient]').dataset.hits === '1',
  );
  assert.match(page.url(), /answers=costs%3A0%2C0\.01%3B0\.99%2C0/);
  await page.getByTestId('threshold-back').click();
  await page.waitForFunction(() => document.querySelector('[data-testid=answers-select]').value === 'auto');
  await page.waitForFunction(
    () => document.querySelector('[data-testid=verdict]').dataset.metric === 'balanced_accuracy',
  );
  assert.deepEqual({ leaves: await leavesOf(page, 'tree-gradient'), counts: await confusion(page) }, before);
  await expectClean(page, record);
  await close();
});

test('the rule still changes the trained trees after a tree from a file was looked at', async () => {
  const { page, record, close } = await trained();
  const { name, text } = await downloadTree(page);
  await page
    .getByTestId('load-tree')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.getByText('This tree predicts').waitFor();
  await page.locator('.opened button').click();
  await page.getByTestId('answers-select').selectOption('likeliest');
  await page.waitForFunction(
    () => document.querySelector('[data-testid=verdict]').dataset.metric === 'accuracy',
  );
  await expectClean(page, record);
  await close();
});

test('numbers have no answer rule, and the film says whose verdict stands above it', async () => {
  const { page, close } = await trained();
  const slider = page.getByTestId('scrubber');
  await slider.focus();
  await page.keyboard.press('Home');
  await page.getByText('GradTree at this moment').waitFor();
  assert.match(await page.getByTestId('verdict').innerText(), /^Of the finished tree: /);
  await page
    .locator('.film')
    .getByText(/balanced accuracy [01]\.\d+ on the test rows/)
    .waitFor();
  await page.getByTestId('target-select').selectOption('x');
  assert.equal(await page.getByTestId('answers-select').count(), 0);
  await close();
});

test('what columns are worth and why one tree is better go by what counts', async () => {
  const { page, record, close } = await trained();
  const importance = page.getByTestId('importance');
  await importance.getByText(/^By how much balanced accuracy falls/).waitFor();
  const worth = () => importance.locator('tbody .number').allInnerTexts();
  const balanced = await worth();
  const why = page.getByTestId('why');
  await why.getByTestId('why-ask').click();
  await why.getByText(/^Balanced accuracy on \d+ rows of held-out data/).waitFor({ timeout: PATIENCE });
  // The two whole trees are those of the scores.
  const [cart, learner] = (
    await page.getByTestId('metrics-table').locator('tr.deciding').first().locator('td').allInnerTexts()
  )
    .slice(0, 2)
    .map((text) => /[\d.]+$/.exec(text.trim())[0]);
  const four = (await why.locator('td.number').allInnerTexts()).map((text) => /^[\d.]+/.exec(text.trim())[0]);
  assert.deepEqual([four[0], four[3]], [cart, learner]);

  await page.getByTestId('answers-select').selectOption('costs');
  await importance.getByText(/^By how much cost per row rises/).waitFor();
  assert.notDeepEqual(await worth(), balanced);
  await expectClean(page, record);
  await close();
});

test('costs are offered before a training and for many classes: one for each', async () => {
  const { page, record, close } = await here.open({ hash: HASH, viewport: { width: 390, height: 844 } });
  await waitForState(page, 'ready');
  const rows = Array.from(
    { length: 600 },
    (_, at) => `${at % 30},${(at * 7) % 11},kind ${String.fromCharCode(97 + (at % 15))}`,
  );
  await page.getByTestId('file-input').setInputFiles({
    name: 'kinds.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`x,y,kind\n${rows.join('\n')}\n`),
  });
  await waitForState(page, 'loaded');
  await page.getByTestId('target-select').selectOption('kind');
  await page
    .getByTestId('answers-select')
    .locator('option[value=costs]:not([disabled])')
    .waitFor({ state: 'attached' });
  await page.getByTestId('answers-select').selectOption('costs');
  const costs = page.getByTestId('costs');
  // The fields are fetched when needed.
  await costs.locator('input').nth(14).waitFor();
  assert.equal(await costs.locator('input').count(), 15);
  await costs.getByLabel('A missed “kind c”').fill('-1');
  assert.match(await costs.getByRole('alert').innerText(), /for “kind c” is negative/);
  await costs.getByLabel('A missed “kind c”').fill('5');
  await page.waitForFunction(() => location.hash.includes('answers=costs%3A1%3B1%3B5%3B1'));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), 'nothing sticks out');
  await page.evaluate(axe);
  const found = await page.evaluate(async () =>
    (await window.axe.run(document)).violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`,
    ),
  );
  assert.deepEqual(found, []);
  await page.getByTestId('train').click();
  await waitForDone(page);
  assert.equal(await deciding(page), 'cost');
  const { decision } = JSON.parse((await downloadTree(page)).text);
  assert.deepEqual(decision.costs[2].slice(0, 4), [5, 5, 0, 5]);
  assert.deepEqual(decision.costs[0].slice(0, 3), [0, 1, 1]);
  await expectClean(page, record);
  await close();
});
