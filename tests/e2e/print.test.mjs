// On paper: both trees and their scores on one landscape page, whatever the theme and the window. Trees that
// are folded in their drawing are written out on further pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { site, waitForDone } from './support.mjs';

const here = site();

const CASES = {
  'two small trees, light': { hash: '', folded: false },
  'two small trees, dark': { hash: '', folded: false, colorScheme: 'dark' },
  'wide trees, from a narrow window': {
    hash: '#sample=airfoil&model=gradtree&depth=5&set.epochs=5&set.restarts=1',
    viewport: { width: 390, height: 844 },
    folded: true,
  },
  'wide trees, dark': {
    hash: '#sample=airfoil&model=gradtree&depth=5&set.epochs=5&set.restarts=1',
    folded: true,
    colorScheme: 'dark',
  },
};

/** How many pages a PDF has, and the size of the first. */
function paper(pdf) {
  const text = pdf.toString('latin1');
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text);
  return { pages: text.match(/\/Type \/Page\b/g).length, width: Number(width), height: Number(height) };
}

for (const [name, { folded, ...options }] of Object.entries(CASES)) {
  test(`one landscape page: ${name}`, async () => {
    const { page, close } = await here.open(options);
    await waitForDone(page);
    await page.getByTestId('importance').waitFor();
    const print = async () => paper(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
    const { pages, width, height } = await print();
    assert.ok(width > height, `${width} × ${height}`);
    assert.equal(pages > 1, folded, `${pages} pages`);
    // Without the written-out trees, everything is on one page.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('[data-testid^=written-] { display: none !important }');
      document.adoptedStyleSheets.push(sheet);
    });
    assert.equal((await print()).pages, 1);
    await page.evaluate(() => document.adoptedStyleSheets.pop());

    // A landscape sheet without its margins.
    await page.setViewportSize({ width: 1040, height: 720 });
    await page.emulateMedia({ media: 'print' });
    await page.waitForTimeout(300);
    const seen = await page.evaluate(() => {
      const luminance = (colour) =>
        colour
          .match(/\d+/g)
          .slice(0, 3)
          .reduce((sum, part) => sum + Number(part), 0) / 3;
      const box = (element) => element.getBoundingClientRect();
      const view = (side) => document.querySelector(`[data-testid=tree-${side}]`);
      const leavesOf = (side) => Number(/(\d+) leaves/.exec(view(side).textContent)[1]);
      const isFolded = (side) => view(side).querySelectorAll('.node.leaf').length < leavesOf(side);
      const cut = [...document.querySelectorAll('[role=treeitem]')].filter((item) => {
        const [node, frame] = [box(item), box(item.closest('.frame'))];
        return node.left < frame.left - 8 || node.right > frame.right + 8 || node.bottom > frame.bottom + 8;
      });
      return {
        ink: luminance(getComputedStyle(document.body).color),
        card: luminance(
          getComputedStyle(document.querySelector('.card .tree').closest('.card')).backgroundColor,
        ),
        items: document.querySelectorAll('[role=treeitem]').length,
        cut: cut.length,
        controls: [...document.querySelectorAll('button, select, input')].filter((control) =>
          control.checkVisibility(),
        ).length,
        words: document.querySelector('#result').innerText,
        leaves: { cart: leavesOf('cart'), gradient: leavesOf('gradient') },
        folds: { cart: isFolded('cart'), gradient: isFolded('gradient') },
      };
    });
    assert.ok(seen.ink < 80 && seen.card > 230, `dark ink on light paper: ${seen.ink} on ${seen.card}`);
    for (const [side, leaves] of Object.entries(seen.leaves)) {
      const text = page.getByTestId(`written-${side}`);
      assert.equal(await text.isVisible(), seen.folds[side], side);
      if (!seen.folds[side]) continue;
      const lines = (await text.locator('pre').innerText()).split('\n');
      assert.equal(
        lines.filter((line) => /(yes|no): /.test(line) && !line.includes('? (')).length,
        leaves,
        'every leaf is written',
      );
    }
    assert.equal(
      (seen.words.match(/Some branches are folded/g) ?? []).length,
      Object.values(seen.folds).filter(Boolean).length,
    );
    assert.ok(seen.items >= 6);
    assert.equal(seen.cut, 0, 'no node is cut off');
    assert.equal(seen.controls, 0, 'nothing that can only be pressed');
    assert.match(seen.words, /\.csv: predicting .* with GradTree, depth \d, seed \d/);
    await close();
  });
}
