/** Builds store, worker and views, and wires them. The first engine was started by `early.ts`. */
import { mount } from 'svelte';
import '../styles/tokens.css';
import '../styles/base.css';
import App from './App.svelte';
import { makeReady } from './ahead';
import { AwakeClock } from './awake';
import { Controller } from './controller';
import { download, toPng } from './download';
import { takeOver } from './early';
import { INITIAL_STATE, type Action, type State } from '../state/model';
import { reduce } from '../state/reducer';
import { pageState } from '../state/selectors';
import { createStore } from '../state/store';
import { Announcer } from '../views/announcer.svelte';
import { drawSample } from '../engine/draw-sample';
import { Engines } from '../engine/engines';
import { predictFile } from '../engine/predict-file';
import { spawnWith } from '../engine/spawn';

const spawn = spawnWith(takeOver);
const store = createStore<State, Action>(reduce, INITIAL_STATE);
const announcer = new Announcer();
const clock = new AwakeClock({
  now: () => performance.now(),
  every: (ms, beat) => {
    const timer = setInterval(beat, ms);
    return () => clearInterval(timer);
  },
});

const controller = new Controller(store, {
  hash: () => location.hash,
  // `replaceState` makes no entry in the history: every keystroke in a field would be one.
  // The browser takes some milliseconds for it, which a click on Train need not wait for: mostly the address says it already.
  setHash: (hash) => {
    if (location.hash !== `#${hash}`) history.replaceState(history.state, '', `#${hash}`);
  },
  fetchSample: async (file) => {
    const answer = await fetch(new URL(`samples/${file}`, document.baseURI));
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.blob();
  },
  download,
  now: () => clock.now(),
  deviceMemory: () => (navigator as { deviceMemory?: number }).deviceMemory,
  sampleRows: drawSample,
  toPng,
  predictFile,
  exportTree: async (tree, format) => (await import('../engine/exporter')).exported(tree, format),
  // Six digits: enough seeds, and short enough to tell someone.
  randomSeed: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 1_000_000,
  announce: (text) => announcer.say(text),
  openAside: async ({ name, blob }, options) => {
    const { Aside } = await import('../engine/aside');
    const aside = new Aside(spawn.large);
    await aside.load(name, options, blob);
    return aside;
  },
});

// Tests and style sheets read the state here; it changes before anything is drawn.
store.subscribe((state) => {
  document.documentElement.dataset['state'] = pageState(state);
  clock.watch(state.phase === 'training');
  if (state.phase === 'loaded') makeReady(() => store.get().phase === 'loaded');
});

const app = document.getElementById('app');
if (!app) throw new Error('index.html has no #app');
mount(App, { target: app, props: { store, controller, announcer } });

controller.client = new Engines(spawn, controller.asListener());
// Kept for times without a connection; a page served by the development server changes too often for that.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener(
    'load',
    () => void navigator.serviceWorker.register('./service-worker.js').catch(() => {}),
  );
}
addEventListener('hashchange', () => void controller.openAddress());
