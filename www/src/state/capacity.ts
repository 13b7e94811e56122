/** How large a file the tab can hold, known before it is read. */

const GIB = 2 ** 30;

/** Memory that wasm can address. */
const WASM_GIB = 4;

/** Memory of a machine whose browser does not say; browsers that do say never say more. */
const USUAL_GIB = 8;

/** Bytes of memory a file needs at its peak for each of its own: the file, its cells, and what is computed of them. */
const BYTES_PER_BYTE = 4;

/** A sample stays this far below the limit, since rows differ in length. */
const CAREFUL = 0.8;

/** The largest file that can be read whole, in bytes. `deviceGib` is what the browser says about the machine's memory. */
export function largestFile(deviceGib: number | undefined): number {
  // Half of the memory is left to everything else that runs.
  return Math.floor((Math.min(WASM_GIB, (deviceGib ?? USUAL_GIB) / 2) * GIB) / BYTES_PER_BYTE);
}

/** How many rows of this length fit: a round number, at least 1. */
export function rowsThatFit(limit: number, bytesPerRow: number): number {
  const rows = Math.max(1, Math.floor((CAREFUL * limit) / Math.max(1, bytesPerRow)));
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(rows)) - 1);
  return Math.floor(rows / unit) * unit;
}
