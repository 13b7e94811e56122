/**
 * What the page and its workers post to each other: requests and events of the protocol with the bulk data beside them, and the
 * messages of the workers that draw rows and predict files. Types alone, so every folder may import them.
 */
import type { Event, Request } from './protocol';

/** An event with the bulk data that travels beside it. */
export interface Reply extends Timed {
  event: Event;
  /** Five numbers each (restart from 1, epoch, training, validation and hard loss) since the last `progress`, or of a unit. */
  curve?: Float32Array;
  /** Numbers laid out as the event says: histograms of a tree's nodes, frames, rows, a map. */
  numbers?: Float32Array;
  /** What a unit found, for the worker that leads the training. */
  bytes?: Uint8Array<ArrayBuffer>;
}

/** What the page posts to the worker. `id` ties an answer to its request. */
export interface ToWorker {
  id: number;
  request: Request;
  /** The file of `load`, read by the worker piece by piece. */
  blob?: Blob;
  /** The row of `trace`, or what a unit found, handed over. */
  bytes?: Uint8Array<ArrayBuffer>;
  /** Milliseconds that a training may take in all, encoding and scores included: its greedy tree may use half of them. */
  budget?: number;
}

/** What the worker posts to the page. `id` is 0 for what was not asked for: `ready`, `reading`, `progress`, a run that ends by itself. */
export interface FromWorker extends Reply {
  id: number;
}

/** What the loop measured beside a reply. */
export interface Timed {
  /** Milliseconds in which a tree was made and scored in one piece: what the end of the training will take about as long as. */
  scoring?: number;
  /** The greedy tree was cut off, because half of the budget was used up. */
  cut?: boolean;
}

/** One epoch of a training: the losses of restart `restart` (from 1) after `epoch` epochs. */
export interface LossPoint {
  restart: number;
  epoch: number;
  train: number;
  valid: number;
  /** Of the tree as it is read, where a soft one is trained; else no number. */
  hard: number;
}

/** What the page asks of the worker that draws rows. */
export interface SampleRequest {
  file: Blob;
  rows: number;
  seed: number;
}

/** What comes back: progress, then the sample; or that the file cannot be read. */
export type SampleReply = { share: number } | Sampled | { unreadable: true };

/** Rows that were drawn. */
export interface Sampled {
  blob: Blob;
  /** Rows taken, the first line not counted. */
  taken: number;
  /** Rows of the whole file. */
  rows: number;
}

/** What the page asks of the worker that predicts a file. */
export interface PredictRequest {
  /** The tree's JSON. */
  tree: string;
  file: Blob;
}

/** The rows with the answers behind them. */
export interface Predicted {
  csv: Blob;
  rows: number;
  /** What the user should know about the rows. */
  warnings: string[];
}

/** Why there is no answer: the words for a file that cannot be had are the page's. */
export type Refusal = { message: string; hint: string } | { failure: 'unreadable' };

/** What comes back: progress, then the answers; or why there are none. */
export type PredictReply = { share: number } | Predicted | Refusal;
