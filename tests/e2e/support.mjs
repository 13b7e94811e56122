// What every end-to-end test needs: the built page served from a sub-path, one browser, and a page that
// records everything it should not do.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, normalize, sep } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const require = createRequire(new URL('../../www/package.json', import.meta.url));
const { chromium } = require('playwright-core');

const project = fileURLToPath(new URL('../../', import.meta.url));
const DIST = process.env.ESPALIER_DIST ?? join(project, 'dist');
const BIN = process.env.ESPALIER_BIN ?? join(project, 'target', 'debug', 'espalier');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A static host's project page, so that every address in the build must be relative. */
const SUB_PATH = '/some/sub/path/';

/** The address of a training that does not end by itself. */
export const LONG =
  '#sample=xor&model=gradtree&depth=4&set.epochs=100000&set.patience=100000&set.restarts=32';

/** How long a step may take on a slow, busy machine. Nothing is asserted about time. */
export const PATIENCE = 60_000;

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.csv': 'text/csv',
  '.md': 'text/plain',
  '.webmanifest': 'application/manifest+json',
};

/** Serves the built page below the sub-path, with only the headers of a plain static host. */
export async function serveSite() {
  assert.ok(
    existsSync(join(DIST, 'index.html')),
    `no built page in ${DIST}: run \`cargo xtask build\` first`,
  );
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const inside = pathname.startsWith(SUB_PATH) ? pathname.slice(SUB_PATH.length) || 'index.html' : null;
    const file = inside === null ? '' : normalize(join(DIST, decodeURIComponent(inside)));
    try {
      if (!file.startsWith(normalize(DIST) + sep)) throw new Error('outside the page');
      const content = await readFile(file);
      response
        .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
        .end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { server, origin, address: origin + SUB_PATH };
}

/** One server, one browser and one temporary folder. */
async function start() {
  const { server, origin } = await serveSite();
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const folder = await mkdtemp(join(tmpdir(), 'espalier-e2e-'));
  return { server, origin, browser, folder };
}

/**
 * What a test file shares between its tests: `open()` returns a new page, `folder` is a temporary folder.
 * Both exist from the first test on and are removed after the last.
 */
export function site() {
  const shared = { folder: '' };
  // Awaited by a hook and by every `open`: hooks of a file may run at the same time.
  const started = start();

  before(async () => {
    shared.folder = (await started).folder;
  });

  after(async () => {
    const { server, browser, folder } = await started;
    await browser.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens the page at `hash`; `options` are those of a browser context. */
  shared.open = async ({ hash = '', ...options } = {}) => {
    const { browser, origin } = await started;
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      acceptDownloads: true,
      ...options,
    });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const record = { errors: [], requests: [], origin };
    page.on('console', (message) => {
      if (message.type() === 'error') record.errors.push(message.text());
    });
    page.on('pageerror', (error) => record.errors.push(String(error)));
    context.on('request', (request) => record.requests.push(request.url()));
    await page.addInitScript(() => {
      window.__states = [];
      window.__violations = [];
      addEventListener('securitypolicyviolation', (event) =>
        window.__violations.push(`${event.violatedDirective}: ${event.blockedURI}`),
      );
      new MutationObserver(() => {
        const { state } = document.documentElement.dataset;
        if (state !== undefined && state !== window.__states.at(-1)) window.__states.push(state);
      }).observe(document, {
        attributes: true,
        subtree: true,
        attributeFilter: ['data-state'],
        childList: true,
      });
    });
    await page.goto(`${origin}${SUB_PATH}${hash}`);
    return { page, record, close: () => context.close() };
  };
  return shared;
}

/** Waits until the page is in one of `states`. */
export async function waitForState(page, ...states) {
  await page.waitForFunction((wanted) => wanted.includes(document.documentElement.dataset.state), states, {
    timeout: PATIENCE,
  });
}

/** Waits until the training has ended. Fails with the page's own message if something went wrong. */
export async function waitForDone(page) {
  await waitForState(page, 'done', 'error');
  const state = await page.evaluate(() => document.documentElement.dataset.state);
  if (state === 'error') assert.fail(`the page says: ${await page.getByTestId('error').innerText()}`);
}

/** Every state the page has been in, in order. */
export function states(page) {
  return page.evaluate(() => window.__states);
}

/** Fails if the page logged an error, broke its own policy or contacted another host. */
export async function expectClean(page, record) {
  assert.deepEqual(record.errors, [], 'errors on the console');
  assert.deepEqual(
    await page.evaluate(() => window.__violations),
    [],
    'violations of the content security policy',
  );
  const elsewhere = record.requests.filter(
    (url) => !url.startsWith(record.origin) && !/^(blob|data):/.test(url),
  );
  assert.deepEqual(elsewhere, [], 'requests to other hosts');
}

/** Drops a file on the page as a user does: enter, over, drop, with a real DataTransfer. */
export async function dropFile(page, name, content, type = 'text/csv') {
  const transfer = await page.evaluateHandle(
    ([bytes, name, type]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      return transfer;
    },
    [[...Buffer.from(content)], name, type],
  );
  for (const kind of ['dragenter', 'dragover', 'drop']) {
    await page.getByTestId('drop-zone').dispatchEvent(kind, { dataTransfer: transfer });
  }
}

/** The text of the file that `action` makes the browser download. */
export async function downloadText(page, action) {
  const [download] = await Promise.all([page.waitForEvent('download'), action()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

/** The bytes of the file that `action` makes the browser download. */
export async function downloadBytes(page, action) {
  const [download] = await Promise.all([page.waitForEvent('download'), action()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Downloads a tree's JSON; `which` is `gradient` or `cart`. */
export async function downloadTree(page, which = 'gradient') {
  await page.getByTestId('export-tree').selectOption(which);
  return downloadText(page, () => page.getByTestId('download-json').click());
}

/** Runs the command line; resolves with its output, rejects if it fails. */
export async function espalier(...args) {
  assert.ok(existsSync(BIN), `no command line at ${BIN}: run \`cargo build\` first`);
  return promisify(execFile)(BIN, args, { maxBuffer: 64 * 2 ** 20 });
}

/** Writes a file below the temporary folder and gives its path. */
export async function put(folder, name, content) {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** The number in the progress bar, 0 to 1. */
export function progress(page) {
  return page.getByTestId('progress').evaluate((bar) => bar.value);
}

/** A file that comes with the page. */
export function sampleFile(name) {
  return readFile(join(project, 'www', 'public', 'samples', name), 'utf8');
}

/** The source of axe-core, run inside the page by the accessibility tests. */
export function axeSource() {
  return readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
}
