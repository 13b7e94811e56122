import { beforeEach, describe, expect, it } from 'vitest';
import { csv, readyPage, setUp } from '../fixtures/page';

let page: ReturnType<typeof readyPage>;

beforeEach(() => {
  page = readyPage();
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
      void controller.file.chooseFile(csv('a,b,c\n1,2,3\n'));
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
  it("changes the settings and leaves the columns of the user's file alone", async () => {
    await page.controller.file.chooseFile(csv('a,b,c\n1,2,3\n'));
    page.controller.form.set({ target: 'b' });
    await page.controller.openAddress();
    expect(page.store.get().settings).toMatchObject({ target: 'b', depth: 5 });
  });

  it('with another sample reads it', async () => {
    const { ready, settled, store, controller, browser } = setUp('#sample=iris&depth=4');
    ready();
    await settled();
    expect(browser.fetchSample).toHaveBeenCalledWith('iris.csv');
    controller.training.stop();
    await settled();
    await controller.file.chooseSample('xor');
    expect(store.get()).toMatchObject({
      phase: 'loaded',
      source: { sample: 'xor' },
      settings: { depth: 2, depthFrom: 'sample' },
    });
  });
});
