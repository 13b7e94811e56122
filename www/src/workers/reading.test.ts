import { describe, expect, it } from 'vitest';
import type { FromWorker, Reply } from '../messages';
import type { Event } from '../protocol';
import type { Engine } from './engine';
import { PIECE_BYTES } from './pieces';
import { FileReading, type LoadRequest } from './reading';

const options: LoadRequest['options'] = {
  delimiter: '',
  encoding: '',
  header: null,
  skipBadRows: false,
  kinds: {},
  missing: {},
};
const request: LoadRequest = { kind: 'load', run: 3, name: 'a.csv', options };

/** Has `total` rows to read, a hundredth of a millisecond each on the test's clock. */
function setUp(total: number, blob = new Blob(['x,y\n'])) {
  const clock = { now: 0 };
  const posted: FromWorker[] = [];
  const calls = { fed: 0, dropped: 0, slices: [] as number[], identified: [] as string[] };
  let left = total;
  const at = (): Reply => ({
    event: { kind: 'reading', run: 3, share: 1 - left / total, rows: total - left },
  });
  const engine: Partial<Engine> = {
    reserve: () => true,
    feed: (piece) => void (calls.fed += piece.length),
    beginLoad: at,
    readOn: (rows) => {
      calls.slices.push(rows);
      clock.now += Math.min(rows, left) / 100;
      left -= Math.min(rows, left);
      return left > 0 ? at() : { event: { kind: 'loaded', run: 3 } as Event };
    },
    identify: (sha256) => void calls.identified.push(sha256),
    dropLoad: () => void calls.dropped++,
  };
  const around = {
    now: () => clock.now,
    later: (task: () => void) => void queueMicrotask(task),
    post: (message: FromWorker) => void posted.push(message),
    hash: () => Promise.resolve('ab12'),
  };
  return { reading: new FileReading(engine as Engine, around, request, blob), engine, around, posted, calls };
}

describe('reading a file', () => {
  it('goes in slices of a bearable length and says how far it is', async () => {
    const { reading, posted, calls } = setUp(1_000_000);
    expect((await reading.read()).event).toMatchObject({ kind: 'loaded', run: 3 });
    // A thousand rows take ten milliseconds here, so slices settle near 1,200 rows.
    expect(Math.max(...calls.slices)).toBeLessThanOrEqual(1300);
    const shares = posted.map(({ id, event }) => (id === 0 && event.kind === 'reading' ? event.share : NaN));
    expect(shares.length).toBeGreaterThan(50);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(posted.at(-1)?.event).toMatchObject({ rows: expect.any(Number) as number });
  });

  it('brings the bytes in piece by piece', async () => {
    const size = 2 * PIECE_BYTES + 5;
    const { reading, calls } = setUp(10, new Blob([new Uint8Array(size)]));
    await reading.read();
    expect(calls.fed).toBe(size);
  });

  it('names the file by its hash once it is there', async () => {
    const { reading, calls } = setUp(10);
    await reading.read();
    await reading.identified;
    expect(calls.identified).toEqual(['ab12']);
    const without = setUp(10);
    without.around.hash = () => Promise.resolve('');
    expect((await without.reading.read()).event.kind).toBe('loaded');
    await without.reading.identified;
    expect(without.calls.identified).toEqual([]);
    const forgotten = setUp(10);
    let tell = (_sha256: string) => {};
    forgotten.around.hash = () => new Promise((resolve) => (tell = resolve));
    await forgotten.reading.read();
    forgotten.reading.forget();
    tell('ab12');
    await forgotten.reading.identified;
    expect(forgotten.calls.identified).toEqual([]);
  });

  it('hashes no file that cannot be read', async () => {
    const { reading, engine, calls } = setUp(10);
    engine.reserve = () => false;
    expect((await reading.read()).event.kind).toBe('failed');
    await reading.identified;
    expect(calls.identified).toEqual([]);
  });

  it('ends as soon as it is called off, and the engine forgets the file at once', async () => {
    const { reading, around, calls } = setUp(1_000_000);
    let slices = 0;
    around.later = (task) => {
      if (++slices === 5) reading.cancel();
      queueMicrotask(task);
    };
    expect((await reading.read()).event).toMatchObject({ kind: 'failed', error: { code: 'cancelled' } });
    expect(calls).toMatchObject({ dropped: 1 });
    expect(calls.slices).toHaveLength(4);
  });

  it('says when there is no room and when the file is gone', async () => {
    const full = setUp(10);
    full.engine.reserve = () => false;
    expect((await full.reading.read()).event).toMatchObject({ kind: 'failed', error: { code: 'too_large' } });
    const gone = new Blob(['x']);
    gone.stream = () => new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    expect((await setUp(10, gone).reading.read()).event).toMatchObject({
      kind: 'failed',
      error: { code: 'unreadable' },
    });
  });

  it('lets an exception of the engine through', async () => {
    const { reading, engine } = setUp(10);
    engine.readOn = () => {
      throw new Error('unreachable');
    };
    await expect(reading.read()).rejects.toThrow('unreachable');
  });
});
