import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../protocol';
import type { WorkerLike } from './client';
import type { Reply, ToWorker } from '../messages';
import { Pool, workersFor, type Shared } from './pool';

/** A helper that answers at once and ends its unit when the test says so. */
class FakeWorker implements WorkerLike {
  seen: string[] = [];
  unit: number | null = null;
  terminated = false;
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  postMessage({ id, request }: ToWorker) {
    this.seen.push(request.kind);
    if (request.kind === 'unit') this.unit = request.index;
    const kind = { load: 'loaded', help: 'helping', unit: 'helping' }[request.kind as string];
    if (kind) queueMicrotask(() => this.say(id, { kind, run: request.run, units: 5 } as Event));
  }
  say(id: number, event: Event, bytes?: Uint8Array) {
    if (!this.terminated)
      this.onmessage?.({ data: bytes ? { id, event, bytes } : { id, event } } as MessageEvent);
  }
  /** Its unit has ended. */
  end() {
    const index = this.unit as number;
    this.unit = null;
    this.say(0, { kind: 'unit', run: 2, index }, new Uint8Array([index]));
  }
  crash() {
    this.onerror?.({ message: 'out of memory' } as ErrorEvent);
  }
  terminate() {
    this.terminated = true;
  }
}

/** A leader with units 1 to `units` to lend. */
function setUp(units: number, helpers: number) {
  const workers: FakeWorker[] = [];
  const free = Array.from({ length: units }, (_, at) => at + 1);
  const taken: [number, number[]][] = [];
  const counts: number[] = [];
  const onUnit = vi.fn();
  const pool = new Pool(
    { run: 2, settings: {}, load: { kind: 'load', run: 1 }, file: new Blob(['a']) } as unknown as Shared,
    {
      spawn: () => {
        const worker = new FakeWorker();
        workers.push(worker);
        return worker;
      },
      lead: async (request, bytes): Promise<Reply> => {
        if (request.kind === 'lend') return { event: { kind: 'lent', run: 2, index: free.shift() ?? null } };
        if (request.kind !== 'take') throw new Error(request.kind);
        taken.push([request.index, [...(bytes ?? [])]]);
        if (!bytes) free.push(request.index);
        return { event: { kind: 'taken', run: 2 } };
      },
      onUnit,
      onWorkers: (count) => counts.push(count),
    },
  );
  pool.start(helpers);
  return { pool, workers, free, taken, counts, onUnit };
}

const settle = () => vi.advanceTimersByTimeAsync(1);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the number of workers', () => {
  it.each([
    [8, 9, 1000, 4],
    [4, 9, 1000, 3],
    [2, 9, 1000, 1],
    [1, 9, 1000, 1],
    [8, 2, 1000, 2],
    [8, 1, 1000, 1],
    [8, 9, 100 * 2 ** 20, 2],
    [8, 9, 1000 * 2 ** 20, 1],
    [8, 9, 0, 4],
  ])('%s cores, %s units, %s bytes: %s', (cores, units, bytes, workers) =>
    expect(workersFor(cores, units, bytes)).toBe(workers),
  );
});

describe('the pool', () => {
  it('runs what the leader lends, brings it back, and ends with the last unit', async () => {
    const { workers, taken, counts, onUnit } = setUp(3, 2);
    await settle();
    expect(workers.map(({ unit }) => unit)).toEqual([1, 2]);
    expect(counts.at(-1)).toBe(3);
    workers[1]?.end();
    await settle();
    expect(workers.map(({ unit }) => unit)).toEqual([1, 3]);
    workers[0]?.end();
    workers[1]?.end();
    await settle();
    expect(taken.map(([index, bytes]) => [index, ...bytes]).sort()).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(onUnit).toHaveBeenCalledTimes(3);
    expect(workers.every(({ terminated }) => terminated)).toBe(true);
    expect(counts.at(-1), 'who has helped is still counted').toBe(3);
  });

  it('gives a unit back when its worker dies, and another runs it', async () => {
    const { workers, taken, counts } = setUp(2, 2);
    await settle();
    workers[0]?.crash();
    await settle();
    expect(taken).toEqual([[1, []]]);
    expect(counts.at(-1)).toBe(2);
    expect(workers).toHaveLength(2);
    workers[1]?.end();
    await settle();
    expect(workers[1]?.unit).toBe(1);
  });

  it('holds everybody, also whoever is about to begin', async () => {
    const { pool, workers, free } = setUp(4, 2);
    await settle();
    pool.hold(true);
    pool.hold(true);
    expect(workers.map(({ seen }) => seen.at(-1))).toEqual(['pause', 'pause']);
    workers[0]?.end();
    await settle();
    expect([workers[0]?.unit, free]).toEqual([null, [3, 4]]);
    pool.hold(false);
    await settle();
    expect([workers[0]?.unit, workers[1]?.seen.at(-1)]).toEqual([3, 'resume']);
  });

  it('is silent once it is closed', async () => {
    const { pool, workers, taken, counts } = setUp(4, 2);
    await settle();
    const before = counts.length;
    pool.close();
    workers.forEach((worker) => worker.crash());
    await settle();
    expect(workers.every(({ terminated }) => terminated)).toBe(true);
    expect([taken, counts.length]).toEqual([[], before]);
  });
});
