import { describe, expect, it, vi } from 'vitest';
import type { Event } from '../protocol';
import type { Asking, WorkerLike } from './client';
import type { ToWorker } from '../messages';
import { Engines } from './engines';
import { POOL_AFTER_MS } from './pool';

/** Answers every request by its kind, or dies. */
class FakeWorker implements WorkerLike {
  seen: string[] = [];
  terminated = false;
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  constructor(readonly well: boolean) {
    const learners = ['gradtree', 'get', 'get-linear'].map((key) => ({ key, larger: key !== 'gradtree' }));
    queueMicrotask(() => this.say(0, { kind: 'ready', run: 0, learners } as Event));
  }
  postMessage({ id, request }: ToWorker) {
    this.seen.push(request.kind);
    const kinds = {
      load: 'loaded',
      train: 'started',
      open: 'opened',
      trace: 'traced',
      help: 'helping',
      lend: 'lent',
    };
    const kind = kinds[request.kind as keyof typeof kinds];
    if (kind === undefined) return;
    queueMicrotask(() => {
      if (this.well) this.say(id, { kind, run: request.run, lendable: 3, index: null } as unknown as Event);
      else this.onerror?.({ message: 'no such file' } as ErrorEvent);
    });
  }
  say(id: number, event: Event) {
    this.onmessage?.({ data: { id, event } } as MessageEvent);
  }
  terminate() {
    this.terminated = true;
  }
}

function setUp(well = true, cores = 1) {
  const small: FakeWorker[] = [];
  const large: FakeWorker[] = [];
  const add = (list: FakeWorker[], healthy: boolean) => () => {
    const worker = new FakeWorker(healthy);
    list.push(worker);
    return worker;
  };
  const listener = { onReply: vi.fn(), onLost: vi.fn(), onWorkers: vi.fn() };
  const helpers: FakeWorker[] = [];
  const spawn = {
    small: add(small, true),
    large: add(large, well),
    helper: add(helpers, true),
    cores: () => cores,
  };
  const engines = new Engines(spawn, listener);
  const heard = () => listener.onReply.mock.calls.map(([reply]) => (reply as { event: Event }).event.kind);
  return { engines, small, large, helpers, listener, heard };
}

const load = { kind: 'load', run: 1, name: 'a.csv', options: {} } as Asking;
const train = (model: string) => ({ kind: 'train', run: 2, settings: { model } }) as Asking;
const open = { kind: 'open', run: 3, tree: '{}' } as Asking;

describe('the engines', () => {
  it('train what the first one can with it alone', async () => {
    const { engines, small, large } = setUp();
    await engines.request(load, new Blob(['a']));
    expect((await engines.request(train('gradtree'))).event.kind).toBe('started');
    expect(small[0]?.seen).toEqual(['load', 'train']);
    expect(large).toHaveLength(0);
  });

  it('read trees beside the first one, which goes on, and fetch the larger one once', async () => {
    const { engines, small, large, heard } = setUp();
    await engines.request(load, new Blob(['a']));
    expect((await engines.request(open)).event.kind).toBe('opened');
    await engines.request({ kind: 'trace', run: 3, tree: '{}' } as Asking, new Uint8Array(1));
    expect(large.map(({ seen }) => seen)).toEqual([['open', 'trace']]);
    expect(small[0]).toMatchObject({ seen: ['load'], terminated: false });
    expect(heard()).toEqual(['ready', 'loaded', 'opened', 'traced']);
  });

  it('let the larger one take over with the same file for a learner that only it has', async () => {
    const { engines, small, large, heard } = setUp();
    await engines.request(load, new Blob(['a']));
    expect((await engines.request(train('get'))).event.kind).toBe('started');
    expect(small[0]?.terminated).toBe(true);
    expect(large.map(({ seen }) => seen)).toEqual([['load', 'train']]);
    expect(heard()).toEqual(['ready', 'loaded', 'started']);
    await engines.request(open);
    await engines.request(train('gradtree'));
    expect(large.map(({ seen }) => seen)).toEqual([['load', 'train', 'open', 'train']]);
  });

  it('let others help with a training that takes its time, and hold them too, however early that is said', async () => {
    vi.useFakeTimers();
    const { engines, small, helpers, listener } = setUp(true, 3);
    await engines.request(load, new Blob(['a']));
    const begun = engines.request(train('gradtree'));
    engines.steer({ kind: 'pause', run: 2 });
    await begun;
    expect(helpers).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(POOL_AFTER_MS);
    expect(helpers.map(({ seen }) => seen)).toEqual([['load', 'help']]);
    expect(listener.onWorkers.mock.calls).toEqual([[2, 2]]);
    expect(small[0]?.seen).not.toContain('lend');
    engines.steer({ kind: 'resume', run: 2 });
    await vi.advanceTimersByTimeAsync(1);
    expect(small[0]?.seen).toContain('lend');
    expect(helpers[0]?.terminated, 'there was nothing to lend').toBe(true);
    vi.useRealTimers();
  });

  it('do not call for help when a training ends soon', async () => {
    vi.useFakeTimers();
    const { engines, small, helpers } = setUp(true, 3);
    await engines.request(load, new Blob(['a']));
    await engines.request(train('gradtree'));
    small[0]?.say(0, { kind: 'trained', run: 2 } as Event);
    await vi.advanceTimersByTimeAsync(10 * POOL_AFTER_MS);
    expect(helpers).toHaveLength(0);
    vi.useRealTimers();
  });

  it('hear a stop while the larger one is on its way', async () => {
    const { engines, small, large, listener } = setUp();
    await engines.request(load, new Blob(['a']));
    const asked = engines.request(train('get'));
    engines.steer({ kind: 'stop', run: 2 });
    expect((await asked).event).toMatchObject({ kind: 'failed', run: 2, error: { code: 'cancelled' } });
    expect(large[0]?.terminated).toBe(true);
    expect(small[0]).toMatchObject({ seen: ['load'], terminated: false });
    expect(listener.onLost).not.toHaveBeenCalled();
    expect((await engines.request(train('get'))).event.kind).toBe('started');
  });

  it('say so when the larger one cannot be had, and keep the first', async () => {
    const { engines, small, large, listener } = setUp(false);
    await engines.request(load, new Blob(['a']));
    for (const request of [open, train('get-linear')]) {
      const { event } = await engines.request(request);
      expect(event).toMatchObject({
        kind: 'failed',
        run: request.run,
        error: { message: expect.stringContaining('no such file') as string },
      });
    }
    expect(listener.onLost).not.toHaveBeenCalled();
    expect(large.every(({ terminated }) => terminated)).toBe(true);
    expect((await engines.request(train('cart'))).event.kind).toBe('started');
    expect(small[0]?.terminated).toBe(false);
  });
});
