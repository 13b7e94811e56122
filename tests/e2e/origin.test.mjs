// Where settings and trees come from: the recipe, settings by hand, the kept tree and the tree of descent
// alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadTree, expectClean, site, waitForDone, waitForState } from './support.mjs';

const here = site();
const QUICK = 'seed=1&set.epochs=40&set.restarts=3';

/** Waits until a field has a value. */
const holds = (page, testid, value) =>
  page.waitForFunction(
    ([id, wanted]) => document.querySelector(`[data-testid=${id}]`)?.value === wanted,
    [testid, value],
  );

const hash = (page) => page.evaluate(() => location.hash);

test('a recipe fills every field, and what is set by hand stays, is marked and can be reset', async () => {
  const { page, record, close } = await here.open({ hash: `#sample=xor&model=gradtree&${QUICK}` });
  await waitForDone(page);
  assert.equal(await page.getByTestId('depth-input').inputValue(), '2');
  assert.equal(await page.getByTestId('depth-said').count(), 0, 'the depth of a sample is not set by hand');
  assert.equal(
    await page.getByTestId('depth-of-sample').innerText(),
    'Set by this sample; the recipe says 10.',
  );

  await page.getByTestId('recipe-select').selectOption('published');
  await holds(page, 'depth-input', '10');
  assert.match(await hash(page), /recipe=published/);
  await page.getByText('More settings').click();
  await holds(page, 'param-lr_leaf', '0.005');
  assert.equal(await page.getByTestId('param-restarts').inputValue(), '3', 'set by the link');
  await page.getByTestId('param-restarts-reset').click();
  await holds(page, 'param-restarts', '6');
  assert.doesNotMatch(await hash(page), /set\.restarts/);

  // A value that equals the recipe's can be set by hand, and stays when the recipe changes.
  await page.getByTestId('param-lr_leaf').fill('0.006');
  await page.getByTestId('param-lr_leaf').fill('0.005');
  await page.getByTestId('param-lr_leaf-said').waitFor();
  assert.match(await hash(page), /set\.lr_leaf=0\.005/);
  await page.getByTestId('recipe-select').selectOption('espalier');
  await holds(page, 'depth-input', '2');
  assert.equal(await page.getByTestId('param-lr_leaf').inputValue(), '0.005');

  // A depth set by hand is kept when the learner changes.
  await page.getByTestId('depth-input').fill('3');
  await page.getByTestId('depth-said').waitFor();
  await page.getByTestId('model-select').selectOption('cart');
  assert.equal(await page.getByTestId('depth-input').inputValue(), '3');
  await page.getByTestId('model-select').selectOption('gradtree');
  await page.getByTestId('depth-reset').click();
  await holds(page, 'depth-input', '2');
  await expectClean(page, record);
  await close();
});

test("without a depth set by hand the recipe's is shown, used and not recorded as said", async () => {
  const { page, record, close } = await here.open({
    hash: '#sample=own&model=gradtree&seed=1&set.epochs=5&set.restarts=1',
  });
  await waitForState(page, 'ready');
  const rows = Array.from(
    { length: 80 },
    (_, at) => `${at % 13},${at % 7},${(at % 13) + (at % 7) > 9 ? 'yes' : 'no'}`,
  );
  await page.getByTestId('file-input').setInputFiles({
    name: 'own.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`x,y,z\n${rows.join('\n')}\n`),
  });
  await waitForState(page, 'loaded');
  await holds(page, 'depth-input', '10');
  for (const model of ['relaxed', 'gradtree']) {
    await page.getByTestId('model-select').selectOption(model);
    await holds(page, 'depth-input', model === 'relaxed' ? '6' : '10');
    assert.doesNotMatch(await hash(page), /depth/, 'another learner sets no depth');
  }
  assert.equal(await page.getByTestId('depth-said').count(), 0);
  await page.getByTestId('train').click();
  await waitForDone(page);
  const { training } = JSON.parse((await downloadTree(page)).text);
  assert.equal(training.config.depth, 10);
  assert.equal('depth' in training.said, false, JSON.stringify(training.said));
  await page.getByTestId('importance').waitFor();
  assert.doesNotMatch(
    await page.evaluate(() => document.body.innerText),
    /gradient tree/i,
    "the learner's name is the tree's",
  );
  await expectClean(page, record);
  await close();
});

test("an old link for the papers' settings runs at their depth", async () => {
  const { page, record, close } = await here.open({
    hash: '#sample=xor&model=gradtree&seed=1&set.preset=paper&set.epochs=5',
  });
  await waitForDone(page);
  assert.equal(await page.getByTestId('recipe-select').inputValue(), 'published');
  assert.equal(await page.getByTestId('depth-input').inputValue(), '10');
  const { training } = JSON.parse((await downloadTree(page)).text);
  assert.equal(training.config.depth, 10);
  assert.deepEqual(training.said, { epochs: 5 });
  assert.match(await page.getByTestId('origin').innerText(), /random start/i);
  assert.match(await page.getByTestId('descent-alone').innerText(), /Descent alone made this tree/);
  await expectClean(page, record);
  await close();
});

test('the result says where its tree came from, and the tree of descent alone can take its place', async () => {
  const { page, record, close } = await here.open({ hash: `#sample=raisin&model=gradtree&${QUICK}` });
  await waitForDone(page);
  const origin = page.getByTestId('origin');
  const kept = JSON.parse((await downloadTree(page)).text);
  assert.equal(
    kept.training.kept.start,
    'greedy',
    'this test needs a tree that was not trained by descent alone',
  );
  assert.match(await origin.innerText(), /^Kept: a greedy tree/);
  const title = page.getByTestId('tree-gradient').getByRole('heading');
  assert.equal((await title.innerText()).trim(), 'GradTree');
  const score = await page.getByTestId('descent-alone').innerText();
  assert.match(score, /Best tree of descent alone: .* on the test rows/);

  await page.getByTestId('show-other').click();
  await page.getByRole('button', { name: 'Show the kept tree' }).waitFor();
  assert.match(await origin.innerText(), /^Shown: the best tree of descent alone/);
  assert.equal((await title.innerText()).trim(), 'GradTree, descent alone');
  assert.match(await page.getByTestId('verdict').innerText(), /GradTree by descent alone|A tie/);
  await page
    .getByTestId('export-tree')
    .locator('option', { hasText: 'GradTree, descent alone' })
    .waitFor({ state: 'attached' });
  const alone = await downloadTree(page);
  assert.match(alone.name, /descent-alone/);
  const { training, metrics } = JSON.parse(alone.text);
  assert.equal(training.kept.start, 'random');
  assert.match(
    await page.getByTestId('metrics-table').innerText(),
    new RegExp(metrics.test.accuracy.toFixed(3).replace(/0+$/, '')),
  );
  await page.getByTestId('importance').waitFor();

  await page.getByTestId('show-other').click();
  await page.getByRole('button', { name: 'Show this tree' }).waitFor();
  assert.equal(
    JSON.stringify(JSON.parse((await downloadTree(page)).text)),
    JSON.stringify(kept),
    'the kept tree is back as it was',
  );
  await expectClean(page, record);
  await close();
});

test('status, film and chart name the phase and the restart as the engine does', async () => {
  const { page, record, close } = await here.open({ hash: `#sample=raisin&model=gradtree&depth=3&${QUICK}` });
  await waitForDone(page);
  assert.match(
    await page.getByTestId('status').innerText(),
    /On the validation rows the kept tree has a log loss of/,
  );
  const said = await page.getByTestId('loss-chart').locator('.visually-hidden').innerText();
  assert.doesNotMatch(said, /restart/i, said);
  const slider = page.getByTestId('scrubber');
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=scrubber]').max) > 2);
  await slider.focus();
  await slider.press('End');
  await page.waitForFunction(() =>
    /^The tree that was kept, .*: a /.test(
      document.querySelector('[data-testid=scrubber]').getAttribute('aria-valuetext'),
    ),
  );
  await expectClean(page, record);
  await close();
});
