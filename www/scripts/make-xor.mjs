// Writes public/samples/xor.csv: the sample on which greedy growth fails.
//
//   node scripts/make-xor.mjs
//
// Six numbers, uniform in [0, 1]; the label is (x0 > 0.5) xor (x1 > 0.5), one label in twenty flipped. No single cut on
// x0 or x1 gains anything, so a greedy tree has no reason to begin where the pattern is. Same numbers at every run.
import { writeFileSync } from 'node:fs';

const ROWS = 600;
const FEATURES = 6;
const FLIPPED = 0.05;

/** A 32-bit generator (Weyl sequence with a mixing step), enough for a sample file. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let word = state;
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return ((word ^ (word >>> 16)) >>> 0) / 2 ** 32;
  };
}

const random = generator(20);
const lines = [[...Array.from({ length: FEATURES }, (_, j) => `x${j}`), 'label'].join(',')];
for (let row = 0; row < ROWS; row++) {
  // The label follows the numbers as written, so that the file itself is the pattern.
  const cells = Array.from({ length: FEATURES }, () => random().toFixed(3));
  const pattern = Number(cells[0]) > 0.5 !== Number(cells[1]) > 0.5;
  const label = random() < FLIPPED ? !pattern : pattern;
  lines.push([...cells, label ? 'yes' : 'no'].join(','));
}
writeFileSync(new URL('../public/samples/xor.csv', import.meta.url), lines.join('\n') + '\n');
