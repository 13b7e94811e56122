// The same file, settings and seed give the same bytes from the page's wasm and from the native command line.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { downloadTree, espalier, put, sampleFile, site, waitForDone } from './support.mjs';

const here = site();

const CASES = [
  { sample: 'xor', target: 'label', depth: 2, seed: 3, set: { epochs: 80, restarts: 2 } },
  {
    sample: 'iris',
    target: 'class',
    depth: 3,
    seed: 4294967295,
    set: { epochs: 60, restarts: 1, loss: 'focal' },
  },
  {
    sample: 'airfoil',
    target: 'scaled-sound-pressure',
    depth: 5,
    seed: 11,
    set: { epochs: 15, restarts: 1, split: 'softsign' },
  },
  // Formulas with their bounds, from the larger engine.
  {
    model: 'get-linear',
    sample: 'airfoil',
    target: 'scaled-sound-pressure',
    depth: 3,
    seed: 5,
    set: { epochs: 10, starts: 2 },
  },
];

for (const { model = 'gradtree', sample, target, depth, seed, set } of CASES) {
  test(`${sample} by ${model}: both trees are byte-identical`, async () => {
    const chosen = Object.entries(set)
      .map(([key, value]) => `&set.${key}=${value}`)
      .join('');
    const { page, close } = await here.open({
      hash: `#sample=${sample}&model=${model}&depth=${depth}&seed=${seed}${chosen}`,
    });
    await waitForDone(page);
    const data = await put(here.folder, `${sample}.csv`, await sampleFile(`${sample}.csv`));
    const train = async (model, extra) => {
      const tree = join(here.folder, `${sample}-${model}.tree.json`);
      const common = [
        '--target',
        target,
        '--depth',
        String(depth),
        '--seed',
        String(seed),
        '--test',
        '0.2',
        '--valid',
        '0.2',
      ];
      await espalier(
        'train',
        data,
        '--model',
        model,
        ...common,
        ...extra,
        '--tree',
        tree,
        '--progress',
        'none',
      );
      return readFile(tree, 'utf8');
    };
    const settings = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    const gradient = await downloadTree(page, 'gradient');
    assert.equal(gradient.text, await train(model, settings), model);
    assert.equal(gradient.text.includes('"leaf_bounds"'), model === 'get-linear');
    const cart = await downloadTree(page, 'cart');
    assert.equal(cart.text, await train('cart', []), 'CART');
    await close();
  });
}
