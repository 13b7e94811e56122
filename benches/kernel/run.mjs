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

function epochs(rows, columns, depth, linear, greedy) {
  const count = kernel.prepare(rows, columns, depth, linear ? 1 : 0, greedy ? 1 : 0);
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

console.log('| rows | columns | depth | leaves | begins at | scale 15 | scale 100 | mean | published : ours |');
console.log('| ---: | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: |');
// CART's tree is the dearest: it leaves no node without samples, so that few branches can be passed over.
const small = [2, 4, 6, 8].flatMap((depth) => [false, true].flatMap((linear) => [false, true].map((greedy) => [1500, 10, depth, linear, greedy])));
const large = [4, 8].flatMap((depth) => [false, true].map((greedy) => [10000, 20, depth, false, greedy]));
for (const [rows, columns, depth, linear, greedy] of [...small, ...large]) {
  const [soft, steep] = epochs(rows, columns, depth, linear, greedy);
  const mean = (soft + steep) / 2;
  const theirs = rows === 1500 && !linear ? PUBLISHED[depth] : undefined;
  const words = [linear ? 'linear' : 'constant', greedy ? 'CART' : 'random'];
  const cells = [rows, columns, depth, ...words, soft.toFixed(3), steep.toFixed(3), mean.toFixed(3)];
  console.log(`| ${[...cells, theirs ? (theirs / mean).toFixed(0) : '–'].join(' | ')} |`);
}
