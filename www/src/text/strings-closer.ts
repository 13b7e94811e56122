/** Strings of the closer look, which is loaded only when there is something to look at. */
import { LOCALE } from './locale';
import { capital, formatCount, formatScore, strings } from './strings';

const gain = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2 });
// For losses near each other, three decimals would often be the same.
const loss = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 });
const tenth = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const thousandth = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
  signDisplay: 'negative',
});
const share = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const rows = (count: number) => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`;

export const closer = {
  heading: 'A closer look',

  restarts: {
    label: (unit: string) => `Loss of each ${unit}`,
    help: (unit: string, apart: boolean) =>
      `One chart for each ${unit}, ${apart ? 'random starts' : 'all'} on the same axes. The tree is kept by its answers on held-out rows, not by its loss alone.`,
    caption: (name: string, kept: boolean) => `${name}${kept ? ', kept' : ''}`,
    /** `at` is the epoch and the loss of the kept tree, if known. */
    text: (
      name: string,
      epochs: number,
      least: number | null,
      kept: boolean,
      at: { epoch: number; loss: number } | null,
    ) =>
      `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${formatCount(epochs)} ${epochs === 1 ? 'epoch' : 'epochs'}` +
      `${least === null ? '' : `, least loss as trained ${loss.format(least)}`}.` +
      (kept
        ? ` Its tree is kept${at === null ? '' : `, as of epoch ${formatCount(at.epoch)} with a loss as trained of ${loss.format(at.loss)}`}.`
        : ''),
  },

  on: (test: boolean, count: number) =>
    test
      ? `On the ${rows(count)} of the test.`
      : `On ${rows(count)} of training, since no rows are held out.`,

  /** A moment of the training is shown above. */
  finished: 'This is about the finished trees; only the map follows the moment on show.',

  confusion: {
    heading: 'Which classes are mistaken for which',
    truth: 'in the file',
    said: 'the tree says',
    caption: (tree: string) => `${tree}: rows of the file's class, columns of the answer`,
    right: (count: number, all: number) => `${formatCount(count)} of ${formatCount(all)} right`,
    matrix: 'Darker: more rows. Down the file’s class, across the answer; right answers are on the diagonal.',
    tooMany: (shown: number, classes: number) =>
      `The ${formatCount(shown)} most frequent mistakes of ${formatCount(classes)} classes:`,
    mistake: (truth: string, said: string, count: number) => `${truth} taken for ${said}: ${rows(count)}`,
    none: 'No mistakes.',
  },

  threshold: {
    heading: (name: string) => `When a leaf answers “${name}”`,
    label: (name: string) => `Probability of “${name}”`,
    from: (name: string, limit: number) => `answers ${name} from ${share.format(limit)} on`,
    always: 'the costs always lead to the same answer',
    back: (rule: string) => `Back to: ${rule}`,
    help: 'Moves the answers, the mistakes and the filled points below together, for both trees. The probability is the share of a leaf’s training rows, moved a little towards that of the branch above. Moving the slider sets the costs of mistakes that belong to the limit.',
  },

  roc: {
    heading: (positive: string) => `Finding “${positive}”: hits against false alarms`,
    x: 'false alarms',
    y: 'hits',
    text: (tree: string, area: number) => `${tree}: area under the curve ${formatScore(area)}`,
    hits: (hits: number, alarms: number) =>
      `${share.format(hits)} hits at ${share.format(alarms)} false alarms`,
    now: (hits: number, alarms: number) =>
      `answers now: ${share.format(hits)} hits, ${share.format(alarms)} false alarms`,
    which: 'Class',
    none: (positive: string) =>
      `None of these rows, or all of them, are “${positive}”, so there is nothing to find.`,
    tick: (part: number) => share.format(part),
    help: (positive: string) =>
      `A tree gives a probability; each point is another limit above which the answer counts as “${positive}”. Filled: the answers as they are now. The dashed line is guessing.`,
  },

  numbers: {
    heading: 'Predicted against true',
    truth: 'in the file',
    said: 'predicted',
    residuals: 'Errors',
    text: (tree: string, error: number) => `${tree}: root mean squared error ${formatScore(error)}`,
    help: 'On the dashed line the answer is exact. Below: how often which error occurs, predicted minus true; left of the middle is too low.',
    range: (low: number, high: number) => `from ${formatScore(low)} to ${formatScore(high)}`,
  },

  importance: {
    heading: 'Which columns matter',
    help: (metric: string) =>
      `By how much ${strings.metrics.names[metric] ?? metric} ${metric === 'cost' ? 'rises' : 'falls'} when a column's values are shuffled among the rows. Below zero: the column only misled.`,
    none: 'A tree of one leaf reads no column.',
    caption: 'Worth of each column in both trees',
    more: (count: number) =>
      `${formatCount(count)} further ${count === 1 ? 'column, which is worth less, is' : 'columns, which are worth less, are'} left out.`,
    column: 'Column',
    /** Values that round to nothing are shown as nothing: an importance of 0.00002 is luck. */
    worth: (value: number | null) => (value === null ? '–' : thousandth.format(value)),
  },

  disagreement: {
    heading: 'Where the trees disagree, and who is right',
    same: 'The two trees give the same answer on every one of these rows.',
    caption: (name: string) =>
      `Leaves of CART down, leaves of ${name} across; only those whose answers differ`,
    and: ' and ',
    leaf: (answer: string, count: number) => `${answer}, ${rows(count)}`,
    states: (name: string, learner: string, numbers: boolean) => ({
      cart: { word: numbers ? 'CART nearer' : 'only CART right', sign: 'C' },
      gradient: { word: numbers ? `${name} nearer` : `only ${name} right`, sign: learner.charAt(0) },
      neither: { word: 'neither right', sign: '–' },
      mixed: { word: 'now one, now the other', sign: '±' },
    }),
    summary: (name: string, differ: number, all: number, cart: number, gradient: number) =>
      `They differ on ${formatCount(differ)} of ${rows(all)}: CART is right on ${formatCount(cart)} of these, ${name} on ${formatCount(gradient)}.`,
    summaryNumbers: (name: string, all: number, cart: number, gradient: number) =>
      `Of ${rows(all)}, CART is nearer on ${formatCount(cart)}, ${name} on ${formatCount(gradient)}.`,
    more: (count: number) =>
      `${formatCount(count)} further ${count === 1 ? 'leaf' : 'leaves'} with fewer rows ${count === 1 ? 'is' : 'are'} left out.`,
  },

  plane: {
    heading: 'Two columns as a map',
    x: 'Across',
    y: 'Upwards',
    help: (others: number) =>
      'Colours are answers, marks are training rows.' +
      (others > 0
        ? ' Every other column is held at its median or most frequent word, so marks may lie on another colour than their own.'
        : ''),
    hatch: (name: string, numbers: boolean) =>
      `Hatched in the map of ${name}: ${numbers ? 'they differ by more than a twentieth of the range' : 'the trees differ'}.`,
    few: 'A map needs two columns of numbers or of not too many words.',
    label: (tree: string, x: string, y: string) => `${tree} over ${x} and ${y}`,
    text: (differ: number) => `The two trees differ on ${share.format(differ)} of this map.`,
    shares: (tree: string, parts: readonly (readonly [string, number])[], others: number) =>
      `${tree} answers ${parts.map(([answer, part]) => `${answer} on ${share.format(part)}`).join(', ')}` +
      (others > 0 ? ` and ${formatCount(others)} further classes on the rest.` : ' of it.'),
    range: (tree: string, low: string, high: string) =>
      low === high ? `${tree} answers ${low} everywhere.` : `${tree} answers from ${low} to ${high}.`,
    others: (count: number) => `${formatCount(count)} other classes`,
    legend: (low: string, high: string) => `Answers from ${low} (light) to ${high} (dark)`,
    waiting: 'Drawing the map.',
    gone: 'The engine no longer has the rows of this training. Train again to see the map.',
    then: 'as at the chosen moment of the training',
  },

  why: {
    heading: 'Why one is better, or neither',
    help: 'Grows what is below either first cut again, greedily and by the learner, in the background. Takes about as long as the training.',
    ask: 'Explain the difference',
    working: 'Growing the trees below both first cuts.',
    progress: 'Growing trees; how far it is cannot be said',
    clock: (seconds: number) => `${formatCount(seconds)} s so far. You can go on working with the page.`,
    stop: 'Stop',
    again: 'Explain again',
    failed: (why: string) => `That did not work: ${why}`,
    first: (
      tree: string,
      { condition, gain: worth, rank }: { condition: string; gain: number; rank: number },
      cuts: number,
      sum: boolean,
    ) => {
      if (condition === '') return `${tree} makes no cut at all.`;
      const takes = `takes ${gain.format(worth)} off the impurity at once`;
      if (!sum)
        return `${tree}'s first cut, ${condition}, ${takes}: ${place(rank)} of ${formatCount(cuts)} cuts of one column.`;
      const better = rank === 1 ? 'more than any' : `less than ${formatCount(rank - 1)}`;
      return `${tree}'s first cut, the weighted sum ${condition}, ${takes}: ${better} of the ${formatCount(cuts)} cuts of one column.`;
    },
    gain: (classes: boolean) =>
      classes
        ? 'Impurity: how often two rows drawn from the same side have different classes (Gini). A greedy learner takes the cut that lowers it most at once.'
        : 'Impurity: the mean squared distance from the mean of the same side (variance). A greedy learner takes the cut that lowers it most at once.',
    notBest:
      'Counted on the training rows. CART learns from the validation rows too, so its cut need not be the best on these alone.',
    table: 'Four trees: the first cut from one, what is below grown by one',
    isCart: 'CART itself',
    isGradient: (name: string) => `${name} itself`,
    root: 'First cut from',
    rest: {
      greedy: 'rest grown by CART, greedily',
      gradient: (learner: string) => `rest grown by ${learner}`,
    },
    score: (metric: string, count: number) =>
      `${capital(strings.metrics.names[metric] ?? metric)}${metric === 'cost' ? ` (${strings.metrics.less})` : ''} on ${rows(count)} of held-out data; all four trees have the same depth limit.`,
    verdict: whyVerdict,
  },

  seeds: {
    heading: 'Is it luck? Five seeds',
    help: 'Trains both trees five times, each time with other rows held out and another start, in the background.',
    ask: 'Run five seeds',
    again: 'Run five seeds again',
    stop: 'Stop',
    working: (done: number, all: number) => `${done} of ${all} done.`,
    progress: 'Progress of the five trainings',
    failed: (why: string) => `That did not work: ${why}`,
    metric: 'Metric',
    caption: 'Mean ± standard deviation over the seeds',
    chart: (metric: string) => `${capital(metric)} on the test rows, a line for each seed`,
    spread: (mean: number, deviation: number) => `${formatScore(mean)} ± ${formatScore(deviation)}`,
    size: (mean: number, deviation: number) => `${tenth.format(mean)} ± ${tenth.format(deviation)}`,
    others: 'Validation and training rows',
    each: 'Each seed',
    eachCaption: (metric: string) => `${capital(metric)} on the test rows, by seed`,
    seed: 'Seed',
    verdict: (name: string, cart: number, gradient: number, ties: number) =>
      cart === gradient
        ? `Neither is ahead: each is better with ${cart} of ${cart + gradient + ties} seeds.`
        : `${gradient > cart ? capital(name) : 'CART'} is better with ${Math.max(cart, gradient)} of ${cart + gradient + ties} seeds` +
          (ties > 0 ? `, level with ${ties}.` : '.') +
          // With one seed against it, or fewer than four for it, a fair coin does as well more often than
          // not.
          (Math.min(cart, gradient) > 0 || Math.max(cart, gradient) < 4 ? ' That can be chance.' : ''),
  },

  row: {
    heading: 'One row',
    help: (one: boolean) =>
      `Its way is drawn in the ${one ? 'tree' : 'trees'} above. Change a value and see where it tips.`,
    usual: 'It begins with medians and first words: a tree file holds no rows.',
    which: (count: number) => `Row, 1 to ${formatCount(count)}`,
    different: 'Next row where the trees differ',
    noneDifferent: 'The trees give the same answer on every row.',
    own: 'Some values are your own.',
    asInFile: 'As in the file',
    truth: (target: string, value: string) => `In the file ${target} is ${value}.`,
    missing: 'missing',
    answer: (tree: string, answer: string) => `${tree} says ${answer}`,
    leafShare: (text: string, probability: number | null) =>
      `: ${text} in its leaf${probability === null ? '' : `; as a probability ${formatScore(probability)}, moved a little towards the branch above`}`,
    sure: (p: number) => ` with probability ${formatScore(p)}`,
    beyond: (formula: string) =>
      `The leaf's formula alone would give ${formula}. The row is far from those the tree learned from, so the answer stays within the targets' range and as far again.`,
    caption: (tree: string) => `${tree}: what decided`,
    test: 'Test',
    value: 'Value',
    way: 'Goes',
    distance: 'To tip',
    yes: 'yes',
    no: 'no',
    sum: 'the whole sum',
    alone: (column: string, way: string) => `${column} alone: ${way}`,
    up: (by: string) => `more than ${by} up`,
    down: (by: string) => `${by} down`,
    days: (count: string, later: boolean) =>
      `${count} ${count === '1' ? 'day' : 'days'} ${later ? 'later' : 'earlier'}`,
    side: (date: string, after: boolean) => (after ? `after ${date}` : `${date} or before`),
    word: 'another word',
    unknown: 'missing or unknown',
    leaf: 'One leaf: every row gets the same answer.',
    formula: 'One leaf: every row gets the answer of the same formula.',
    stop: 'Let go of the row',
    start: 'Follow a row',
  },
};

function place(rank: number): string {
  if (rank === 1) return 'the best';
  const last = rank % 100 >= 11 && rank % 100 <= 13 ? 0 : rank % 10;
  return `the ${formatCount(rank)}${last === 1 ? 'st' : last === 2 ? 'nd' : last === 3 ? 'rd' : 'th'} best`;
}

/**
 * A sentence from four scores. They are CART's first split with the rest grown by CART and by the learner,
 * then the same for the learner's first split. A difference counts only above `noise`. For a cost, lower is
 * better.
 */
function whyVerdict(scores: readonly number[], noise: number, learner: string, metric: string): string {
  const less = metric === 'cost';
  const [cc = NaN, cg = NaN, gc = NaN, gg = NaN] = scores.map((score) => (less ? -score : score));
  const say = (score: number) => formatScore(less ? -score : score);
  if (Math.abs(gg - cc) <= noise) {
    return `The two trees are level (${say(cc)} and ${say(gg)}): a difference this small can be chance, and so nothing needs to be explained.`;
  }
  if (gg > cc) {
    if (gc - cc > (gg - cc) / 2) {
      return `The first cut was the cost: from ${learner}'s first cut even greedy growth reaches ${say(gc)} instead of ${say(cc)}.`;
    }
    if (cg - cc > (gg - cc) / 2) {
      return `The growth below made the difference: from CART's own first cut ${learner} still reaches ${say(cg)} instead of ${say(cc)}.`;
    }
    return `It takes both: with only the first cut from ${learner} greedy growth reaches ${say(gc)}, with only the rest ${say(cg)}, together ${say(gg)}; CART has ${say(cc)}.`;
  }
  if (cg - gg > (cc - gg) / 2) {
    return `CART wins by its first cut: starting from it, ${learner} too reaches ${say(cg)} instead of ${say(gg)}.`;
  }
  if (gc - gg > (cc - gg) / 2) {
    return `CART wins below the first cut: grown greedily from ${learner}'s own cut the score is ${say(gc)} instead of ${say(gg)}.`;
  }
  return `CART is better (${say(cc)} against ${say(gg)}), and neither the first cut alone (${say(cg)}) nor the rest alone (${say(gc)}) accounts for it.`;
}
