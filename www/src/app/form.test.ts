import { beforeEach, describe, expect, it } from 'vitest';
import { QuickWorker, csv, readyPage, setUp } from '../fixtures/page';
import type { Request } from '../protocol';
import { strings } from '../text/strings';

let page: ReturnType<typeof readyPage>;

beforeEach(() => {
  page = readyPage();
});

describe('the answer rule', () => {
  async function finished() {
    QuickWorker.classes = true;
    const { controller, settled } = page;
    await controller.file.chooseFile(csv('a,b\n1,2\n'));
    await controller.training.train();
    controller.training.stop();
    await settled();
    return page.workers[0]!.seen;
  }
  const shows = (seen: readonly Request[]) =>
    seen.flatMap((request) => (request.kind === 'show' ? [request.answers] : []));

  it('is a setting before a training, for the address too', async () => {
    await page.controller.form.setAnswers('balanced');
    expect(shows(page.workers[0]!.seen)).toEqual([]);
    expect(page.browser.setHash.mock.lastCall?.[0]).toContain('answers=balanced');
  });

  it('is followed by finished trees, of many wishes by the newest, and rows are counted once more', async () => {
    const seen = await finished();
    const wishes = ['likeliest', 'costs:0,1;2,0', 'costs:0,1;3,0', 'balanced'].map((answers) =>
      page.controller.form.setAnswers(answers),
    );
    await Promise.all(wishes);
    await page.settled();
    expect(shows(seen)).toEqual(['likeliest', 'balanced']);
    expect(page.store.get()).toMatchObject({
      problem: { decision: { rule: 'balanced' } },
      trainedWith: { answers: 'balanced' },
    });
    expect(seen.filter(({ kind }) => kind === 'rows')).toHaveLength(2);
  });

  it('in costs does not outlive the target, and turns with the positive class', () => {
    const { controller, store } = page;
    void controller.form.setAnswers('costs:0,1;5,0');
    controller.form.setPositive('no', 'yes');
    expect(store.get().settings.answers).toBe('costs:0,5;1,0');
    controller.form.setPositive('', 'yes');
    expect(store.get().settings.answers).toBe('costs:0,1;5,0');
    controller.form.setTarget('b');
    expect(store.get().settings.answers).toBe('auto');
  });
});

describe('recipes', () => {
  const asked = () => page.workers[0]?.resolved.at(-1)?.settings;

  it('are resolved for a new file, another target and what is set by hand', async () => {
    await page.controller.file.chooseFile(csv('a,b,c\n1,2,3\n'));
    expect(asked()).toMatchObject({ target: 'c', model: 'gradtree', said: {} });
    page.controller.form.set({ target: 'b' });
    expect(asked()).toMatchObject({ target: 'b', said: {} });
    page.controller.form.set({ depth: 7, depthFrom: 'hand' });
    page.controller.form.set({ config: { epochs: 200 } });
    expect(asked()).toMatchObject({ said: { depth: 7, epochs: 200 } });
    expect(page.browser.setHash.mock.lastCall?.[0]).toMatch(/depth=7.*set\.epochs=200/);
  });

  it('give the depth that is used and is not sent, also by another learner; one that is set by hand is sent', async () => {
    await page.controller.file.chooseFile(csv('a,b\n1,2\n'));
    const resolved = ['gradtree', 'cart'].map((model, at) => ({
      model,
      recipe: 'espalier',
      values: { depth: 9 - at },
    }));
    page.workers[0]?.say({ kind: 'resolved', run: 0, resolved, classes: ['no', 'yes'] });
    expect(page.store.get()).toMatchObject({
      settings: { depth: 9, depthFrom: 'recipe' },
      classes: ['no', 'yes'],
    });
    await page.controller.training.train();
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({
      kind: 'train',
      settings: { recipe: 'espalier', said: {} },
    });
    page.controller.form.setModel('cart');
    expect(page.store.get().settings).toMatchObject({ depth: 8, depthFrom: 'recipe' });
    expect(page.browser.setHash.mock.lastCall?.[0]).not.toContain('depth');
  });

  it("give the papers' depth unless one was set by hand", async () => {
    await page.controller.file.chooseFile(csv('a,b\n1,2\n'));
    page.controller.form.set({ recipe: 'published' });
    const resolved = [{ model: 'gradtree', recipe: 'published', values: { depth: 10, epochs: 30 } }];
    // An answer counts whatever the run it was asked in.
    page.workers[0]?.say({ kind: 'resolved', run: 0, resolved, classes: [] });
    expect(page.store.get().settings).toMatchObject({ depth: 10, depthFrom: 'recipe' });
    await page.controller.training.train();
    expect(page.workers[0]?.seen.at(-1)).toMatchObject({
      kind: 'train',
      settings: { recipe: 'published', said: {} },
    });
  });
});

describe('the target', () => {
  it('can be none: then rows are grouped by the learner that can, and nothing asks for a second tree', async () => {
    const page = setUp();
    page.ready();
    await page.settled();
    await page.controller.file.chooseFile(csv('a,b\n1,2\n', 'x.csv'));
    page.controller.form.setTarget(null);
    expect(page.store.get().settings).toMatchObject({
      target: '',
      task: 'clustering',
      model: 'relaxed',
      label: '',
    });
    await page.controller.training.train();
    const asked = page.workers[0]?.seen.at(-1);
    expect(asked).toMatchObject({
      kind: 'train',
      settings: { task: 'clustering', target: '', model: 'relaxed' },
    });
    page.controller.form.setTarget('b');
    expect(page.store.get().settings).toMatchObject({ target: 'b', task: 'auto', model: 'relaxed' });
  });

  it('is missed until it is chosen or done without', async () => {
    const page = setUp();
    page.ready();
    await page.settled();
    await page.controller.file.chooseFile(csv('a,b\n1,2\n', 'x.csv'));
    page.controller.form.set({ target: '' });
    await page.controller.training.train();
    expect(page.store.get().error?.message).toBe(strings.train.noTarget);
  });
});
