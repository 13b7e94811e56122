/** The browser, as far as the page's doings touch it, so that their tests need none. */
import type { Exported } from '../engine/exporter';
import type { ReadOptions } from '../protocol';
import type { Source } from '../state/model';
import type { Aside } from '../engine/aside';
import type { Predicted, Refusal, Sampled } from '../messages';

export type { Aside };

export interface Browser {
  hash(): string;
  setHash(hash: string): void;
  fetchSample(file: string): Promise<Blob>;
  download(name: string, content: Blob): void;
  now(): number;
  /** Memory of the machine in GiB, as far as the browser says. */
  deviceMemory(): number | undefined;
  /** A random sample of a file's rows, drawn in a worker; rejects when the file cannot be read or `signal` says stop. */
  sampleRows(
    file: Blob,
    rows: number,
    seed: number,
    report: (share: number) => void,
    signal: AbortSignal,
  ): Promise<Sampled>;
  /** A tree, given as its JSON, in another form; rejects when the exporter cannot be fetched. */
  exportTree(tree: string, format: string): Promise<Exported>;
  /** An SVG picture as PNG; null where the browser cannot draw it. */
  toPng(svg: Blob): Promise<Blob | null>;
  /** A file's rows with a tree's answers, made in a worker; rejects when that cannot be fetched or dies. */
  predictFile(tree: string, file: Blob, report: (share: number) => void): Promise<Predicted | Refusal>;
  randomSeed(): number;
  /** A second engine that has read the file. */
  openAside(source: Source, options: ReadOptions): Promise<Aside>;
  /** Says something once in the status line. */
  announce(text: string): void;
}
