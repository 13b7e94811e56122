// Readers whose languages write numbers differently: scores, counts and verdicts follow them, the file's own
// numbers do not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATIENCE, expectClean, site, waitForDone, waitForState } from './support.mjs';

const here = site();
const XOR = '#sample=xor&model=gradtree&depth=2&seed=1&set.epochs=80&set.restarts=2';

for (const [locale, decimal] of [
  ['de-DE', ','],
  ['fr-FR', ','],
  ['en-GB', '.'],
]) {
  test(`numbers as in ${locale}, and the same verdicts`, async () => {
    const { page, record, close } = await here.open({ hash: XOR, locale });
    await waitForDone(page);
    await page.getByTestId('importance').waitFor();
    const score = page
      .getByTestId('metrics-table')
      .locator('tr', { hasText: /^accuracy/ })
      .first()
      .locator('td')
      .first();
    assert.match((await score.innerText()).trim(), new RegExp(`0\\${decimal}\\d{3}$`));
    // No score, count or share in the closer look uses the other format; the trees' tests have the file's own
    // numbers.
    const other = decimal === ',' ? '.' : ',';
    for (const view of ['roc', 'importance', 'confusion', 'disagreement']) {
      const text = (await page.getByTestId(view).innerText()).replace(/x\d (?:≤|>) -?\d+\.\d+/g, '');
      assert.doesNotMatch(text, new RegExp(`\\d\\${other}\\d`), view);
    }

    await page.getByTestId('seeds-run').click();
    await page
      .getByTestId('seeds')
      .getByText(/better with|Neither is ahead/)
      .waitFor({ timeout: 2 * PATIENCE });
    assert.match(await page.getByTestId('seeds').innerText(), /GradTree is better with [45] of 5 seeds/);
    await expectClean(page, record);
    await close();
  });
}

test("dates and numbers are the reader's in the explanation, the map and one row", async () => {
  const { page, record, close } = await here.open({
    hash: '#sample=own&model=gradtree&depth=2&set.epochs=20&set.restarts=1',
    locale: 'de-DE',
  });
  await waitForState(page, 'ready');
  // Only the date and the price decide.
  const rows = Array.from({ length: 300 }, (_, i) => {
    const [day, price] = [(i * 37) % 700, (i * 53) % 97];
    return `${new Date(Date.UTC(2022, 0, 1 + day)).toISOString().slice(0, 10)},${price}.5,${day > 350 && price > 20 ? 'ja' : 'nein'}`;
  });
  await page.getByTestId('file-input').setInputFiles({
    name: 'kunden.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`seit,preis,y\n${rows.join('\n')}\n`),
  });
  await waitForState(page, 'loaded');
  await page.getByTestId('target-select').selectOption('y');
  await page.getByTestId('train').click();
  await waitForDone(page);
  await page.getByTestId('why-ask').click();
  const why = page.getByTestId('why');
  await why.getByRole('table').waitFor({ timeout: 2 * PATIENCE });
  const told = await why.innerText();
  assert.match(told, /CART's first cut, seit ≤ \d\d\.\d\d\.202\d, takes 0,\d+ off/);
  assert.doesNotMatch(told.replace(/\d\d\.\d\d\.\d{4}/g, ''), /\d\.\d|days since/);

  await page.getByTestId('row-follow').click();
  const row = page.getByTestId('one-row');
  await row.getByText('CART says').waitFor();
  assert.match(
    await row
      .locator('tr', { hasText: /^seit ≤/ })
      .first()
      .innerText(),
    /\d+ days? (later|earlier)$/,
  );

  const map = page.getByTestId('plane');
  await map.getByLabel('Across').selectOption('seit');
  const drawing = map.getByRole('img', { name: /^CART over seit and/ });
  await drawing.waitFor();
  const ticks = await drawing.locator('text').allTextContents();
  assert.ok(
    ticks.some((text) => /^\D+ 202\d$/.test(text)),
    `months on the axis: ${ticks}`,
  );
  assert.doesNotMatch(await page.getByTestId('importance').innerText(), /days since/);
  await expectClean(page, record);
  await close();
});

test('fields take what they show in de-DE, and one row takes what the file writes', async () => {
  const { page, close } = await here.open({
    hash: '#sample=own&model=gradtree&depth=2&set.epochs=20&set.restarts=1',
    locale: 'de-DE',
  });
  await waitForState(page, 'ready');
  const rows = Array.from(
    { length: 160 },
    (_, i) => `${(i * 37) % 101},${i % 10};${(i * 53) % 97};${(i * 37) % 101 > 50 ? 'ja' : 'nein'}`,
  );
  await page.getByTestId('file-input').setInputFiles({
    name: 'eigene.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`preis;menge;y\n${rows.join('\n')}\n`),
  });
  await waitForState(page, 'loaded');
  await page.getByTestId('train').click();
  await waitForDone(page);
  await page.getByTestId('row-follow').click();
  const row = page.getByTestId('one-row');
  await row.getByText('CART says').waitFor();
  const price = row.getByRole('textbox', { name: 'preis' });
  assert.equal(await price.inputValue(), '0,0', 'as the file spells it');
  for (const [cell, answer] of [
    ['99,5', 'ja'],
    ['1,25', 'nein'],
  ]) {
    await price.fill(cell);
    await page.keyboard.press('Tab');
    await row.getByText(`CART says ${answer}`).waitFor();
    assert.equal(await price.inputValue(), cell);
  }
  await close();
});
