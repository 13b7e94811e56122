import { beforeEach, describe, expect, it } from 'vitest';
import { QuickWorker, csv, readyPage } from '../fixtures/page';
import { pageState } from '../state/selectors';

let page: ReturnType<typeof readyPage>;

beforeEach(() => {
  page = readyPage();
});

describe('training', () => {
  it('does not start without data, and says why', async () => {
    await page.controller.training.train();
    expect(page.store.get().error?.place).toBe('train');
    expect(page.workers[0]?.seen).toEqual([]);
  });

  it('survives the death of the worker', async () => {
    await page.controller.file.chooseFile(csv('a,b\n1,2\n'));
    await page.controller.training.train();
    page.workers[0]?.onerror?.({ message: 'unreachable' } as ErrorEvent);
    expect(page.store.get().error).toMatchObject({ next: 'trainAgain' });
    page.ready();
    await page.settled();
    expect(page.workers[1]?.seen).toMatchObject([{ kind: 'load', name: 'own.csv' }]);
    expect(pageState(page.store.get())).toBe('error');
    expect(page.store.get().cart).not.toBeNull();
    await page.controller.training.train();
    expect(pageState(page.store.get())).toBe('training');
  });

  it('does not read a file that kills every worker for ever', async () => {
    await page.controller.file.chooseFile(csv('a,b\n1,2\n'));
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
