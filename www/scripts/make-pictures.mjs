// Makes the small pictures of the samples from the samples themselves: `node scripts/make-pictures.mjs`, in www/.
import { readFile, writeFile } from 'node:fs/promises';

const [WIDTH, HEIGHT, MARGIN] = [72, 44, 4];
const DOTS = 110;

/** What each picture shows: two columns, and the column that colours the dots. */
const PICTURES = [
  { name: 'xor', x: 'x0', y: 'x1', colour: 'label' },
  { name: 'iris', x: 'petal_length', y: 'petal_width', colour: 'class' },
  { name: 'raisin', x: 'MajorAxisLength', y: 'Extent', colour: 'Class' },
  { name: 'echocardiogram', x: 'age-at-heart-attack', y: 'wall-motion-index', colour: 'alive-at-1' },
  { name: 'airfoil', x: 'frequency', y: 'scaled-sound-pressure', colour: null },
];

/** The first class colours of the page, in the light and in the dark theme. */
const LIGHT = ['#b97500', '#2a86bd', '#00815e'];
const DARK = ['#e8a317', '#62baec', '#21b98c'];

for (const { name, x, y, colour } of PICTURES) {
  const [head, ...lines] = (await readFile(`public/samples/${name}.csv`, 'utf8')).trim().split(/\r?\n/);
  const columns = head.split(',');
  const place = (column) => {
    const at = columns.indexOf(column);
    if (at < 0) throw new Error(`${name}.csv has no column ${column}: ${head}`);
    return at;
  };
  // A row that lacks one of the two numbers has no place.
  const rows = lines
    .map((line) => line.split(','))
    .filter((row) => [x, y].every((column) => row[place(column)] !== ''));
  const every = rows.filter((_, index) => index % Math.ceil(rows.length / DOTS) === 0);
  const scaled = (column, size) => {
    const values = rows.map((row) => Number(row[place(column)]));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return (row) => MARGIN + ((Number(row[place(column)]) - low) / (high - low)) * (size - 2 * MARGIN);
  };
  const [across, up] = [scaled(x, WIDTH), scaled(y, HEIGHT)];
  const classes = colour === null ? ['all'] : [...new Set(rows.map((row) => row[place(colour)]))].sort();
  const dots = classes.map((word, index) => {
    const mine = every.filter((row) => colour === null || row[place(colour)] === word);
    const d = mine.map((row) => `M${across(row).toFixed(1)},${(HEIGHT - up(row)).toFixed(1)}h0`).join('');
    return `<path class="c${colour === null ? 1 : index}" d="${d}"/>`;
  });
  const paint = (colours) => colours.map((value, index) => `.c${index}{stroke:${value}}`).join('');
  const style = `path{fill:none;stroke-width:3;stroke-linecap:round}${paint(LIGHT)}@media(prefers-color-scheme:dark){${paint(DARK)}}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><style>${style}</style>${dots.join('')}</svg>\n`;
  await writeFile(`public/samples/${name}.svg`, svg);
  console.log(`${name}.svg: ${svg.length} bytes`);
}
