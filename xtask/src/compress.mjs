// Sizes of files as a static host would send them. Arguments: paths. Output: JSON, { path: [raw, gzip, brotli] }.
// Node has both compressors built in, so xtask need not compile them.
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

// Run with `node --eval`: there is no script name among the arguments, so the paths begin at 1.
const sizes = process.argv.slice(1).map((path) => {
  const bytes = readFileSync(path);
  return [path, [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length]];
});
console.log(JSON.stringify(Object.fromEntries(sizes)));
