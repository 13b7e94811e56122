/**
 * The second wasm module: writes a tree in another format. It is fetched when first needed, never with the
 * page.
 */
import init, { exportTree } from '../pkg/exporter.js';
import wasm from '../pkg/exporter_bg.wasm?url';

/** A file to save, or why there is none. */
export type Exported =
  { fileName: string; mime: string; bytes: Uint8Array<ArrayBuffer> } | { message: string; hint: string };

let ready: Promise<unknown> | null = null;

/** Converts a tree, given as its JSON, to the format with this key. */
export async function exported(tree: string, format: string): Promise<Exported> {
  ready ??= init({ module_or_path: wasm });
  try {
    await ready;
  } catch (error) {
    // A later attempt may succeed when the network is back.
    ready = null;
    throw error;
  }
  return exportTree(tree, format) as Exported;
}
