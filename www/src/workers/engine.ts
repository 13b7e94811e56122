/**
 * The wasm engine as the worker sees it. The generated package is typed loosely; these are its actual types.
 */
import type { Reply } from '../messages';
import type { Event, Request } from '../protocol';

/** The one class that the wasm module exports. */
export interface Engine {
  /** The event that opens the conversation. */
  ready(): Event;
  /** Reserves memory for a file; returns false if there is not enough. */
  reserve(bytes: number): boolean;
  /** Appends the next piece of the file. */
  feed(piece: Uint8Array): void;
  /** Starts to read the received file. Returns `reading` or `failed`. */
  beginLoad(request: Request): Reply;
  /** Reads some more rows, or infers a column. Returns `reading`, `loaded` or `failed`. */
  readOn(rows: number): Reply;
  /** Sets the SHA-256 of the file that was loaded last. */
  identify(sha256: string): void;
  /** Discards the file that is being read. */
  dropLoad(): void;
  /**
   * Carries out every request except those that control the loop. Returns the answering event, including
   * `failed`.
   */
  handle(request: Request, bytes?: Uint8Array): Reply;
  /** Starts a training. Returns `growing`, `started` if there is no greedy tree to grow, or `failed`. */
  beginTrain(request: Request): Reply;
  /**
   * Grows the greedy tree for some steps. Returns `growing` while there is more to do, then `started` or
   * `failed`.
   */
  growOn(steps: number): Reply;
  /** Accepts the greedy tree as it is and starts the training. Returns `started` or `failed`. */
  endGrowth(): Reply;
  /**
   * Trains for up to `steps` steps, or to the end of the current epoch. Returns true when the training has
   * ended by itself.
   */
  advance(steps: number, toEpochEnd: boolean): boolean;
  /**
   * Whether `advance` returned early because the training moved to another phase, whose steps may take much
   * longer.
   */
  turned(): boolean;
  /** Whether the training waits for units that other workers have borrowed; then steps change nothing. */
  waiting(): boolean;
  /** The state of the training, with a downloadable copy of the best tree if requested. */
  progress(checkpoint: boolean): Reply;
}
