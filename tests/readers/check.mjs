// Runs every tree in a folder through Node and Graphviz, and prints one JSON object per tree and reader.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = process.argv[2];
const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8'));
const lines = [];

function report(reader, name, rows, leaves, answers, note = '') {
  lines.push(JSON.stringify({ reader, case: name, rows, leaves, answers, note }));
}

async function checkNode(name) {
  const { features, rows, classes, file } = JSON.parse(readFileSync(join(folder, name, 'rows.json'), 'utf8'));
  const path = join(folder, name, 'tree.mjs');
  const tree = await import(pathToFileURL(path).href);
  tree.test();
  let leaves = 0;
  let answers = 0;
  for (const row of rows) {
    const cells = Object.fromEntries(features.map((feature, index) => [feature.name, row.cells[index]]));
    const found = tree.predict(cells);
    leaves += found.leaf === row.leaf ? 0 : 1;
    const near = classes.every((word, index) => Math.abs(found.probabilities[word] - row.probabilities[index]) <= 1e-6);
    answers += found.prediction === row.prediction && near ? 0 : 1;
  }
  report('node', name, rows.length, leaves, answers);
  if (!file) return;
  const printed = execFileSync(process.execPath, [path, join(folder, name, 'data.csv')], { maxBuffer: 2 ** 28 }).toString();
  const wanted = readFileSync(join(folder, name, 'answers.csv'), 'utf8');
  // Two decimals can be the shortest for one number, so numbers are compared as such.
  const cells = (text) => text.split(/[,\n]/).map((cell) => (cell.trim() !== '' && !Number.isNaN(Number(cell)) ? Number(cell) : cell));
  const [a, b] = [cells(printed), cells(wanted)];
  const other = b.filter((cell, index) => cell !== a[index]).length + Math.abs(a.length - b.length);
  report('node as a program', name, wanted.split('\n').length - 2, 0, other);
}

/** Graphviz compiled to WebAssembly, from the page's development packages. */
async function graphviz() {
  try {
    const require = createRequire(join(fileURLToPath(new URL('../../www/', import.meta.url)), 'package.json'));
    const { instance } = await import(pathToFileURL(require.resolve('@viz-js/viz')).href);
    return await instance();
  } catch {
    console.error('Graphviz (@viz-js/viz) is not installed in www; its comparisons are left out.');
    return null;
  }
}

const viz = await graphviz();
for (const name of cases) {
  try {
    await checkNode(name);
  } catch (error) {
    report('node', name, 1, 1, 0, String(error).slice(0, 400));
  }
  if (!viz) continue;
  const nodes = JSON.parse(readFileSync(join(folder, name, 'tree.tree.json'), 'utf8')).trees[0].nodes.length;
  const { output, errors } = viz.render(readFileSync(join(folder, name, 'tree.dot'), 'utf8'), { format: 'json' });
  const drawn = output ? JSON.parse(output) : {};
  const right = drawn.objects?.length === nodes && (drawn.edges?.length ?? 0) === nodes - 1;
  report('graphviz', name, nodes, right ? 0 : 1, 0, errors.filter(({ level }) => level === 'error').map(({ message }) => message).join(' '));
}
process.stdout.write(`${lines.join('\n')}\n`);
