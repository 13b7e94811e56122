/** The wasm engine as the worker sees it. The generated package is typed loosely; these are the types it keeps. */
import type { Reply } from '../messages';
import type { Event, Request } from '../protocol';

/** The one class the wasm exports. */
export interface Engine {
  /** The event that opens the conversation. */
  ready(): Event;
  /** Makes room for a file; false if there is none. */
  reserve(bytes: number): boolean;
  /** Takes the next piece of the file. */
  feed(piece: Uint8Array): void;
  /** Begins to read what was fed: `reading` or `failed`. */
  beginLoad(request: Request): Reply;
  /** Reads on for some rows, or understands a column: `reading`, `loaded` or `failed`. */
  readOn(rows: number): Reply;
  /** Notes the SHA-256 of the file that was loaded last. */
  identify(sha256: string): void;
  /** Forgets the file that is being read. */
  dropLoad(): void;
  /** Carries out every request but those that steer the loop, and gives the answering event, `failed` included. */
  handle(request: Request, bytes?: Uint8Array): Reply;
  /** Begins a training: `growing`, `started` where there is no greedy tree to grow, or `failed`. */
  beginTrain(request: Request): Reply;
  /** Grows the greedy tree for some steps: `growing` while there is more to do, then `started` or `failed`. */
  growOn(steps: number): Reply;
  /** Takes the greedy tree as it stands and begins the training: `started` or `failed`. */
  endGrowth(): Reply;
  /** Trains on for at most `steps`, or to the end of the present epoch; true when the training has ended by itself. */
  advance(steps: number, toEpochEnd: boolean): boolean;
  /** Whether `advance` ended early because the training has turned to other work, whose steps may take far longer. */
  turned(): boolean;
  /** Whether the training waits for units that other workers have borrowed: then steps change nothing. */
  waiting(): boolean;
  /** Where the training is, with a downloadable copy of the best tree if asked. */
  progress(checkpoint: boolean): Reply;
}
