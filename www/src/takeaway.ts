/** Trees on their way out of the page: downloads, other forms, answers for a file. Needs no engine. */
import type { Browser } from './browser';
import type { Exported } from './exporter';
import type { Action, State } from './state/model';
import { takeable, type Takeable } from './state/selectors';
import type { Store } from './state/store';
import { strings } from './strings';
import type { Predicted, Refusal } from './worker/predict-file';

export class Takeaway {
  constructor(
    private readonly store: Store<State, Action>,
    private readonly browser: Browser,
  ) {}

  downloadJson({ json, stem }: Takeable): void {
    this.save(`${stem}.tree.json`, new Blob([json], { type: 'application/json' }));
  }

  async exportTree(tree: Takeable, format: string): Promise<void> {
    this.forget();
    if (format === 'json') return this.downloadJson(tree);
    let file: Exported;
    try {
      file = await this.browser.exportTree(tree.json, format === 'png' ? 'svg' : format);
    } catch {
      return this.trouble(strings.take.noExporter);
    }
    if ('message' in file) return this.trouble(file);
    if (format === 'png') {
      const picture = await this.browser.toPng(new Blob([file.bytes], { type: file.mime }));
      if (!picture) return this.trouble(strings.take.noPicture);
      return this.save(`${tree.stem}.png`, picture);
    }
    // The exporter knows the ending, the page knows what the tree was trained on.
    const ending = /\.[^/]*$/.exec(file.fileName)?.[0] ?? '';
    this.save(ending ? tree.stem + ending : file.fileName, new Blob([file.bytes], { type: file.mime }));
  }

  /** Predicts a file and saves the answers; what is to be known about its rows. `report` hears the share that is done. */
  async predict(tree: Takeable, file: File, report: (share: number) => void, ending = 'predicted'): Promise<string[]> {
    this.forget();
    let answer: Predicted | Refusal;
    try {
      answer = await this.browser.predictFile(tree.json, file, report);
    } catch {
      this.trouble(strings.take.noPredictor);
      return [];
    }
    if (!('csv' in answer)) {
      this.trouble('failure' in answer ? strings.data.unreadable(file.name) : answer);
      return [];
    }
    const name = `${file.name.replace(/\.[^.]*$/, '')}-${ending}.csv`;
    this.browser.download(name, answer.csv);
    this.browser.announce(strings.status.predicted(answer.rows, name));
    return answer.warnings;
  }

  /** Saves the drawing of a tree. */
  savePicture(side: 'cart' | 'gradient', form: 'svg' | 'png', content: Blob): void {
    const trees = takeable(this.store.get());
    const of = trees.find(({ key }) => key === side) ?? trees[0];
    this.save(`${of?.stem ?? 'tree'}.${form}`, content);
  }

  private save(name: string, content: Blob): void {
    this.browser.download(name, content);
    this.browser.announce(strings.status.exported(name));
  }

  /** What went wrong before is of no interest once something else is asked for. */
  private forget(): void {
    if (this.store.get().error?.place === 'result') this.store.dispatch({ type: 'dismiss', what: 'error' });
  }

  private trouble(words: { message: string; hint: string }): void {
    this.store.dispatch({ type: 'trouble', trouble: { place: 'result', ...words, next: null } });
  }
}
