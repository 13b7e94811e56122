/** Trees on their way out of the page, and back: downloads, other forms, answers for a file, a tree that is read back. */
import type { Exported } from '../engine/exporter';
import { isBusy, takeable, type Takeable } from '../state/selectors';
import { strings } from '../text/strings';
import type { Context } from './context';

/** A tree file larger than this is something else; a depth-10 tree has about one megabyte. */
const MAX_TREE_BYTES = 64 * 2 ** 20;
import type { Predicted, Refusal } from '../messages';

export class Takeaway {
  constructor(private readonly context: Context) {}

  downloadJson({ json, stem }: Takeable): void {
    this.save(`${stem}.tree.json`, new Blob([json], { type: 'application/json' }));
  }

  async exportTree(tree: Takeable, format: string): Promise<void> {
    this.forget();
    if (format === 'json') return this.downloadJson(tree);
    let file: Exported;
    try {
      file = await this.context.browser.exportTree(tree.json, format === 'png' ? 'svg' : format);
    } catch {
      return this.trouble(strings.take.noExporter);
    }
    if ('message' in file) return this.trouble(file);
    if (format === 'png') {
      const picture = await this.context.browser.toPng(new Blob([file.bytes], { type: file.mime }));
      if (!picture) return this.trouble(strings.take.noPicture);
      return this.save(`${tree.stem}.png`, picture);
    }
    // The exporter knows the ending, the page knows what the tree was trained on.
    const ending = /\.[^/]*$/.exec(file.fileName)?.[0] ?? '';
    this.save(ending ? tree.stem + ending : file.fileName, new Blob([file.bytes], { type: file.mime }));
  }

  /** Predicts a file and saves the answers; what is to be known about its rows. `report` hears the share that is done. */
  async predict(
    tree: Takeable,
    file: File,
    report: (share: number) => void,
    ending = 'predicted',
  ): Promise<string[]> {
    this.forget();
    let answer: Predicted | Refusal;
    try {
      answer = await this.context.browser.predictFile(tree.json, file, report);
    } catch {
      this.trouble(strings.take.noPredictor);
      return [];
    }
    if (!('csv' in answer)) {
      this.trouble('failure' in answer ? strings.data.unreadable(file.name) : answer);
      return [];
    }
    const name = `${file.name.replace(/\.[^.]*$/, '')}-${ending}.csv`;
    this.context.browser.download(name, answer.csv);
    this.context.browser.announce(strings.status.predicted(answer.rows, name));
    return answer.warnings;
  }

  /** Saves the drawing of a tree. */
  savePicture(side: 'cart' | 'gradient', form: 'svg' | 'png', content: Blob): void {
    const trees = takeable(this.context.store.get());
    const of = trees.find(({ key }) => key === side) ?? trees[0];
    this.save(`${of?.stem ?? 'tree'}.${form}`, content);
  }

  async openTree(file: File): Promise<void> {
    if (isBusy(this.context.store.get())) return this.trouble({ message: strings.take.busy, hint: '' });
    if (file.size > MAX_TREE_BYTES) return this.trouble(strings.take.notTree(file.name));
    const run = this.context.newRun();
    this.context.store.dispatch({ type: 'opening', run, name: file.name });
    let tree: string;
    try {
      tree = await file.text();
    } catch {
      return this.trouble(strings.data.unreadable(file.name));
    }
    await this.context.ask({ kind: 'open', run, tree });
  }

  closeOpened(): void {
    this.context.store.dispatch({ type: 'closeOpened' });
  }

  private save(name: string, content: Blob): void {
    this.context.browser.download(name, content);
    this.context.browser.announce(strings.status.exported(name));
  }

  /** What went wrong before is of no interest once something else is asked for. */
  private forget(): void {
    if (this.context.store.get().error?.place === 'result')
      this.context.store.dispatch({ type: 'dismiss', what: 'error' });
  }

  private trouble(words: { message: string; hint: string }): void {
    this.context.trouble('result', words);
  }
}
