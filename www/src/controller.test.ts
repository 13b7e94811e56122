import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Browser } from './browser';
import { Controller } from './controller';
import type { Exported } from './exporter';
import type { Predicted, Refusal } from './worker/predict-file';
import type { ErrorInfo, Event, Request } from './protocol';
import { learners, problem, progress, result, table } from './state/fixtures';
import { INITIAL_STATE, type Action, type State } from './state/model';
import { reduce } from './state/reducer';
import { pageState } from './state/selectors';
import { createStore } from './state/store';
import { strings } from './strings';
import { Client, type WorkerLike } from './worker/client';
import type { ToWorker } from './worker/engine';

const failure = (code: string, message: string): ErrorInfo => ({ code, message, hint: 'x', line: null, column: null, badRows: 0, badLines: [] });

/** A worker that answers at once, without training. */
class QuickWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  seen: Request[] = [];
  /** Dies when it is given a file to read. */
  static fragile = false;
  /** Reads for ever, until it is told to stop. */
  static slow = false;
  terminate() {}
  say(event: Event, id = 0, bytes?: Uint8Array) {
    this.onmessage?.({ data: { id, event, bytes } } as MessageEvent);
  }
  postMessage({ id, request, blob }: ToWorker) {
    this.seen.push(request);
    void (blob ?? new Blob()).text().then((text) => {
      const { run } = request;
      if (request.kind === 'load' && QuickWorker.fragile) return this.onerror?.({ message: 'trap' } as ErrorEvent);
      if (request.kind === 'load') {
        if (QuickWorker.slow) return undefined;
        const [head = ''] = text.split('\n');
        if (head === '') {
          return this.say({ kind: 'failed', run, error: failure('empty', 'The file is empty.') }, id);
        }
        return this.say({ kind: 'loaded', run, table: table(...head.split(',')) }, id);
      }
      if (request.kind === 'train') {
        this.say({ kind: 'started', run, problem: problem('regression', 20), cart: result('cart'), lendable: 0 }, id);
      }
      if (request.kind === 'stop' && QuickWorker.slow) return this.say({ kind: 'failed', run, error: failure('cancelled', '') }, id - 1);
      if (request.kind === 'stop') this.say({ kind: 'trained', run, result: result('gradtree'), gradient: null, progress: progress(), reason: 'Stopped.', yardstick: null });
      if (request.kind === 'open') this.say({ kind: 'opened', run, problem: problem('regression', 0), result: result('cart'), proved: 1 }, id);
    });
  }
}

function setUp(hash = '#sample=own') {
  const workers: QuickWorker[] = [];
  const browser = {
    hash: () => hash,
    setHash: vi.fn(),
    fetchSample: vi.fn(async () => new Blob(['x0,label\n1,2\n'])),
    download: vi.fn(),
    predictFile: vi.fn(async (_tree: string, _file: Blob, report: (share: number) => void): Promise<Predicted | Refusal> => {
      report(0.5);
      return { csv: new Blob(['A']), rows: 2, warnings: ['w'] };
    }),
    toPng: vi.fn(async () => new Blob(['P'])),
    exportTree: vi.fn(async (_tree: string, format: string): Promise<Exported> =>
      format === 'text' || format === 'svg' ? { fileName: 'tree.txt', mime: 'text/plain', bytes: new Uint8Array([84]) } : { message: 'No.', hint: 'Use JSON.' },
    ),
    now: () => 0,
    deviceMemory: vi.fn((): number | undefined => 8),
    sampleRows: vi.fn<Browser['sampleRows']>(async () => ({ blob: new Blob(['x,y\n1,2\n']), taken: 1, rows: 9 })),
    randomSeed: () => 42,
    announce: vi.fn(),
    openAside: vi.fn(async () => Promise.reject(new Error('not in this test'))),
  } satisfies Browser;
  const store = createStore<State, Action>(reduce, INITIAL_STATE);
  const states: string[] = [];
  store.subscribe((state) => states.at(-1) !== pageState(state) && states.push(pageState(state)));
  const controller = new Controller(store, browser);
  controller.client = new Client(() => {
    const worker = new QuickWorker();
    workers.push(worker);
    return worker;
  }, controller.asListener());
  const ready = () => workers.at(-1)?.say({ kind: 'ready', run: 0, version: '1', learners, recipes: [], formats: [] });
  const settled = () => new Promise((resolve) => setTimeout(resolve, 10));
  return { workers, browser, store, states, controller, ready, settled };
}

const csv = (text: string, name = 'own.csv') => new File([text], name);
let page: ReturnType<typeof setUp>;

beforeEach(() => {
  QuickWorker.fragile = QuickWorker.slow = false;
  page = setUp();
  page.ready();
});

describe('opening the page', () => {
  it('reads and trains the first sample when the address says nothing', async () => {
    const { ready, settled, states, browser, store } = setUp('');
    ready();
    await settled();
    expect(browser.fetchSample).toHaveBeenCalledWith('xor.csv');
    expect(states).toEqual(['ready', 'reading', 'loaded', 'training']);
    expect(store.get().settings).toMatchObject({ target: 'label', depth: 2 });
  });

  it('says what it could not understand and goes on with defaults', async () => {
    const { ready, settled, store } = setUp('#depth=many');
    ready();
    await settled();
    expect(store.get().notice).toContain('depth=many');
    expect(store.get().phase).toBe('training');
  });

  it('leaves the first sample when a file is chosen while that is being read', async () => {
    const { ready, settled, states, store, controller } = setUp('');
    let chosen = false;
    store.subscribe((state) => {
      if (state.phase !== 'reading' || chosen) return;
      chosen = true;
      void controller.chooseFile(csv('a,b,c\n1,2,3\n'));
    });
    ready();
    await settled();
    expect(chosen).toBe(true);
    expect(store.get()).toMatchObject({ phase: 'loaded', error: null, source: { name: 'own.csv' } });
    expect(states).not.toContain('error');
  });

  it('waits for the file when the address belongs to one', () => {
    expect(page.states).toEqual(['ready']);
  });
});

describe('an address typed later', () => {
  it('changes the settings and leaves the columns of the user\'s file alone', async () => {
    await page.controller.chooseFile(csv('a,b,c\n1,2,3\n'));
    page.controller.set({ target: 'b' });
    await page.controller.openAddress();
    expect(page.store.get().settings).toMatchObject({ target: 'b', depth: 5 });
  });

  it('with another sample reads it', async () => {
    const { ready, settled, store, controller, browser } = setUp('#sample=iris&depth=4');
    ready();
    await settled();
    expect(browser.fetchSample).toHaveBeenCalledWith('iris.csv');
    controller.stop();
    await settled();
    await controller.chooseSample('airfoil');
    expect(store.get()).toMatchObject({ phase: 'loaded', source: { sample: 'airfoil' }, settings: { depth: 3 } });
  });
});

describe('files', () => {
  it('are read, and their name and columns stay out of the address', async () => {
    await page.controller.chooseFile(csv('secret,outcome\n1,2\n', 'patients.csv'));
    expect(page.store.get()).toMatchObject({ phase: 'loaded', settings: { target: 'outcome' } });
    for (const [hash] of page.browser.setHash.mock.calls) expect(hash).not.toMatch(/secret|outcome|patients/);
  });

  it('that are empty give the engine\'s own words', async () => {
    await page.controller.chooseFile(csv(''));
    expect(page.store.get().error).toMatchObject({ place: 'data', message: 'The file is empty.' });
  });

  it('that cannot be read any more are named', async () => {
    QuickWorker.slow = true;
    const reading = page.controller.chooseFile(csv('a,b\n'));
    await page.settled();
    page.workers[0]?.say({ kind: 'failed', run: 1, error: failure('unreadable', '') }, 1);
    await reading;
    expect(page.store.get().error?.message).toContain('own.csv');
    expect(page.store.get().phase).toBe('ready');
  });

  it('are refused in twos and when they are none', async () => {
    await page.controller.drop([csv('a'), csv('b')]);
    expect(page.store.get().error?.place).toBe('data');
    await page.controller.drop([]);
    expect(page.store.get().error?.place).toBe('data');
    expect(page.workers[0]?.seen).toEqual([]);
  });

  it('that arrive during a training wait for its tree', async () => {
    await page.controller.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.train();
    expect(page.store.get().phase).toBe('training');
    await page.controller.chooseFile(csv('', 'empty.csv'));
    expect(page.workers[0]?.seen.map(({ kind }) => kind)).toEqual(['load', 'train', 'stop', 'rows', 'frames', 'load']);
    expect(page.store.get()).toMatchObject({ phase: 'done', error: { message: 'The file is empty.' } });
    expect(page.store.get().gradient?.model).toBe('gradtree');
  });

  it('are read again with a column\'s kind set by hand', async () => {
    await page.controller.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.setKind('a', 'category');
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ kind: 'load', options: { kinds: { a: 'category' } } });
    await page.controller.setKind('a', null);
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { kinds: {} } });
  });

  it('are read again with spellings of missing set by hand', async () => {
    await page.controller.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.setMissing('a', ['none', '-']);
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { missing: { a: ['none', '-'] } } });
    await page.controller.setMissing('a', null);
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { missing: {} } });
  });

  it('cut at another character keep nothing that was said about their columns', async () => {
    await page.controller.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.setKind('a', 'category');
    await page.controller.setWriting({ delimiter: ';' });
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { delimiter: ';', kinds: {} } });
    await page.controller.setKind('a', 'category');
    await page.controller.setWriting({ skipBadRows: true });
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { delimiter: ';', kinds: { a: 'category' }, skipBadRows: true } });
    await page.controller.chooseFile(csv('c,d\n1,2\n'));
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({ options: { delimiter: '', kinds: {}, skipBadRows: false } });
  });

  it('that are called off leave the present one in place', async () => {
    await page.controller.chooseFile(csv('a,b\n1,2\n', 'first.csv'));
    QuickWorker.slow = true;
    const reading = page.controller.chooseFile(csv('c,d\n1,2\n', 'second.csv'));
    await page.settled();
    expect(page.store.get()).toMatchObject({ phase: 'reading', source: { name: 'first.csv' } });
    page.controller.cancelReading();
    await reading;
    expect(page.store.get()).toMatchObject({ phase: 'loaded', source: { name: 'first.csv' }, reading: null, error: null });
  });

  it('pasted empty are refused', async () => {
    await page.controller.choosePasted('  \n');
    expect(page.store.get().error?.place).toBe('data');
  });
});

describe('files larger than the tab can hold', () => {
  // Half of it, and a quarter of that: 1,342 bytes.
  const tiny = () => page.browser.deviceMemory.mockReturnValue(1e-5);
  const large = () => csv(`x,y\n${'12345,67890\n'.repeat(1000)}`, 'large.csv');

  it('are not read but offered as a sample', async () => {
    tiny();
    await page.controller.chooseFile(large());
    expect(page.workers[0]?.seen).toEqual([]);
    expect(page.store.get()).toMatchObject({ phase: 'ready', error: { next: 'takeSample', count: 89, place: 'data' } });
    expect(page.store.get().error?.hint).toContain('89 rows');
  });

  it('are sampled with the seed of the settings, and say so', async () => {
    tiny();
    await page.controller.chooseFile(large());
    await page.controller.takeSample();
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
    await page.controller.chooseFile(large());
    const taking = page.controller.takeSample();
    expect(page.store.get().reading?.stage).toBe('sampling');
    page.controller.cancelReading();
    await taking;
    expect(page.store.get()).toMatchObject({ phase: 'ready', reading: null, error: null });
  });
});

describe('training', () => {
  it('does not start without data, and says why', async () => {
    await page.controller.train();
    expect(page.store.get().error?.place).toBe('train');
    expect(page.workers[0]?.seen).toEqual([]);
  });

  it('survives the death of the worker', async () => {
    await page.controller.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.train();
    page.workers[0]?.onerror?.({ message: 'unreachable' } as ErrorEvent);
    expect(page.store.get().error).toMatchObject({ next: 'trainAgain' });
    page.ready();
    await page.settled();
    expect(page.workers[1]?.seen).toMatchObject([{ kind: 'load', name: 'own.csv' }]);
    expect(pageState(page.store.get())).toBe('error');
    expect(page.store.get().cart).not.toBeNull();
    await page.controller.train();
    expect(pageState(page.store.get())).toBe('training');
  });

  it('does not read a file that kills every worker for ever', async () => {
    await page.controller.chooseFile(csv('a,b\n1,2\n'));
    QuickWorker.fragile = true;
    page.workers[0]?.onerror?.({ message: 'trap' } as ErrorEvent);
    for (let round = 0; round < 3; round++) {
      page.ready();
      await page.settled();
    }
    expect(page.store.get().source).toBeNull();
    expect(page.workers.map(({ seen }) => seen.length)).toEqual([1, 1, 0]);
  });
});

describe('trees as files', () => {
  const tree = { key: 'cart', label: 'CART', json: '{}', stem: 'own-cart' } as const;

  it('are saved under the data\'s name', async () => {
    page.controller.takeaway.downloadJson(tree);
    await page.controller.takeaway.exportTree(tree, 'text');
    expect(page.browser.download.mock.calls.map(([name]) => name)).toEqual(['own-cart.tree.json', 'own-cart.txt']);
    expect(page.browser.announce).toHaveBeenCalledTimes(2);
  });

  it('become a picture that the browser draws', async () => {
    await page.controller.takeaway.exportTree(tree, 'png');
    expect(page.browser.exportTree).toHaveBeenCalledWith('{}', 'svg');
    expect(page.browser.download.mock.calls[0]?.[0]).toBe('own-cart.png');
    page.browser.toPng.mockResolvedValueOnce(null as never);
    await page.controller.takeaway.exportTree(tree, 'png');
    expect(page.store.get().error?.message).toBe(strings.take.noPicture.message);
  });

  it('say why a form cannot hold them, or that the exporter cannot be had', async () => {
    await page.controller.takeaway.exportTree(tree, 'sklearn');
    expect(page.store.get().error).toMatchObject({ place: 'result', message: 'No.', hint: 'Use JSON.' });
    page.browser.exportTree.mockRejectedValueOnce(new Error('offline'));
    await page.controller.takeaway.exportTree(tree, 'text');
    expect(page.store.get().error?.message).toBe(strings.take.noExporter.message);
    expect(page.browser.download).not.toHaveBeenCalled();
  });

  it('give the rows of a hierarchy their groups', async () => {
    await page.controller.takeaway.predict(tree, csv('a\n1\n', 'new.csv'), () => {}, 'groups');
    expect(page.browser.download.mock.calls[0]?.[0]).toBe('new-groups.csv');
  });

  it('predict a file', async () => {
    const report = vi.fn();
    expect(await page.controller.takeaway.predict(tree, csv('a\n1\n', 'new.rows.csv'), report)).toEqual(['w']);
    expect(page.browser.download.mock.calls[0]?.[0]).toBe('new.rows-predicted.csv');
    expect(report).toHaveBeenCalledWith(0.5);
  });

  it('say why a file cannot be predicted', async () => {
    const predict = () => page.controller.takeaway.predict(tree, csv('b\n1\n', 'other.csv'), () => {});
    page.browser.predictFile.mockResolvedValueOnce({ message: 'No column a.', hint: 'Add it.' });
    expect(await predict()).toEqual([]);
    expect(page.store.get().error).toMatchObject({ place: 'result', message: 'No column a.' });
    page.browser.predictFile.mockResolvedValueOnce({ failure: 'unreadable' });
    await predict();
    expect(page.store.get().error?.message).toBe(strings.data.unreadable('other.csv').message);
    page.browser.predictFile.mockRejectedValueOnce(new Error('offline'));
    await predict();
    expect(page.store.get().error?.message).toBe(strings.take.noPredictor.message);
    expect(page.browser.download).not.toHaveBeenCalled();
  });

  it('forget what went wrong once another file is predicted, or another form written, but not what is elsewhere', async () => {
    page.browser.predictFile.mockResolvedValueOnce({ message: 'No column a.', hint: 'Add it.' });
    await page.controller.takeaway.predict(tree, csv('b\n1\n', 'other.csv'), () => {});
    await page.controller.takeaway.predict(tree, csv('a\n1\n', 'new.csv'), () => {});
    expect(page.store.get().error).toBeNull();
    await page.controller.takeaway.exportTree(tree, 'sklearn');
    expect(page.store.get().error).not.toBeNull();
    await page.controller.takeaway.exportTree(tree, 'text');
    expect(page.store.get().error).toBeNull();
    await page.controller.drop([]);
    expect(page.store.get().error?.place).toBe('data');
    await page.controller.takeaway.exportTree(tree, 'text');
    expect(page.store.get().error?.place).toBe('data');
  });

  it('dropped like any file are opened, not trained on', async () => {
    await page.controller.drop([csv('{}', 'x.tree.json')]);
    expect(page.workers[0]?.seen.map(({ kind }) => kind)).toEqual(['open']);
    expect(page.store.get().opened?.name).toBe('x.tree.json');
  });
});

describe('the target', () => {
  it('can be none: then rows are grouped by the learner that can, and nothing asks for a second tree', async () => {
    const page = setUp();
    page.ready();
    await page.settled();
    await page.controller.chooseFile(csv('a,b\n1,2\n', 'x.csv'));
    page.controller.setTarget(null);
    expect(page.store.get().settings).toMatchObject({ target: '', task: 'clustering', model: 'relaxed', label: '' });
    await page.controller.train();
    const asked = page.workers[0]?.seen.at(-1);
    expect(asked).toMatchObject({ kind: 'train', settings: { task: 'clustering', target: '', model: 'relaxed' } });
    page.controller.setTarget('b');
    expect(page.store.get().settings).toMatchObject({ target: 'b', task: 'auto', model: 'relaxed' });
  });

  it('is missed until it is chosen or done without', async () => {
    const page = setUp();
    page.ready();
    await page.settled();
    await page.controller.chooseFile(csv('a,b\n1,2\n', 'x.csv'));
    page.controller.set({ target: '' });
    await page.controller.train();
    expect(page.store.get().error?.message).toBe(strings.train.noTarget);
  });
});
