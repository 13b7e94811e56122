// GET's epochs in WebAssembly under Node, one thread: milliseconds per epoch of processor time, the least of three, as a table in Markdown.
import { readFile } from 'node:fs/promises';

const file = new URL('target/wasm32-unknown-unknown/release/espalier_kernel.wasm', import.meta.url);
const module = await WebAssembly.compile(await readFile(file));
// Crates that know the web leave imports behind that nothing here calls.
const imports = {};
for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
  if (kind !== 'function') throw new Error(`unexpected import ${from}.${name}`);
  (imports[from] ??= {})[name] = () => {
    throw new Error(`${name} was called`);
  };
}
const { exports: kernel } = await WebAssembly.instantiate(module, imports);

/** The published program at 1500 x 10, on a machine like the one of the records. */
const PUBLISHED = { 2: 3.0, 4: 4.9, 8: 71.0 };

function epochs(rows, columns, depth, linear) {
  const count = kernel.prepare(rows, columns, depth, linear ? 1 : 0);
  const least = [Infinity, Infinity];
  for (let round = 0; round < 3; round++) {
    for (const which of [0, 1]) {
      kernel.begin(which);
      const begun = process.cpuUsage();
      kernel.run();
      least[which] = Math.min(least[which], process.cpuUsage(begun).user / 1000 / count);
    }
  }
  return least;
}

console.log('| rows | columns | depth | leaves | scale 15 | scale 100 | mean | published : ours |');
console.log('| ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |');
const cases = [2, 4, 6, 8].flatMap((depth) => [false, true].map((linear) => [1500, 10, depth, linear]));
for (const [rows, columns, depth, linear] of [...cases, [10000, 20, 4, false], [10000, 20, 8, false]]) {
  const [soft, steep] = epochs(rows, columns, depth, linear);
  const mean = (soft + steep) / 2;
  const theirs = rows === 1500 && !linear ? PUBLISHED[depth] : undefined;
  const cells = [rows, columns, depth, linear ? 'linear' : 'constant', soft.toFixed(3), steep.toFixed(3), mean.toFixed(3)];
  console.log(`| ${[...cells, theirs ? (theirs / mean).toFixed(0) : '–'].join(' | ')} |`);
}
