/** How the reader's language writes numbers. The words are English; a file's own numbers stay as the file has them. */
export const LOCALE = globalThis.navigator?.language ?? 'en';
