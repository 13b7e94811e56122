const BLANK = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${BLANK}+`);
const TRAILING = new RegExp(`${BLANK}+$`);
const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;

const trimStart = (text) => text.replace(LEADING, '');
const trimEnd = (text) => text.replace(TRAILING, '');
const trim = (text) => trimEnd(trimStart(text));

/** The number that a text spells with a decimal point, or null. */
function plainNumber(text) {
  return NUMBER.test(text) ? Number(text) : null;
}

/** A number rounded to 32 bits; missing if there is none or if it is out of range. */
function single(number) {
  const value = number === null ? NaN : Math.fround(number);
  return Number.isFinite(value) ? value : NaN;
}

/** The value of a cell: a 32-bit number or the position of a word; NaN if missing, -1 if unseen. */
function valueOf(feature, cell) {
  const text = trim(cell);
  if (text === '' || feature.missing.includes(text)) return NaN;
  if (feature.words) return feature.words.get(text) ?? -1;
  return single(numberOf(feature, text));
}

/** A value in a sum; a missing one is replaced. */
function at(value, standIn) {
  return Number.isNaN(value) ? standIn : value;
}

/** A sum clamped to its bounds. */
function hold(sum, low, high) {
  return sum > high ? high : sum >= low ? sum : low;
}

/** The probabilities of two classes from the logit of the second. */
function logistic(score) {
  const p = 1 / (1 + Math.exp(-score));
  return [1 - p, p];
}

/** The prediction for one row of values. */
function answerOf(x) {
  const leaf = leafOf(x);
  const outputs = outputsOf(leaf, x);
  if (CLASSES.length === 0) return { prediction: outputs[0], probabilities: {}, leaf };
  const best = ANSWERS[leaf] ?? outputs.reduce((best, p, index) => (p > outputs[best] ? index : best), 0);
  const probabilities = Object.fromEntries(CLASSES.map((word, index) => [word, outputs[index]]));
  return { prediction: CLASSES[best], probabilities, leaf };
}

/** A feature's cell in a row that maps column names to cells; an absent column is missing. */
function cellIn(row, feature) {
  const cell = Object.hasOwn(row, feature.column) ? row[feature.column] : Object.hasOwn(row, feature.name) ? row[feature.name] : null;
  return cell === null || cell === undefined ? '' : String(cell);
}

/** Predicts one row. `row` maps column names to text cells; the result has prediction, probabilities, leaf. */
export function predict(row) {
  return answerOf(FEATURES.map((feature) => valueOf(feature, cellIn(row, feature))));
}

/** Runs the proof rows: constructed rows with the leaf and the outputs that they must give. */
export function test() {
  PROOF.forEach(([cells, leaf, outputs], number) => {
    const x = FEATURES.map((feature, index) => valueOf(feature, cells[index]));
    const found = outputsOf(leafOf(x), x);
    // The last bits of exp differ between systems; sums of numbers do not.
    const near = CLASSES.length > 0 ? 1e-6 : 0;
    if (leafOf(x) !== leaf || outputs.some((output, index) => Math.abs(output - found[index]) > near)) {
      throw new Error(`Proof row ${number} gives leaf ${leafOf(x)} and ${found}, not leaf ${leaf} and ${outputs}.`);
    }
  });
  return PROOF.length;
}

const WINDOWS_1252 = [...'\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'];

/** The text of a file in UTF-8, UTF-16 with a byte-order mark, or windows-1252. */
function decoded(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not every version of Node decodes windows-1252 as browsers do.
    const latin = new TextDecoder('latin1').decode(bytes);
    return latin.replace(/[\x80-\x9f]/g, (c) => WINDOWS_1252[c.charCodeAt(0) - 0x80]);
  }
}

/** The rows of a CSV text as lists of cells, each with its line; blank lines are skipped. */
function* rowsOf(text, separator) {
  let cells = [];
  let line = 1;
  let begun = 1;
  let position = 0;
  while (position < text.length) {
    let cell = '';
    if (text[position] === '"') {
      position++;
      for (;;) {
        const quote = text.indexOf('"', position);
        const end = quote < 0 ? text.length : quote;
        cell += text.slice(position, end);
        position = end + 1;
        if (text[position] !== '"') break;
        cell += '"';
        position++;
      }
    }
    const rest = position;
    while (position < text.length && text[position] !== separator && text[position] !== '\n' && text[position] !== '\r') position++;
    cell += text.slice(rest, position);
    line += cell.split('\n').length - 1;
    cells.push(trim(cell));
    if (text[position] === separator) {
      position++;
      // A delimiter at the very end precedes an empty cell.
      if (position < text.length) continue;
      cells.push('');
    }
    if (cells.length > 1 || cells[0] !== '') yield [begun, cells];
    position += text.startsWith('\r\n', position) ? 2 : 1;
    cells = [];
    line++;
    begun = line;
  }
}

/** Column names: trimmed, empty ones numbered, repeated ones made unique. */
function named(header) {
  const given = new Set(header.filter((name) => name !== ''));
  const used = new Set();
  return header.map((name, position) => {
    const base = name || `column ${position + 1}`;
    let unique = base;
    for (let copy = 1; used.has(unique) || ((copy > 1 || name === '') && given.has(unique)); ) unique = `${base} (${++copy})`;
    used.add(unique);
    return unique;
  });
}

/** The rows of a CSV text. Its delimiter is the one that finds most of the tree's columns in the header. */
function tableOf(text) {
  const wanted = FEATURES.flatMap(({ name, column }) => [name, column]);
  const namesBy = (separator) => named(rowsOf(text, separator).next().value?.[1] ?? []);
  const hits = (separator) => wanted.filter((name) => namesBy(separator).includes(name)).length;
  const separator = [',', ';', '\t', '|'].reduce((best, other) => (hits(other) > hits(best) ? other : best));
  const names = namesBy(separator);
  const absent = TESTED.map((index) => FEATURES[index]).filter(({ name, column }) => !names.includes(column) && !names.includes(name));
  if (absent.length > 0) {
    const list = JSON.stringify(absent.map(({ column }) => column));
    throw new Error(`The tree tests ${list}, which the file does not have. Its columns are ${JSON.stringify(names)}: rename or add.`);
  }
  const lines = rowsOf(text, separator);
  lines.next();
  return [names, lines];
}

/** The shortest form of a number without an exponent. */
function decimal(number) {
  if (Object.is(number, -0)) return '-0';
  const [digits, exponent] = String(number).split('e');
  if (exponent === undefined) return digits;
  const sign = digits.startsWith('-') ? '-' : '';
  const [whole, decimals = ''] = digits.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const all = whole + decimals;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${all}`;
  return sign + all.padEnd(point, '0');
}

/** A CSV cell, escaped so that no spreadsheet takes it for a formula. */
function field(cell) {
  const formula = /^(?:[=@\t\r\uff1d\uff20]|[-+\uff0b\uff0d][^]*[(|![{])/.test(cell);
  const text = formula ? `'${cell}` : cell;
  return /[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows of a CSV file followed by prediction, probabilities and leaf, line by line. */
function* answers(bytes) {
  const [names, lines] = tableOf(decoded(bytes));
  const header = [...names];
  for (const name of ['prediction', ...CLASSES.map((word) => `probability_${word}`), 'leaf']) {
    let unique = name;
    for (let copy = 2; header.includes(unique); copy++) unique = `${name} (${copy})`;
    header.push(unique);
  }
  yield header.map(field).join(',');
  for (const [line, cells] of lines) {
    if (cells.length !== names.length) throw new Error(`Line ${line}: ${cells.length} fields instead of ${names.length}. Correct the row.`);
    const row = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    const x = FEATURES.map((feature) => valueOf(feature, cellIn(row, feature)));
    const { prediction, leaf } = answerOf(x);
    const numbers = CLASSES.length > 0 ? outputsOf(leaf, x).map(decimal) : [];
    yield [...cells.map(field), CLASSES.length > 0 ? field(prediction) : decimal(prediction), ...numbers, leaf].join(',');
  }
}

/** As a program under Node: `node tree.mjs DATA.csv`, or `--test` to run the proof rows. */
async function main([file, ...more]) {
  const { readFileSync } = await import('node:fs');
  if (file === undefined || more.length > 0) throw new Error('Usage: node tree.mjs DATA.csv, or --test to run the proof rows.');
  if (file === '--test') return console.log(`All ${test()} proof rows give the leaf and output they must.`);
  let waiting = '';
  for (const line of answers(readFileSync(file))) {
    waiting += `${line}\n`;
    if (waiting.length > 65536) {
      process.stdout.write(waiting);
      waiting = '';
    }
  }
  process.stdout.write(waiting);
}

// Browsers have no `process`; an imported module is not the one that was started.
if (typeof process !== 'undefined' && process.argv?.[1]) {
  const { pathToFileURL } = await import('node:url');
  const { realpathSync } = await import('node:fs');
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
    await main(process.argv.slice(2)).catch((error) => {
      console.error(error.message);
      process.exitCode = 1;
    });
  }
}
