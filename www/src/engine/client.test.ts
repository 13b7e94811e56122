import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event, Request } from '../protocol';
import { ANSWER_MS, Client, LONG_SILENCE_MS, SILENCE_MS, WorkerLost, type WorkerLike } from './client';
import type { ToWorker } from '../messages';

class FakeWorker implements WorkerLike {
  sent: ToWorker[] = [];
  terminated = false;
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  postMessage(message: ToWorker) {
    this.sent.push(message);
  }
  terminate() {
    this.terminated = true;
  }
  say(event: Partial<Event> & { kind: string }, id = 0) {
    this.onmessage?.({ data: { id, event: { run: 1, ...event } } } as MessageEvent);
  }
  /** Answers the newest request. */
  answer(event: Partial<Event> & { kind: string }) {
    this.say(event, this.sent.at(-1)?.id);
  }
  crash(message: string) {
    this.onerror?.({ message } as ErrorEvent);
  }
}

function setUp() {
  const workers: FakeWorker[] = [];
  const onReply = vi.fn();
  const onLost = vi.fn();
  const client = new Client(
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    { onReply, onLost },
  );
  const worker = () => workers.at(-1) as FakeWorker;
  worker().say({ kind: 'ready' });
  return { client, workers, worker, onReply, onLost };
}

const load: Extract<Request, { kind: 'load' }> = {
  kind: 'load',
  run: 1,
  name: 'a.csv',
  options: { delimiter: '', encoding: '', header: null, skipBadRows: false, kinds: {}, missing: {} },
};
const train = { kind: 'train', run: 1, settings: {} } as Extract<Request, { kind: 'train' }>;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the client', () => {
  it('settles a request with its own answer, and tells what was asked', async () => {
    const { client, worker, onReply } = setUp();
    const first = client.request(load);
    const second = client.request({ kind: 'open', run: 2, tree: '{}' });
    const [a, b] = worker().sent.map(({ id }) => id);
    worker().say({ kind: 'opened', run: 2 }, b);
    worker().say({ kind: 'failed', run: 1 }, a);
    expect((await second).event.kind).toBe('opened');
    expect((await first).event.kind).toBe('failed');
    expect(onReply.mock.calls.map(([, asked]) => asked)).toEqual([null, 'open', 'load']);
  });

  it('rejects everything that waits when the worker dies, and starts another', async () => {
    const { client, workers, onLost } = setUp();
    const waiting = [client.request(load), client.request({ kind: 'open', run: 2, tree: '' })];
    const outcomes = Promise.allSettled(waiting);
    workers[0]?.crash('unreachable executed');
    for (const outcome of await outcomes) {
      expect(outcome.status).toBe('rejected');
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(WorkerLost);
    }
    expect(onLost).toHaveBeenCalledExactlyOnceWith('unreachable executed', true);
    expect(workers).toHaveLength(2);
    expect(workers[0]?.terminated).toBe(true);
  });

  it('hears no more of a worker it has given up', () => {
    const { workers, onReply } = setUp();
    workers[0]?.crash('x');
    onReply.mockClear();
    workers[0]?.say({ kind: 'progress' });
    expect(onReply).not.toHaveBeenCalled();
  });

  it('notices a message that cannot be read', () => {
    const { workers, onLost } = setUp();
    workers[0]?.onmessageerror?.({} as MessageEvent);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('asks a silent worker whether it lives and gives it up without an answer', () => {
    const { client, worker, workers, onLost } = setUp();
    void client.request(train);
    worker().answer({ kind: 'started' });
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(worker().sent.at(-1)?.request.kind).toBe('train');
    vi.advanceTimersByTime(1);
    expect(worker().sent.at(-1)?.request.kind).toBe('ping');
    vi.advanceTimersByTime(ANSWER_MS);
    expect(onLost).toHaveBeenCalledOnce();
    expect(workers).toHaveLength(2);
  });

  it('is content with a pong, and with progress', () => {
    const { client, worker, onLost } = setUp();
    void client.request(train);
    worker().answer({ kind: 'started' });
    vi.advanceTimersByTime(SILENCE_MS + 1);
    worker().answer({ kind: 'pong' });
    vi.advanceTimersByTime(SILENCE_MS + 1);
    worker().answer({ kind: 'pong' });
    for (let frame = 0; frame < 100; frame++) {
      vi.advanceTimersByTime(1000);
      worker().say({ kind: 'progress' });
    }
    expect(onLost).not.toHaveBeenCalled();
  });

  it('leaves an idle or paused worker in peace', () => {
    const { client, worker, onLost } = setUp();
    void client.request(train);
    worker().answer({ kind: 'started' });
    worker().say({ kind: 'paused' });
    vi.advanceTimersByTime(10 * LONG_SILENCE_MS);
    client.steer({ kind: 'resume', run: 1 });
    worker().say({ kind: 'trained' });
    vi.advanceTimersByTime(10 * LONG_SILENCE_MS);
    expect(onLost).not.toHaveBeenCalled();
    expect(worker().sent.map(({ request }) => request.kind)).toEqual(['train', 'resume']);
  });

  it('watches again after a resume', () => {
    const { client, worker, onLost } = setUp();
    void client.request(train);
    worker().answer({ kind: 'started' });
    worker().say({ kind: 'paused' });
    client.steer({ kind: 'resume', run: 1 });
    vi.advanceTimersByTime(SILENCE_MS + ANSWER_MS);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('gives a long reading time, but not for ever', async () => {
    const { client, onLost } = setUp();
    const outcome = Promise.allSettled([client.request(load)]);
    vi.advanceTimersByTime(LONG_SILENCE_MS - 1);
    expect(onLost).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onLost).toHaveBeenCalledOnce();
    expect((await outcome)[0]?.status).toBe('rejected');
  });

  it('does not start workers for ever when none comes up', async () => {
    const { client, workers, onLost } = setUp();
    for (let death = 0; death < 3; death++) workers.at(-1)?.crash('no wasm');
    expect(onLost.mock.calls.map(([, restarting]) => restarting)).toEqual([true, true, false]);
    expect(workers).toHaveLength(3);
    await expect(client.request(load)).rejects.toBeInstanceOf(WorkerLost);
  });

  it('forgets earlier deaths once a worker has come up', () => {
    const { workers, onLost } = setUp();
    for (let death = 0; death < 10; death++) {
      workers.at(-1)?.crash('trap');
      workers.at(-1)?.say({ kind: 'ready' });
    }
    expect(onLost.mock.calls.every(([, restarting]) => restarting)).toBe(true);
  });
});

describe('patience', () => {
  it('is as long as a training took to begin', () => {
    const { client, worker, onLost } = setUp();
    void client.request(train).catch(() => {});
    vi.advanceTimersByTime(30_000);
    worker().answer({ kind: 'started' });
    vi.advanceTimersByTime(SILENCE_MS + ANSWER_MS + 1000);
    expect(onLost).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('is long while a training ends', () => {
    const { client, worker, onLost } = setUp();
    void client.request(train).catch(() => {});
    worker().answer({ kind: 'started' });
    client.steer({ kind: 'stop', run: 1 });
    // The last points of the curve come first.
    worker().say({ kind: 'progress' });
    vi.advanceTimersByTime(LONG_SILENCE_MS - 1000);
    expect(onLost).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('is short with a helper that does not begin its unit, but not shorter than it took to be ready', async () => {
    const { client, worker, onLost } = setUp();
    void client.request({ kind: 'help', run: 1, settings: train.settings }).catch(() => {});
    vi.advanceTimersByTime(20_000);
    worker().answer({ kind: 'helping' });
    const unit = client.request({ kind: 'unit', run: 1, index: 3 });
    vi.advanceTimersByTime(39_000);
    expect(onLost).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2000);
    expect(onLost).toHaveBeenCalledOnce();
    await expect(unit).rejects.toThrow(WorkerLost);
  });

  it('leaves an explanation all the time it takes', () => {
    const { client, workers, onLost } = setUp();
    void client.request({ kind: 'why', run: 1, settings: train.settings, tree: '{}' }).catch(() => {});
    vi.advanceTimersByTime(10 * LONG_SILENCE_MS);
    expect(onLost).not.toHaveBeenCalled();
    client.close();
    expect(workers.at(-1)?.terminated).toBe(true);
  });
});
