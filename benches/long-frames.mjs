// Who a long task was: many trainings, each in a fresh page of Chromium, and for every task over 50 ms when it was and what ran in it.
//
//   cargo xtask build && node benches/long-frames.mjs FILE.csv [SECONDS] [TRAININGS] [--trace] [--slow=TIMES]
//
// Without a trace the browser's own observers tell (`longtask`, `long-animation-frame`), which costs next to nothing. With `--trace` the tasks
// that took the most processor time are listed instead, with what they spent it on; a trace is work for the same cores, so wall times are
// then longer than a reader's. `--slow=3` has the browser run the page's own thread three times slower, which shows how much room is left. ESPALIER_DIST names another build, to compare two in turn.

import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { serveSite } from '../tests/e2e/support.mjs';

const require = createRequire(new URL('../www/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const [path, seconds = '5', trainings = '12'] = process.argv.slice(2).filter((text) => !text.startsWith('--'));
const traced = process.argv.includes('--trace');
const slow = Number(process.argv.find((text) => text.startsWith('--slow='))?.slice(7) ?? 1);
if (!path) throw new Error('usage: node benches/long-frames.mjs FILE.csv [SECONDS] [TRAININGS] [--trace] [--slow=TIMES]');

/** The table is built bit by bit, and the cards of the closer look after the end: so long is waited for each. */
const SETTLE_MS = 1500;
/** Tasks with the most processor time that are listed of each training. */
const LISTED = 6;

/** From now on the page notes its frames and long tasks. Runs in it, right before the click. */
function watch() {
  const noted = (window.__noted = { frames: [], long: [], animation: [], states: [], messages: [] });
  const root = document.documentElement;
  new MutationObserver(() => noted.states.push([performance.now(), root.dataset.state])).observe(root, { attributeFilter: ['data-state'] });
  new PerformanceObserver((list) => noted.long.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration })))).observe({ type: 'longtask' });
  new PerformanceObserver((list) => noted.animation.push(...list.getEntries().map((entry) => entry.toJSON()))).observe({ type: 'long-animation-frame' });
  let last = performance.now();
  requestAnimationFrame(function frame(now) {
    noted.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  });
}

const round = Math.round;

/** What a long animation frame did, in milliseconds from its own start. */
function told(frame) {
  const scripts = frame.scripts.map(
    ({ invoker, sourceFunctionName, duration, forcedStyleAndLayoutDuration }) =>
      `${invoker}${sourceFunctionName ? ` ${sourceFunctionName}` : ''} ${round(duration)}${forcedStyleAndLayoutDuration > 1 ? ` (layout asked for: ${round(forcedStyleAndLayoutDuration)})` : ''}`,
  );
  const end = frame.startTime + frame.duration;
  const drawn = frame.renderStart > 0 ? `; drawing ${round(end - frame.renderStart)}, of it style, layout and paint ${round(end - (frame.styleAndLayoutStart || end))}` : '';
  return `frame of ${round(frame.duration)}: ${scripts.join(', ') || 'no script over 5 ms'}${drawn}`;
}

/** The tasks of a page's main thread that took the most processor time, with what they spent it on. */
function biggest({ traceEvents }, click) {
  const mains = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}:${tid}`));
  const events = traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid}:${tid}`));
  const began = traceEvents.find(({ name }) => name === click)?.ts ?? 0;
  const ended = traceEvents.find(({ name }) => name === `${click}-done`)?.ts ?? Infinity;
  const tasks = events.filter(({ name, ts }) => /RunTask|ThreadControllerImpl/.test(name) && ts >= began).toSorted((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0));
  const outer = [];
  for (const task of tasks) {
    // Enough for the most of either part of the training; the others are too small to matter.
    if (outer.length === 40) break;
    if (!outer.some((one) => one.pid === task.pid && task.ts >= one.ts && task.ts < one.ts + one.dur)) outer.push(task);
  }
  return outer.map((task) => {
    const inside = events.filter((one) => one !== task && one.pid === task.pid && one.tid === task.tid && one.ts >= task.ts && one.ts + one.dur <= task.ts + task.dur);
    const spent = new Map();
    for (const one of inside) {
      if (!/^(FunctionCall|FireAnimationFrame|TimerFire|HandlePostMessage|RunMicrotasks|UpdateLayoutTree|Layout|PrePaint|Paint|Layerize|Commit|MinorGC|MajorGC|V8\.GC|EventDispatch|HitTest|IntersectionObserver|ParseHTML|EvaluateScript|UpdateLayerTree)/.test(one.name)) continue;
      const { ms, count } = spent.get(one.name) ?? { ms: 0, count: 0 };
      spent.set(one.name, { ms: ms + (one.tdur ?? one.dur) / 1000, count: count + 1 });
    }
    const parts = [...spent].filter(([, { ms }]) => ms >= 0.7).toSorted(([, a], [, b]) => b.ms - a.ms).map(([name, { ms, count }]) => `${name} ${ms.toFixed(1)}${count > 1 ? `/${count}` : ''}`);
    const elements = inside.filter(({ name }) => name === 'UpdateLayoutTree').reduce((sum, { args }) => sum + (args.elementCount ?? 0), 0);
    return { cpu: (task.tdur ?? 0) / 1000, wall: task.dur / 1000, at: (task.ts - began) / 1000, after: task.ts > ended, parts, elements };
  });
}

const { server, address } = await serveSite();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const sum = { while: [], after: [], cpuWhile: [], cpuAfter: [], frames: [] };
try {
  for (let training = 1; training <= Number(trainings); training += 1) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const state = (wanted) => page.waitForFunction((wanted) => document.documentElement.dataset.state === wanted, wanted, { timeout: 120_000 });
    await page.goto(`${address}#sample=own&budget=${seconds}`);
    await state('ready');
    await page.getByTestId('file-input').setInputFiles(path);
    await state('loaded');
    await page.waitForTimeout(SETTLE_MS);
    if (slow > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slow });
    if (traced) await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'blink.user_timing', 'v8'] });
    await page.evaluate(watch);
    await page.evaluate(() => {
      document.querySelector('[data-testid=train]').addEventListener('click', () => performance.mark('espalier-click'), { once: true, capture: true });
      new MutationObserver(() => document.documentElement.dataset.state === 'done' && performance.mark('espalier-click-done')).observe(document.documentElement, { attributeFilter: ['data-state'] });
    });
    await page.getByTestId('train').click();
    await state('done');
    await page.waitForTimeout(SETTLE_MS);
    const noted = await page.evaluate(() => ({ ...window.__noted, click: performance.getEntriesByName('espalier-click')[0].startTime }));
    const end = noted.states.find(([, name]) => name === 'done')[0];
    sum.frames.push(...noted.frames);
    console.log(`training ${training}, load ${loadavg()[0].toFixed(1)}, ${noted.frames.length} frames, ended after ${round(end - noted.click)} ms`);
    for (const { startTime, duration } of noted.long) {
      const after = startTime > end;
      sum[after ? 'after' : 'while'].push(duration);
      const frame = noted.animation.find((one) => startTime >= one.startTime - 1 && startTime < one.startTime + one.duration);
      console.log(`  ${round(duration)} ms, ${after ? `${round(startTime - end)} ms after the end` : `${round(startTime - noted.click)} ms after the click`}: ${frame ? told(frame) : 'no frame'}`);
    }
    if (traced) {
      const tasks = biggest(JSON.parse(await browser.stopTracing()), 'espalier-click');
      for (const [after, key] of [[false, 'cpuWhile'], [true, 'cpuAfter']]) sum[key].push(Math.max(0, ...tasks.filter((task) => task.after === after).map(({ cpu }) => cpu)));
      for (const { cpu, wall, at, after, parts, elements } of tasks.slice(0, LISTED)) {
        console.log(`  ${cpu.toFixed(1)} ms of processor time (${round(wall)} in all), ${round(at)} ms after the click${after ? ', after the end' : ''}: ${parts.join(', ')}; style of ${elements}`);
      }
    }
    await page.close();
  }
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
const list = (values) => (values.length === 0 ? 'none' : `${values.length}: ${values.map(round).toSorted((a, b) => a - b).join(', ')} ms`);
const frames = sum.frames.toSorted((a, b) => a - b);
const at = (share) => frames[Math.floor(share * (frames.length - 1))].toFixed(1);
console.log(`\n${trainings} trainings of ${seconds} s. Tasks over 50 ms while training ${list(sum.while)}; after the end ${list(sum.after)}.`);
console.log(`Frames: median ${at(0.5)} ms, 95 % ${at(0.95)}, 99 % ${at(0.99)}, longest ${at(1)}.`);
if (traced) console.log(`Most processor time of a task while training ${list(sum.cpuWhile)}; after the end ${list(sum.cpuAfter)}.`);
