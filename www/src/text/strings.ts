/**
 * All strings of the page, except those of views that are loaded later. Plain English; numbers as in
 * `numbers.ts`.
 */
import {
  formatBytes,
  formatCount,
  formatLimit,
  formatPercent,
  formatScale,
  formatScore,
  formatSeconds,
} from './numbers';
import type { ProgressInfo } from '../protocol';
import type { TimeLeft } from '../state/time-left';

export { formatCount, formatScore };

const rows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`;
const fields = (count: number): string => `${formatCount(count)} ${count === 1 ? 'field' : 'fields'}`;
const columns = (count: number): string => `${formatCount(count)} ${count === 1 ? 'column' : 'columns'}`;
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** The name of either tree. */
export type TreeNames = Readonly<Record<'cart' | 'gradient', string>>;

/** Below this many seconds no number is shown: the last stage and the scores may take as long. */
const FEW_SECONDS = 5;

/** The time left in words. An estimate is rounded, so that it does not look exact. */
const remaining = ({ kind, seconds }: TimeLeft): string => {
  if (kind === 'atMost') return `at most ${formatSeconds(Math.max(1, seconds))}`;
  if (seconds < FEW_SECONDS) return 'a few seconds';
  return `about ${formatSeconds(seconds < 60 ? 5 * Math.round(seconds / 5) : seconds)}`;
};

const arrows =
  'Arrows: a weighted sum of columns, the strongest first, ↑ where more of it means no, ↓ where more means yes.';

const metricNames: Record<string, string> = {
  accuracy: 'accuracy',
  balanced_accuracy: 'balanced accuracy',
  macro_f1: 'macro F1',
  auc: 'area under ROC curve',
  cost: 'cost per row',
  log_loss: 'log loss',
  calibration_error: 'calibration error',
  dendrogram_purity: 'dendrogram purity',
  r2: 'R²',
  rmse: 'root mean squared error',
  mae: 'mean absolute error',
};

export const strings = {
  title: 'Espalier',
  /**
   * The name of the tree next to CART's, by its learner; how it was made is shown elsewhere. CART may have
   * settings of its own, and the best tree of descent alone may be shown in place of the kept one.
   */
  treeName: (learner: string, alone: boolean) =>
    learner === 'CART' ? 'CART, with your settings' : (learner || 'Tree') + (alone ? ', descent alone' : ''),
  /** The same within a sentence. */
  treeInSentence: (name: string) =>
    name
      .replace(/^\S+ tree/, (tree) => `the ${tree.toLowerCase()}`)
      .replace(', d', ' by d')
      .replace(',', ''),
  lead: 'Espalier trains a decision tree by gradient descent and shows it beside the greedy tree, on your own file, in this tab.',
  privacy: 'Your file stays on this computer.',
  skip: 'Skip to the result',
  dismiss: 'Dismiss',
  drop: 'Drop a CSV file, or a *.tree.json, anywhere',

  footer: (version: string) =>
    `Espalier ${version}. Everything runs in this tab: no server, no account, no request to any other host.`.replace(
      ' .',
      '.',
    ),

  data: {
    heading: 'Data',
    samples: 'Samples',
    sampleHint: 'Five samples to try, or a file of your own.',
    sample: {
      xor: { name: 'XOR', line: '600 rows, two classes. Greedy growth misses the pattern.' },
      raisin: { name: 'Raisins', line: '900 raisins, two kinds. The greedy tree is as good.' },
      iris: { name: 'Iris', line: '150 flowers, three kinds. Easy for both.' },
      echocardiogram: {
        name: 'Heart',
        line: '132 heart patients, one class rare. At equal depth the greedy tree is worse with 7 of 10 seeds.',
      },
      airfoil: {
        name: 'Airfoil',
        line: '1,503 wind-tunnel runs, a number to predict. Weighted sums of columns win.',
      },
    } as Record<string, { name: string; line: string }>,
    file: 'Choose a CSV file',
    fileHint: 'or drop it anywhere on the page.',
    paste: 'Paste a table',
    pasteLabel: 'Rows of a table, the column names first',
    pasteButton: 'Use this table',
    pasteEmpty: {
      message: 'There is nothing to read: the box is empty.',
      hint: 'Paste some rows, with the column names in the first line.',
    },
    pastedName: 'pasted table',
    oneFile: {
      message: 'More than one file was dropped.',
      hint: 'Drop one file at a time: a CSV with a header line, or a *.tree.json.',
    },
    noFile: {
      message: 'What was dropped is not a file.',
      hint: 'Drop a CSV file from your file manager, or paste the rows instead.',
    },
    unreadable: (name: string) => ({
      message: `The file “${name}” cannot be read any more.`,
      hint: 'It may have been moved, changed or deleted since it was chosen. Choose it again.',
    }),
    noRoom: {
      message: 'The tab has no room left for this file.',
      hint: 'Close other tabs and try again, or choose a smaller file.',
    },
    tooLarge: (name: string, size: number, limit: number, count: number) => ({
      message: `“${name}” has ${formatBytes(size)}; this tab can hold ${formatBytes(limit)}.`,
      hint: `About ${rows(count)} of it would fit. A random sample of that size usually gives nearly the same tree.`,
    }),
    takeSample: (count: number) => `Take a random sample of ${rows(count)}`,
    sampled: (name: string, taken: number, all: number, seed: number) =>
      `This is a random sample of ${formatCount(taken)} of the ${rows(all)} of ${name}, drawn with seed ${seed}.`,
    skipRows: (count: number) => (count === 1 ? 'Skip this row' : `Skip these ${rows(count)}`),
    lines: (lines: readonly number[], count: number) =>
      `Lines ${lines.map(formatCount).join(', ')}` +
      (lines.length < count ? ` and ${formatCount(count - lines.length)} more.` : '.'),
    reading: 'Reading progress',
    readingRows: (count: number) => (count > 0 ? `${rows(count)} so far` : 'opening the file'),
    sampling: 'drawing rows',
    cancel: 'Cancel',
    noSample: (name: string) => ({
      message: `The sample “${name}” could not be fetched.`,
      hint: 'Check the connection and try again, or use a file of your own: that needs no connection.',
    }),
    noSuchTarget: (wanted: string, used: string) =>
      `There is no column “${wanted}” here that can be predicted` +
      (used ? `; “${used}” is the target instead.` : '.'),
    used: (name: string, rowCount: number, columnCount: number) =>
      `${name}: ${rows(rowCount)}, ${columns(columnCount)}`,
  },

  writing: {
    heading: 'How the file is written',
    delimiter: 'Separator',
    delimiters: { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as Record<string, string>,
    encoding: 'Encoding',
    encodings: {
      'utf-8': 'UTF-8',
      'utf-16le': 'UTF-16 LE',
      'utf-16be': 'UTF-16 BE',
      'windows-1252': 'Windows-1252',
    } as Record<string, string>,
    header: 'First line',
    headers: { true: 'names', false: 'a row of data' } as Record<string, string>,
    guessed: (what: string) => (what ? `${what}, guessed` : 'to be guessed'),
    guess: 'guess again',
    skip: 'Skip rows that cannot be read',
  },

  preview: {
    heading: 'Preview',
    empty: 'The first rows appear here once there is a file.',
    region: 'First rows of the table, scrollable',
    caption: (shown: number, all: number) =>
      shown < all ? `First ${formatCount(shown)} of ${rows(all)}` : rows(all),
    kindOf: (name: string) => `Kind of ${name}`,
    automatic: 'as read',
    use: 'use',
    useOf: (name: string) => `Use ${name} as a feature`,
    target: 'target',
    notUsed: 'not used',
    noneMissing: 'none missing',
    moreWarnings: (count: number) => `${formatCount(count)} more warnings`,
    missing: (count: number, all: number) =>
      `${formatCount(count)} missing (${formatPercent(count / Math.max(1, all))})`,
    distinct: (count: number) => `${formatCount(count)} different`,
    unfit: (count: number) =>
      count === 1 ? '1 cell does not fit' : `${formatCount(count)} cells do not fit`,
    details: 'details',
    detailsOf: (name: string) => `Details of ${name}`,
    quantiles: ([least, lower, median, upper, greatest]: readonly string[]) =>
      `From ${least} to ${greatest}; median ${median}, middle half from ${lower} to ${upper}.`,
    frequent: (words: readonly (readonly [string, number])[], others: number) =>
      `Most frequent: ${words.map(([word, count]) => `${word} (${formatCount(count)})`).join(', ')}` +
      (others > 0 ? `; ${rows(others)} with other words.` : '.'),
    nothing: 'Every cell is empty.',
    skipped: (count: number) => `Rows that were left out: ${formatCount(count)}`,
    skippedRow: (line: number, expected: number, found: number | null) =>
      `Line ${formatCount(line)}: ` +
      (found === null
        ? 'a quote opens and is never closed'
        : `${fields(found)} instead of ${formatCount(expected)}`),
    kinds: {
      number: { sign: '#', word: 'number' },
      category: { sign: 'A', word: 'category' },
      'yes-no': { sign: '◐', word: 'yes-no' },
      date: { sign: '▦', word: 'date' },
      text: { sign: '¶', word: 'text' },
      constant: { sign: '=', word: 'constant' },
      identifier: { sign: '№', word: 'identifier' },
    } as Record<string, { sign: string; word: string }>,
  },

  settings: {
    heading: 'Settings',
    target: 'Target',
    noTarget: 'no column yet',
    chooseTarget: 'choose a column',
    targetHelp: 'The column to be predicted.',
    taskHelp: 'Classification predicts a class, regression a number.',
    groups: 'No target: find groups',
    groupsHelp:
      'Rows that are alike are put together in a hierarchy. Some columns are learned from the others, so no answer has to be known.',
    label: 'Score the groups by',
    noLabel: 'nothing',
    labelHelp:
      'A column of known classes. Nothing is learned from it; the score says how pure the groups are.',
    strength: 'Pruning',
    strengthValue: (value: number) =>
      value === 0 ? 'keep everything' : value === 1 ? 'one split' : formatPercent(value),
    strengthLeast: 'keep everything',
    strengthMost: 'one split',
    cannotBeTarget: (name: string) => `${name} (cannot be a target)`,
    positive: 'Positive class',
    positiveHelp: 'The class that scores and probabilities are about.',
    answers: 'What counts',
    rules: {
      auto: 'Automatic',
      likeliest: 'Right answers',
      balanced: 'Every class equally',
      costs: 'Costs I set',
    } as Record<string, string>,
    rulesHelp: {
      auto: 'Right answers count; where a class is rare, every class counts equally.',
      likeliest: 'A leaf answers its most frequent class.',
      balanced: 'A leaf answers the class that is most frequent there compared with the whole file.',
      costs: 'A leaf answers the class that costs least on average.',
    } as Record<string, string>,
    noCosts: 'Costs I set (classes not known yet)',
    usualPositive: (name: string) => `${name}, as usual`,
    task: 'Task',
    tasks: {
      auto: 'automatic',
      classification: 'classification',
      regression: 'regression',
      clustering: 'groups',
    } as Record<string, string>,
    automatic: (task: string) => (task ? `automatic (${task})` : 'automatic'),
    model: 'Learner',
    recipe: 'Recipe',
    recipes: { espalier: 'Espalier', published: 'As published' },
    said: 'Set by hand',
    resetOne: 'Reset',
    resetOf: (label: string) => `Reset ${label} to what the recipe says`,
    depth: 'Depth',
    depthHelp: 'For both trees.',
    depthOfSample: (recipe: number | null) =>
      `Set by this sample${recipe === null ? '' : `; the recipe says ${recipe}`}.`,
    budget: 'Time budget, s',
    budgetHelp: 'After it the best tree so far is kept; 0 for no limit.',
    seed: 'Seed',
    seedHelp: 'The same file, settings and seed give the same tree.',
    newSeed: 'New seed',
    test: 'Test, % of rows',
    testHelp: 'Held out to compare the two trees.',
    valid: 'Validation, %',
    validHelp: 'Held out to decide when to stop.',
    more: 'More settings',
    reset: 'Reset all to the recipe',
    sharesTooLarge: 'Test and validation rows together must leave at least a tenth of the rows for training.',
    range: (label: string, min: number | null, max: number | null, wholeOnly: boolean) => {
      const what = wholeOnly ? 'a whole number' : 'a number';
      const say = formatLimit;
      if (min !== null && max !== null) return `${label} must be ${what} from ${say(min)} to ${say(max)}.`;
      if (min !== null) return `${label} must be ${what}, ${say(min)} or more.`;
      if (max !== null) return `${label} must be ${what}, ${say(max)} or less.`;
      return `${label} must be ${what}.`;
    },
    badHash: (parts: readonly string[]) =>
      `Part of the address could not be understood and was left at its default: ${parts.join(', ')}.`,
  },

  train: {
    heading: 'Train',
    train: 'Train',
    again: 'Train again',
    pause: 'Pause',
    resume: 'Resume',
    step: 'Step',
    stepHelp: 'One epoch, while paused',
    stop: 'Stop',
    progress: 'Training progress',
    budgetUsed: (budget: number) =>
      `The time budget of ${formatSeconds(budget)} was used up; the best tree so far was kept.`,
    budgetLate: (budget: number, took: number) =>
      `The time budget of ${formatSeconds(budget)} was used up; the best tree so far was kept, after ${formatSeconds(took)} in all.`,
    budgetWithoutTree: (budget: number, took: number) =>
      `The time budget of ${formatSeconds(budget)} was used up before the learner had a tree, so every row gets the same answer (after ${formatSeconds(took)}). Allow more time or use fewer rows.`,
    greedyCut:
      'The greedy tree is cut off: it used up half of the time budget before it was fully grown. Allow more time or use fewer rows.',
    reload: 'Reload the page',
    noEngine: 'The engine is still loading.',
    reading: 'The file is still being read.',
    busy: 'A training is under way.',
    noData: 'Choose a file or a sample first.',
    noTarget: 'Choose the target column first.',
    invalid: 'Some settings are marked as not usable. Correct them first.',
    engine: (workers: number) => (workers > 1 ? `wasm ×${workers} workers` : 'wasm, 1 worker'),
    epoch: 'Epoch',
    best: 'Least loss as trained',
    metric: (key: string) => capital(metricNames[key] ?? key),
    at: (progress: ProgressInfo, start: string) =>
      `epoch ${formatCount(progress.bestEpoch)}` + (progress.restarts > 1 ? `, ${start}` : ''),
    /** Of the finished tree, as the scores have it. */
    ofKept: 'kept tree, validation rows',
    left: 'Time left',
    timeLeft: (left: TimeLeft | null) => (left === null ? '–' : remaining(left)),
    phase: 'Now',
    scale: ({ scale }: ProgressInfo) => (scale === null ? '' : `steepness ${formatScale(scale)}`),
  },

  status: {
    loading: 'Loading the engine.',
    ready: 'Ready. Choose a file or a sample.',
    reading: (name: string) => `Reading ${name}.`,
    sampling: (name: string) => `Drawing a random sample of the rows of ${name}.`,
    loaded: (name: string, rowCount: number, columnCount: number, target: string, grouping: boolean) =>
      `Read ${name}: ${rows(rowCount)}, ${columns(columnCount)}. ` +
      (grouping
        ? 'No target: groups will be found.'
        : target
          ? `The target is ${target}.`
          : 'No column can be predicted as it stands; choose a target, or change the kind of a column.'),
    starting: (share: number | null) =>
      share === null ? 'Preparing the rows.' : `Growing the greedy tree: ${formatPercent(share)}.`,
    startingGroups: 'Looking for groups.',
    training: (progress: ProgressInfo, left: TimeLeft | null) =>
      `Training: ${progress.doing}` + (left === null ? '.' : `, ${remaining(left)} left.`),
    paused: (progress: ProgressInfo | null) => (progress ? `Paused: ${progress.doing}.` : 'Paused.'),
    done: (reason: string, loss: { metric: string; value: number } | null) =>
      `Finished. ${reason}`.trim() +
      (loss === null
        ? ''
        : ` On the validation rows the kept tree has a ${metricNames[loss.metric] ?? loss.metric} of ${formatScore(loss.value)}.`),
    opened: (name: string, proved: number) =>
      `Opened ${name}. ` +
      (proved > 0
        ? `All ${formatCount(proved)} proof rows inside it gave the stored answer.`
        : 'It holds no proof rows.'),
    exported: (name: string) => `Saved ${name}.`,
    predicted: (count: number, name: string) => `Predicted ${rows(count)}; saved ${name}.`,
  },

  /** The name of a restart's start, if the engine's words are not used as they are. */
  starts: {
    greedy: 'greedy start',
    at: (tree: string) => `start at ${tree}`,
    random: (number: number, of: number) => `random start ${number} of ${of}`,
  },

  origin: {
    heading: 'Where the tree came from',
    waiting: 'Once a tree is trained, it is said here where it came from.',
    now: (doing: string) => `Now: ${doing}.`,
    /** For the other tree there is no sentence from the engine. */
    alone: (origin: string) => `Shown: the best tree of descent alone. It comes from ${origin}.`,
    kept: (origin: string) => `The kept tree is ${origin}`,
    isAlone: 'Descent alone made this tree: no greedy tree and no teacher had a part in it.',
    none: 'No tree of descent alone stands beside it: no restart began at random.',
    score: ({ metric, part, value }: { metric: string; part: string; value: number }) =>
      `${metricNames[metric] ?? metric} ${formatScore(value)} on the ${part === 'valid' ? 'validation' : part === 'train' ? 'training' : 'test'} rows`,
    other: (name: string, other: string, shown: number | null) =>
      `${name}: ${other}${shown === null ? '' : ` (the tree shown: ${formatScore(shown)})`}.`,
    nameAlone: 'Best tree of descent alone',
    nameKept: 'Kept tree',
    showAlone: 'Show this tree',
    showKept: 'Show the kept tree',
  },

  loss: {
    training: 'training',
    soft: 'training, soft tree',
    hard: 'training, hard tree',
    validation: 'validation',
    best: 'best, kept',
    empty: 'The loss of each epoch will be drawn here while a tree is trained.',
    /** A start that the engine has not named, because it ended before it was reported. */
    start: (number: number) => `start ${number}`,
    last: 'last stage',
    /** There is little room below the axis. */
    brief: (name: string) =>
      name.replace(/^random start (\d+) of \d+$/, 'random $1').replace(/^greedy start$/, 'greedy'),
    twoAxes:
      'The greedy start may be taught by a forest and weigh rows differently, so its losses have an axis of their own: greedy start left, random starts right.',
    gap: 'The soft tree sends each row a little both ways; the hard one, which is kept, decides. The gap between them is what deciding costs.',
  },

  result: {
    heading: 'Result',
    onPaper: (file: string, target: string, learner: string, depth: number, seed: number) =>
      `${file}: ${target ? `predicting ${target}` : 'groups of rows'} with ${learner}, depth ${depth}, seed ${seed}.`,
    groupsTitle: 'Groups, a hierarchy',
    groupsLegend:
      'Each box is a branch with its rows; yes goes left. What distinguishes a branch is listed below.',
    sums: arrows,
    fading: 'While it learns, a node fades as it is pruned.',
    cartTitle: 'CART, greedy',
    openedTitle: (name: string) => `From file: ${name}`,
    cartEmpty: 'The greedy tree appears here as soon as training starts.',
    gradientEmpty: 'This tree appears here and moves while it learns.',
    openedTree: (target: string, proved: number) =>
      `This tree predicts ${target}. ` +
      (proved > 0 ? `${formatCount(proved)} of its own proof rows were run again and all agree.` : ''),
    back: 'Put this tree away',
    stack: 'One above the other',
    stackHelp: 'Gives each tree the whole width, so that more levels can be read',
    legend: (regression: boolean, moving: boolean, sums: boolean) =>
      (regression
        ? 'In each split: how many training rows have which value (bars), the mean target among them (line)'
        : 'In each split: the training rows by value and class') +
      ', the cut as a wedge, and as a hollow wedge where a greedy learner would cut the same rows on that column. ' +
      (sums ? `${arrows} ` : '') +
      (moving
        ? 'The strip at the foot: between which columns the split wavers. A padlock: the choice cannot move any more.'
        : 'Point at a node to see where its rows are in the other tree.'),
    lossHeading: 'Loss by epoch',
    metricsHeading: 'Scores',
    rowHeading: 'One row',
    rowEmpty:
      'Once both trees are there, a row of the file can be followed through them, and its values changed.',
    folded: 'Some branches are folded in this drawing. The whole tree is written out after this page.',
    metricsEmpty: 'Scores of both trees on the same held-out rows appear here.',
  },

  film: {
    heading: 'The training, again',
    slider: 'Moment of the training',
    none: 'Once a training rests, it can be looked at frame by frame.',
    pauseFirst: 'Pause the training to look back.',
    best: (frames: number, alone: boolean) =>
      `Showing ${alone ? 'the tree of descent alone' : 'the kept tree'}; ${formatCount(frames)} ${frames === 1 ? 'frame' : 'frames'} of the training to look at.`,
    seen: (frames: number) => `${formatCount(frames)} frames of the training to look at, as the page saw it.`,
    at: (restart: string, epoch: number, last: boolean) =>
      `${last ? 'Last stage' : capital(restart)}, ${epoch === 0 ? 'as it began' : `epoch ${formatCount(epoch)}`}`,
    kept: (origin: string, restart: string) =>
      `The tree that was kept, ${restart}` + (origin ? `: ${origin}` : ''),
    loss: (value: string) => `validation loss as trained ${value}`,
    play: 'Play',
    pause: 'Pause',
    next: 'Next',
    present: 'Finished tree',
    help: (changes: string, frames: number) =>
      frames === 0
        ? 'Arrow keys step, space plays.'
        : `Marks below the slider: ${changes} ${changes === '1' ? 'moment' : 'moments'} at which a node changed its column. Arrow keys step, space plays.`,
  },

  tree: {
    drawing: 'drawing',
    text: 'as text',
    asText: 'Tree as text',
    against: 'The leaf answers another class than most of its rows have. Point at it to read why.',
    tools: 'view',
    yes: 'yes',
    no: 'no',
    levels: 'Levels',
    readable: (levels: number, depth: number) => (levels < depth ? `${levels}, as fits` : 'all, as fits'),
    all: (depth: number) => `all ${depth}`,
    smaller: 'Zoom out',
    larger: 'Zoom in',
    fit: 'Fit',
    save: (form: string) => `Save this drawing as ${form.toUpperCase()}`,
    fitHelp: 'Show the whole tree. Drag to move it; hold Ctrl and turn the wheel to zoom.',
  },

  metrics: {
    metric: 'Metric',
    cart: 'CART',
    kmeans: 'k-means',
    groups: 'Groups',
    groupsWaiting: 'The groups have no scores yet.',
    groupsVerdict:
      'Hierarchical k-means on the same rows stands beside it. It sees all columns, also those that the groups had to predict.',
    opened: 'This tree',
    moment: (name: string) => `${name} at this moment`,
    waiting: (name: string) => `${capital(name)} has no scores yet.`,
    fromFile: 'These scores are stored in the file; they were measured when the tree was trained.',
    better: 'better',
    parts: {
      // With one tree alone, or one next to groups, “neither” would be wrong.
      test: (count: number, alone = false) =>
        count > 0 ? `Test: ${rows(count)} ${alone ? 'held out' : 'neither tree has seen'}` : 'Test',
      valid: (count: number) =>
        count > 0 ? `Validation: ${rows(count)} that decided when to stop` : 'Validation',
      train: (count: number) => (count > 0 ? `Training: ${rows(count)}` : 'Training'),
    },
    cartRows: (count: number) =>
      `CART needs no validation rows, so it learns from them too: ${rows(count)} in all.`,
    size: (name: string, { leaves, depth }: { leaves: number; depth: number }) =>
      `${name}: ${formatCount(leaves)} ${leaves === 1 ? 'leaf' : 'leaves'}, depth ${formatCount(depth)}.`,
    tree: 'The tree itself',
    leaves: 'leaves',
    depth: 'depth',
    names: metricNames,
    /** Explanations of metrics whose names do not explain themselves. */
    helps: {
      accuracy: 'Share of right answers.',
      balanced_accuracy: 'Share of right answers in each class, averaged over the classes.',
      macro_f1: 'F1 of each class, averaged over the classes.',
      auc: 'How well probabilities rank rows: 0.5 is guessing, 1 is perfect.',
      cost: 'What the answers cost by the costs you set, averaged over the rows.',
      log_loss: 'How much probability the true class lacks, on average. Confident mistakes count most.',
      calibration_error: 'How far probabilities are from what happens.',
    } as Record<string, string>,
    meaning: 'What the scores mean',
    decides: 'decides',
    more: 'more is better',
    less: 'less is better',
  },

  verdict: {
    noTest: 'No rows were held out for a test, so nothing can be said about rows the trees have not seen.',
    same: 'The learner is CART itself, so both sides show the same tree. Choose another learner to compare.',
    tieCount: (count: number, right: number) =>
      `A tie: of ${formatCount(count)} test rows, both trees get ${formatCount(right)} right.`,
    count: (
      namesOf: TreeNames,
      winner: 'cart' | 'gradient',
      count: number,
      right: { cart: number; gradient: number },
      chance: boolean,
    ) => {
      const loser = winner === 'cart' ? 'gradient' : 'cart';
      const [best, other] = [formatCount(right[winner]), formatCount(right[loser])];
      return chance
        ? `Too close to call: of ${formatCount(count)} test rows, ${namesOf[winner]} gets ${best} right, ${namesOf[loser]} ${other}. So small a difference can be chance.`
        : `${capital(namesOf[winner])} is better here: of ${formatCount(count)} test rows it gets ${best} right, ${namesOf[loser]} ${other}.`;
    },
    alone: ({ gradient }: TreeNames, alone: { cart: number; gradient: number }) =>
      ` Only CART is right on ${rows(alone.cart)}, only ${gradient} on ${rows(alone.gradient)}.`,
    nearer: ({ gradient }: TreeNames, alone: { cart: number; gradient: number }) =>
      ` CART is nearer on ${rows(alone.cart)}, ${gradient} on ${rows(alone.gradient)}.`,
    found: (
      namesOf: TreeNames,
      winner: 'cart' | 'gradient',
      name: string,
      found: { rows: number; cart: number; gradient: number },
    ) => {
      const loser = winner === 'cart' ? 'gradient' : 'cart';
      return ` Of ${rows(found.rows)} with “${name}” it finds ${formatCount(found[winner])}, ${namesOf[loser]} ${formatCount(found[loser])}.`;
    },
    chance: (p: number, test: string) => {
      const how = p < 0.001 ? 'p < 0.001' : `p = ${formatScore(p)}`;
      return p < 0.05
        ? ` A gap this large would be rare by chance (${how}, ${test}).`
        : ` A gap this large is common by chance (${how}, ${test}).`;
    },
    tieScore: (metric: string, count: number, score: number) =>
      `A tie: on ${formatCount(count)} test rows, both trees have a ${metricNames[metric] ?? metric} of ${formatScore(score)}.`,
    score: (
      namesOf: TreeNames,
      winner: 'cart' | 'gradient',
      metric: string,
      count: number,
      scores: { cart: number; gradient: number },
      chance: boolean,
    ) => {
      const loser = winner === 'cart' ? 'gradient' : 'cart';
      const call = chance
        ? `Too close to call, ${namesOf[winner]} is ahead`
        : `${capital(namesOf[winner])} is better here`;
      const [best, other] = [formatScore(scores[winner]), formatScore(scores[loser])];
      return `${call}: on ${formatCount(count)} test rows its ${metricNames[metric] ?? metric} is ${best}, that of ${namesOf[loser]} ${other}.`;
    },
    finished: (sentence: string) => `Of the finished tree: ${sentence}`,
    constant: (name: string, scores: { [metric: string]: number }) =>
      `Always answering ${name} would be right for ${formatPercent(scores['accuracy'] ?? 0)} (balanced accuracy ${formatPercent(scores['balanced_accuracy'] ?? 0)}` +
      `${scores['cost'] === undefined ? '' : `, cost ${formatScore(scores['cost'])} a row`}).`,
  },

  take: {
    heading: 'Take it home',
    which: 'Tree',
    groups: 'Groups',
    checkpoint: (name: string) => `${name} so far`,
    cart: 'CART',
    opened: (name: string) => `From ${name}`,
    none: 'There is no tree yet.',
    download: 'Download tree (JSON)',
    exportAs: 'Export as',
    png: 'Picture (PNG)',
    noPicture: {
      message: 'This browser cannot draw the tree as PNG: the picture is too large.',
      hint: 'Export it as SVG, which has no size limit.',
    },
    noExporter: {
      message: 'The part of the page that writes other formats could not be loaded.',
      hint: 'Check the connection and try again; the JSON download works without it.',
    },
    load: 'Open a tree (*.tree.json)',
    predict: 'Predict a CSV with this tree',
    predicting: (share: number) => `Predicting… ${formatPercent(share)}`,
    noPredictor: {
      message: 'The part of the page that predicts files could not be loaded, or broke off.',
      hint: 'Check the connection and try again; the command line predicts files too.',
    },
    predictHelp:
      'Gives the same file back with columns for the prediction, the leaf and, of classes, their probabilities: shares of the leaf’s training rows, moved a little towards those of the branch above.',
    notTree: (name: string) => ({
      message: `“${name}” is too large for a tree file.`,
      hint: 'Choose a *.tree.json that was downloaded from Espalier, or drop a CSV to train on it.',
    }),
    busy: 'A training is under way. Stop it before opening another tree.',
    warnings: 'About these rows',
  },

  /** The module that is fetched later could not be loaded. */
  noStudy: (reason: string) => ({
    message: `The second part of the engine, which this needs, is not there: ${reason}`,
    hint: 'Check the connection and try again; if that does not help, reload the page.',
  }),

  lost(
    reason: string,
    { restarting, training, kept }: { restarting: boolean; training: boolean; kept: boolean },
  ) {
    const why = reason.trim().replace(/[.\s]*$/, '.');
    if (!restarting) {
      return {
        message: `The engine cannot run in this browser. ${why}`,
        hint: 'Reload the page. If that does not help, use a current browser with WebAssembly switched on.',
      };
    }
    return {
      message: training
        ? `The engine was lost in the middle of the training. ${why}`
        : `The engine was lost. ${why}`,
      hint: training
        ? `It has been started again.${kept ? ' The tree learned so far is kept and can be downloaded.' : ' The greedy tree and the curve are kept.'}`
        : 'It has been started again; please repeat the last step.',
    };
  },
};
