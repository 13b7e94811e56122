import { beforeEach, describe, expect, it } from 'vitest';
import { QuickWorker, csv, failure, readyPage } from '../fixtures/page';

let page: ReturnType<typeof readyPage>;

beforeEach(() => {
  page = readyPage();
});

describe('files', () => {
  it('are read, and their name and columns stay out of the address', async () => {
    await page.controller.file.chooseFile(csv('secret,outcome\n1,2\n', 'patients.csv'));
    expect(page.store.get()).toMatchObject({ phase: 'loaded', settings: { target: 'outcome' } });
    for (const [hash] of page.browser.setHash.mock.calls) expect(hash).not.toMatch(/secret|outcome|patients/);
  });

  it("that are empty give the engine's own words", async () => {
    await page.controller.file.chooseFile(csv(''));
    expect(page.store.get().error).toMatchObject({ place: 'data', message: 'The file is empty.' });
  });

  it('that cannot be read any more are named', async () => {
    QuickWorker.slow = true;
    const reading = page.controller.file.chooseFile(csv('a,b\n'));
    await page.settled();
    page.workers[0]?.say({ kind: 'failed', run: 1, error: failure('unreadable', '') }, 1);
    await reading;
    expect(page.store.get().error?.message).toContain('own.csv');
    expect(page.store.get().phase).toBe('ready');
  });

  it('are refused in twos and when they are none', async () => {
    await page.controller.file.drop([csv('a'), csv('b')]);
    expect(page.store.get().error?.place).toBe('data');
    await page.controller.file.drop([]);
    expect(page.store.get().error?.place).toBe('data');
    expect(page.workers[0]?.seen).toEqual([]);
  });

  it('that arrive during a training wait for its tree', async () => {
    await page.controller.file.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.training.train();
    expect(page.store.get().phase).toBe('training');
    await page.controller.file.chooseFile(csv('', 'empty.csv'));
    expect(page.workers[0]?.seen.map(({ kind }) => kind)).toEqual([
      'load',
      'train',
      'stop',
      'rows',
      'frames',
      'load',
    ]);
    expect(page.store.get()).toMatchObject({ phase: 'done', error: { message: 'The file is empty.' } });
    expect(page.store.get().gradient?.model).toBe('gradtree');
  });

  it("are read again with a column's kind set by hand", async () => {
    await page.controller.file.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.file.setKind('a', 'category');
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({
      kind: 'load',
      options: { kinds: { a: 'category' } },
    });
    await page.controller.file.setKind('a', null);
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { kinds: {} } });
  });

  it('are read again with spellings of missing set by hand', async () => {
    await page.controller.file.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.file.setMissing('a', ['none', '-']);
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { missing: { a: ['none', '-'] } } });
    await page.controller.file.setMissing('a', null);
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { missing: {} } });
  });

  it('cut at another character keep nothing that was said about their columns', async () => {
    await page.controller.file.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.file.setKind('a', 'category');
    await page.controller.file.setWriting({ delimiter: ';' });
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { delimiter: ';', kinds: {} } });
    await page.controller.file.setKind('a', 'category');
    await page.controller.file.setWriting({ skipBadRows: true });
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({
      options: { delimiter: ';', kinds: { a: 'category' }, skipBadRows: true },
    });
    await page.controller.file.chooseFile(csv('c,d\n1,2\n'));
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({
      options: { delimiter: '', kinds: {}, skipBadRows: false },
    });
  });

  it('that are called off leave the present one in place', async () => {
    await page.controller.file.chooseFile(csv('a,b\n1,2\n', 'first.csv'));
    QuickWorker.slow = true;
    const reading = page.controller.file.chooseFile(csv('c,d\n1,2\n', 'second.csv'));
    await page.settled();
    expect(page.store.get()).toMatchObject({ phase: 'reading', source: { name: 'first.csv' } });
    page.controller.file.cancelReading();
    await reading;
    expect(page.store.get()).toMatchObject({
      phase: 'loaded',
      source: { name: 'first.csv' },
      reading: null,
      error: null,
    });
  });

  it('pasted empty are refused', async () => {
    await page.controller.file.choosePasted('  \n');
    expect(page.store.get().error?.place).toBe('data');
  });
});

describe('files larger than the tab can hold', () => {
  // Half of it, and a quarter of that: 1,342 bytes.
  const tiny = () => page.browser.deviceMemory.mockReturnValue(1e-5);
  const large = () => csv(`x,y\n${'12345,67890\n'.repeat(1000)}`, 'large.csv');

  it('are not read but offered as a sample', async () => {
    tiny();
    await page.controller.file.chooseFile(large());
    expect(page.workers[0]?.seen).toEqual([]);
    expect(page.store.get()).toMatchObject({
      phase: 'ready',
      error: { next: 'takeSample', count: 89, place: 'data' },
    });
    expect(page.store.get().error?.hint).toContain('89 rows');
  });

  it('are sampled with the seed of the settings, and say so', async () => {
    tiny();
    await page.controller.file.chooseFile(large());
    await page.controller.file.takeSample();
    expect(page.browser.sampleRows.mock.calls[0]?.slice(1, 3)).toEqual([89, 1]);
    expect(page.store.get()).toMatchObject({ phase: 'loaded', error: null, source: { name: 'large.csv' } });
    expect(page.store.get().notice).toContain('1 of the 9 rows of large.csv');
  });

  it('can be called off while they are sampled', async () => {
    tiny();
    page.browser.sampleRows.mockImplementation(
      (_file, _rows, _seed, _report, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('called off')))),
    );
    await page.controller.file.chooseFile(large());
    const taking = page.controller.file.takeSample();
    expect(page.store.get().reading?.stage).toBe('sampling');
    page.controller.file.cancelReading();
    await taking;
    expect(page.store.get()).toMatchObject({ phase: 'ready', reading: null, error: null });
  });
});
