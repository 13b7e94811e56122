// Sizes of files as a static host would send them. Arguments: paths. Output: JSON, one [raw, gzip, brotli] per path.
// Node has both compressors built in, so xtask need not compile them.
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

const sizes = process.argv.slice(2).map((path) => {
  const bytes = readFileSync(path);
  return [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
});
console.log(JSON.stringify(sizes));
