// Pictures of every step of the way through the page, light and dark, 1440 and 390 pixels wide, to be looked at.
//
//   cargo xtask build && node benches/pictures.mjs FOLDER [STEP …]
//
// Steps: arrive, data, settings, training, scrub, compare, row, take, bad, groups. Without steps all of them.

import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { sampleFile, serveSite } from '../tests/e2e/support.mjs';

const require = createRequire(new URL('../www/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('usage: node benches/pictures.mjs FOLDER [STEP …]');
await mkdir(folder, { recursive: true });

const state = (page, ...wanted) => page.waitForFunction((wanted) => wanted.includes(document.documentElement.dataset.state), wanted, { timeout: 120_000 });
const done = async (page) => {
  await state(page, 'done');
  // Cards that come one after another, and what moves to its place.
  await page.waitForTimeout(900);
};
const top = (page, testid) => page.getByTestId(testid).evaluate((element) => {
  (element.closest('.card, section') ?? element).scrollIntoView({ block: 'start' });
  scrollBy(0, -12);
});
const own = async (page, name, text) => {
  await state(page, 'ready', 'done');
  await page.getByTestId('file-input').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
};

/** A file with all that goes wrong in files of one's own: words, dates, holes, long names. */
function messy(rows) {
  let seed = 7;
  const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const lines = ['customer_identifier;a rather long name of a column that has to be cut;age;joined;plan;left'];
  for (let row = 1; row <= rows; row++) {
    const age = 18 + Math.floor(next() * 60);
    const plan = ['basic', 'plus', 'premium'][Math.floor(next() * 3)];
    const use = (next() * 100).toFixed(1).replace('.', ',');
    const left = (age < 30 && plan === 'basic') || next() < 0.1 ? 'yes' : 'no';
    lines.push([`K${1000 + row}`, next() < 0.07 ? 'NA' : use, next() < 0.05 ? '' : age, `2024-0${1 + (row % 9)}-1${row % 10}`, plan, left].join(';'));
  }
  return lines.join('\n') + '\n';
}

const STEPS = {
  arrive: { hash: '', run: done },
  data: {
    hash: '#sample=own',
    run: async (page) => {
      await own(page, 'customers.csv', messy(400));
      await state(page, 'loaded');
      await page.getByTestId('details-age').click();
      await page.waitForTimeout(400);
    },
  },
  settings: {
    hash: '#sample=own',
    run: async (page) => {
      await own(page, 'customers.csv', messy(400));
      await state(page, 'loaded');
      await page.getByText('More settings').click();
      await page.waitForTimeout(300);
      await top(page, 'target-select');
    },
  },
  training: {
    hash: '#sample=own&set.epochs=100000&set.patience=100000&set.restarts=32',
    run: async (page) => {
      await own(page, 'customers.csv', messy(3000));
      await state(page, 'loaded');
      await page.getByTestId('train').click();
      await state(page, 'training');
      await page.waitForTimeout(5000);
      await top(page, 'tree-cart');
    },
  },
  scrub: {
    hash: '#sample=iris',
    run: async (page) => {
      await done(page);
      await page.waitForFunction(() => !document.querySelector('[data-testid=scrubber]').disabled);
      for (let press = 0; press < 8; press++) await page.getByTestId('scrubber').press('PageDown');
      await page.waitForTimeout(500);
      await top(page, 'tree-gradient');
    },
  },
  compare: {
    hash: '#sample=raisin',
    full: true,
    run: async (page) => {
      await done(page);
      await page.waitForTimeout(1500);
    },
  },
  row: {
    hash: '',
    run: async (page) => {
      await done(page);
      await page.getByTestId('row-follow').click();
      await page.waitForTimeout(800);
      await top(page, 'tree-cart');
      await page.screenshot({ path: join(folder, `row-trees-${await page.evaluate(() => innerWidth)}.png`) });
      await top(page, 'one-row');
    },
  },
  take: {
    hash: '#sample=airfoil',
    run: async (page) => {
      await done(page);
      await top(page, 'download-json');
    },
  },
  bad: {
    hash: '#sample=own',
    run: async (page) => {
      await own(page, 'broken.csv', 'a,b,c\n1,2,3\n4,5\n6,7,8,9\n1,2,3\n');
      await state(page, 'error');
      await page.waitForTimeout(300);
    },
  },
  groups: {
    hash: '#sample=own',
    full: true,
    run: async (page) => {
      await own(page, 'iris.csv', await sampleFile('iris.csv'));
      await state(page, 'loaded');
      await page.getByTestId('target-select').selectOption({ label: 'No target: find groups' });
      await page.getByTestId('label-select').selectOption('class');
      await page.getByTestId('train').click();
      await done(page);
    },
  },
};

const { server, address } = await serveSite();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
for (const [name, { hash, run, full = false }] of Object.entries(STEPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const colorScheme of ['light', 'dark']) {
    for (const [width, height] of [[1440, 900], [390, 844]]) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme });
      await page.goto(address + hash);
      try {
        await run(page);
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: full });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) console.log(`${name}, ${colorScheme}, ${width}: the page is ${wide} pixels wider than the window`);
      } catch (error) {
        console.log(`${name}, ${colorScheme}, ${width}: ${error.message.split('\n')[0]}`);
        process.exitCode = 1;
      }
      await page.close();
    }
  }
  console.log(name);
}
await browser.close();
server.closeAllConnections();
server.close();
