import { beforeEach, describe, expect, it, vi } from 'vitest';
import { csv, readyPage } from '../fixtures/page';
import { strings } from '../text/strings';

let page: ReturnType<typeof readyPage>;

beforeEach(() => {
  page = readyPage();
});

describe('trees as files', () => {
  const tree = { key: 'cart', label: 'CART', json: '{}', stem: 'own-cart' } as const;

  it("are saved under the data's name", async () => {
    page.controller.takeaway.downloadJson(tree);
    await page.controller.takeaway.exportTree(tree, 'text');
    expect(page.browser.download.mock.calls.map(([name]) => name)).toEqual([
      'own-cart.tree.json',
      'own-cart.txt',
    ]);
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
    expect(await page.controller.takeaway.predict(tree, csv('a\n1\n', 'new.rows.csv'), report)).toEqual([
      'w',
    ]);
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
    await page.controller.file.drop([]);
    expect(page.store.get().error?.place).toBe('data');
    await page.controller.takeaway.exportTree(tree, 'text');
    expect(page.store.get().error?.place).toBe('data');
  });

  it('dropped like any file are opened, not trained on', async () => {
    await page.controller.file.drop([csv('{}', 'x.tree.json')]);
    expect(page.workers[0]?.seen.map(({ kind }) => kind)).toEqual(['open']);
    expect(page.store.get().opened?.name).toBe('x.tree.json');
  });
});
