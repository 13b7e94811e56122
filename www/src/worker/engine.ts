/** The wasm engine as the worker sees it. The generated package is typed loosely; these are the types it keeps. */
import type { Event, Request } from '../protocol';

/** An event with the bulk data that travels beside it. */
export interface Reply {
  event: Event;
  /** A file's bytes: the predictions of `predicted`. */
  bytes?: Uint8Array;
  /** Triples (epoch, training loss, validation loss) since the last `progress`. */
  curve?: Float32Array;
}

/** The one class the wasm exports. */
export interface Engine {
  /** The event that opens the conversation. */
  ready(): Event;
  /** Carries out load, train, stop, export, open or predict and gives the answering event, `failed` included. */
  handle(request: Request, bytes?: Uint8Array): Reply;
  /** Begins to read the file of a `load` in slices: `reading`, or `failed` at once. */
  beginLoad(request: Request, bytes?: Uint8Array): Reply;
  /** Reads on for some rows, or understands one column: `reading` while there is more, then `loaded` or `failed`. */
  readOn(rows: number): Reply;
  /** Trains on for at most `steps`, or to the end of the present epoch; true when the training has ended by itself. */
  advance(steps: number, toEpochEnd: boolean): boolean;
  /** Where the training is, with a downloadable copy of the best tree if asked. */
  progress(checkpoint: boolean): Reply;
}

/** What the page posts to the worker. `id` ties an answer to its request. */
export interface ToWorker {
  id: number;
  request: Request;
  bytes?: Uint8Array;
}

/** What the worker posts to the page. `id` is 0 for what nobody asked for: `ready`, `progress`, a run that ends by itself. */
export interface FromWorker extends Reply {
  id: number;
}
