// Generated from src/protocol by its test (ESPALIER_WRITE=1 cargo test --lib protocol). Do not edit.

export type Request = { "kind": "load", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * The file's name, for messages only.
 */
name: string, 
/**
 * What the user knows better than the reader.
 */
options: ReadOptions, } | { "kind": "train", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Everything that decides the result.
 */
settings: TrainSettings, } | { "kind": "resolve", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Target and task; of the learner that it names, the hyper-parameters set by hand count.
 */
settings: TrainSettings, } | { "kind": "pause", 
/**
 * The run to hold.
 */
run: number, } | { "kind": "resume", 
/**
 * The run to go on with.
 */
run: number, } | { "kind": "step", 
/**
 * The run to advance.
 */
run: number, } | { "kind": "stop", 
/**
 * The run to end.
 */
run: number, } | { "kind": "show", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Whether the best tree of descent alone stands in the place of the one that was kept.
 */
alone: boolean, 
/**
 * The answer rule, written as in the settings of a training.
 */
answers: string, } | { "kind": "open", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * The tree as `*.tree.json` text.
 */
tree: string, } | { "kind": "frames", 
/**
 * The run this belongs to.
 */
run: number, } | { "kind": "frame", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Its position among the frames.
 */
frame: number, } | { "kind": "rows", 
/**
 * The run this belongs to.
 */
run: number, } | { "kind": "row", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Its position among the rows that were read.
 */
row: number, } | { "kind": "map", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * The frame that stands for the learner's tree; null for the finished tree.
 */
frame: number | null, 
/**
 * The column along x.
 */
x: string, 
/**
 * The column along y.
 */
y: string, } | { "kind": "trace", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * The tree as `*.tree.json` text.
 */
tree: string, } | { "kind": "why", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * The settings the trees were made with.
 */
settings: TrainSettings, 
/**
 * The learner's tree as `*.tree.json` text.
 */
tree: string, } | { "kind": "lend", 
/**
 * The run it belongs to.
 */
run: number, } | { "kind": "take", 
/**
 * The run it belongs to.
 */
run: number, 
/**
 * The unit.
 */
index: number, } | { "kind": "help", 
/**
 * The run they belong to.
 */
run: number, 
/**
 * Everything that decides the result.
 */
settings: TrainSettings, } | { "kind": "unit", 
/**
 * The run it belongs to.
 */
run: number, 
/**
 * The unit.
 */
index: number, } | { "kind": "ping", 
/**
 * The run this belongs to.
 */
run: number, };

export type ReadOptions = { 
/**
 * What separates the fields: a character, or empty to guess.
 */
delimiter: string, 
/**
 * `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`, or empty to guess.
 */
encoding: string, 
/**
 * Whether the first line names the columns; null to guess.
 */
header: boolean | null, 
/**
 * Leave out rows that cannot be read, instead of refusing the file.
 */
skipBadRows: boolean, 
/**
 * Kinds of columns by their names, whatever the cells look like.
 */
kinds: { [key in string]: string }, 
/**
 * Spellings of a missing value by column, instead of the usual ones; `*` stands for every other column.
 */
missing: { [key in string]: Array<string> }, };

export type TrainSettings = { 
/**
 * The target column's name; empty for clustering.
 */
target: string, 
/**
 * `auto`, `classification`, `regression`, or `clustering`, which has no target.
 */
task: string, 
/**
 * For clustering: a column that the groups are scored by and that nothing else sees; empty for none.
 */
label: string, 
/**
 * The learner's key, as named by `ready`.
 */
model: string, 
/**
 * Where hyper-parameters that are not said come from: a key of `ready`'s recipes.
 */
recipe: string, 
/**
 * The seed of the split and of the learner.
 */
seed: number, 
/**
 * Share of all rows held out for the test score.
 */
test: number, 
/**
 * Share of all rows held out for early stopping.
 */
valid: number, 
/**
 * Columns that must not be used.
 */
ignore: Array<string>, 
/**
 * Of two classes the one that counts as positive, or empty for the usual order.
 */
positive: string, 
/**
 * Which class trees answer: `auto`, `likeliest`, `balanced`, or `costs:` with a matrix or named
 * mistakes.
 */
answers: string, 
/**
 * The hyper-parameters set by hand, by key, `depth` among them; the recipe gives the others.
 */
said: { [key in string]: ParamValue }, };

export type ParamValue = boolean | number | string;

export type Scores = { [metric: string]: number };

export type Event = { "kind": "ready", 
/**
 * Always 0: no run yet.
 */
run: number, 
/**
 * The crate's version.
 */
version: string, 
/**
 * The learners with their hyper-parameters and defaults; the form is built from these.
 */
learners: Array<LearnerInfo>, 
/**
 * The recipes, the default first.
 */
recipes: Array<RecipeInfo>, 
/**
 * Export formats.
 */
formats: Array<FormatInfo>, } | { "kind": "reading", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Share of the work that is done, 0 to 1.
 */
share: number, 
/**
 * Rows read so far.
 */
rows: number, } | { "kind": "loaded", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * What was understood.
 */
table: TableInfo, } | { "kind": "resolved", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * One entry per learner and recipe.
 */
resolved: Array<ResolvedInfo>, 
/**
 * The classes of the target in the order of costs; empty for numbers and groups.
 */
classes: Array<string>, } | { "kind": "growing", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Share of the tree that has grown, 0 to 1.
 */
share: number, } | { "kind": "started", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * What is being learned.
 */
problem: ProblemInfo, 
/**
 * The greedy tree on the same rows; null where rows are grouped without a target.
 */
cart: TreeResult | null, 
/**
 * How many units of the training other workers may borrow.
 */
lendable: number, } | { "kind": "progress", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Where the training is.
 */
progress: ProgressInfo, 
/**
 * The tree the parameters stand for now.
 */
tree: TreeView, 
/**
 * A downloadable copy of the best tree so far, now and then, so that nothing is lost if the worker
 * dies.
 */
checkpoint: string | null, } | { "kind": "paused", 
/**
 * The run this belongs to.
 */
run: number, } | { "kind": "trained", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * The tree that was kept.
 */
result: TreeResult, 
/**
 * The best tree that descent alone made: from a random start, without greedy trees and teachers.
 * Null where the kept tree is of that kind itself (see `result.kept`), and where nothing started at
 * random.
 */
gradient: TreeResult | null, 
/**
 * Where the training ended.
 */
progress: ProgressInfo, 
/**
 * Why it ended, as a sentence.
 */
reason: string, 
/**
 * Where rows were grouped without a target, what k-means on the same rows comes to; else null.
 */
yardstick: YardstickInfo | null, } | { "kind": "shown", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * What is learned, with the answer rule.
 */
problem: ProblemInfo, 
/**
 * The greedy tree; none where the kept tree is it.
 */
cart: TreeResult | null, 
/**
 * The tree that is shown and compared: the one that was kept, or the best one of descent alone.
 */
result: TreeResult, 
/**
 * The other one of these two, if there are two.
 */
other: TreeResult | null, 
/**
 * Whether `result` is the one of descent alone.
 */
alone: boolean, } | { "kind": "opened", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * What it predicts.
 */
problem: ProblemInfo, 
/**
 * The tree with the scores stored in its file.
 */
result: TreeResult, 
/**
 * Proof rows inside the file that gave the stored leaf and output again.
 */
proved: number, } | { "kind": "frames", 
/**
 * The run this belongs to.
 */
run: number, } | { "kind": "frame", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Its position among the frames.
 */
frame: number, 
/**
 * The tree.
 */
tree: TreeView, 
/**
 * Its scores on the validation and the test rows.
 */
metrics: { [key in string]: { [key in string]: number } }, } | { "kind": "rows", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * What CART's columns are worth.
 */
cart: Array<ImportanceInfo>, 
/**
 * What the columns of the learner's tree are worth.
 */
gradient: Array<ImportanceInfo>, 
/**
 * The metric that gets worse by a column's worth when its values are shuffled: the one that decides.
 */
metric: string, } | { "kind": "row", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Its cells as the file spells them, in the order of the columns.
 */
cells: Array<string>, } | { "kind": "map", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * Cells along each side of the squares.
 */
side: number, } | { "kind": "traced", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * The splits it passes, root first.
 */
steps: Array<TraceStep>, 
/**
 * Position of the leaf it ends in.
 */
leaf: number, 
/**
 * The answer: the class as the file spells it, or the number.
 */
answer: string, 
/**
 * Probability per class; empty for regression.
 */
probabilities: Array<number>, 
/**
 * What the leaf's formula gives where a bound answers instead; else null.
 */
beyond: number | null, } | { "kind": "why", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * CART's first cut.
 */
cart: FirstCutInfo, 
/**
 * The first cut of the chosen learner's tree.
 */
gradient: FirstCutInfo, 
/**
 * How many cuts of one column there are.
 */
cuts: number, 
/**
 * The metric that decides, on the held-out rows: CART's first cut with what CART and with what the
 * chosen learner makes below it, then the same for the first cut of the chosen learner's tree.
 */
scores: Array<number>, 
/**
 * That metric.
 */
metric: string, 
/**
 * Two standard errors of the difference between the two whole trees: a smaller difference can be
 * chance.
 */
noise: number, 
/**
 * Who really grew each of the four (`CART`; `a greedy tree, taught by 50 trees, then 6 epochs of
 * gradient descent`).
 */
growers: Array<string>, 
/**
 * Rows held out.
 */
rows: number, } | { "kind": "lent", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * The unit; null if there is none left that has not begun.
 */
index: number | null, } | { "kind": "taken", 
/**
 * The run this belongs to.
 */
run: number, } | { "kind": "helping", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * How many units the training has.
 */
units: number, } | { "kind": "unit", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * The unit.
 */
index: number, } | { "kind": "pong", 
/**
 * The run this belongs to.
 */
run: number, } | { "kind": "failed", 
/**
 * The run this belongs to.
 */
run: number, 
/**
 * What, where and how to fix it.
 */
error: ErrorInfo, };

export type LearnerInfo = { 
/**
 * The key used in settings and on the command line.
 */
key: string, 
/**
 * The name people read.
 */
name: string, 
/**
 * What it does under the recipe `espalier`.
 */
help: string, 
/**
 * What it does as published.
 */
published: string, 
/**
 * Its hyper-parameters apart from depth and seed.
 */
params: Array<ParamInfo>, 
/**
 * Its depth under the first recipe, before the target is known.
 */
defaultDepth: number, 
/**
 * The greatest depth it takes.
 */
maxDepth: number, 
/**
 * Whether only the page's larger module trains it.
 */
larger: boolean, 
/**
 * Whether it can group rows without a target.
 */
groups: boolean, 
/**
 * Whether its greedy start has teachers and weights of its own, so that its losses cannot be compared
 * with those of random starts.
 */
greedyApart: boolean, 
/**
 * Whether its tree is scored a second time, before it is read hard.
 */
scoredTwice: boolean, 
/**
 * What one of its independent trainings is called, `start` or `restart`; empty where it has only one.
 */
unit: string, };

export type ParamInfo = { 
/**
 * The key used in settings and on the command line.
 */
key: string, 
/**
 * One line of help.
 */
help: string, 
/**
 * Its value under the first recipe, before the target is known.
 */
default: ParamValue, 
/**
 * Least value of a number.
 */
min: number | null, 
/**
 * Greatest value of a number.
 */
max: number | null, 
/**
 * Whether a number must be whole.
 */
whole: boolean, 
/**
 * The words of a choice; empty for numbers and switches.
 */
choices: Array<string>, };

export type RecipeInfo = { 
/**
 * The key used in settings and on the command line.
 */
key: string, 
/**
 * One line about it.
 */
help: string, };

export type ResolvedInfo = { 
/**
 * The learner's key.
 */
model: string, 
/**
 * The recipe's key.
 */
recipe: string, 
/**
 * Every hyper-parameter by key, `depth` among them. Where 0 leaves one to the number of rows, it is 0.
 */
values: { [key in string]: ParamValue }, };

export type FormatInfo = { 
/**
 * The key used in requests and on the command line.
 */
key: string, 
/**
 * The name people read.
 */
name: string, };

export type TableInfo = { 
/**
 * Data rows.
 */
rows: number, 
/**
 * The columns in the file's order.
 */
columns: Array<ColumnInfo>, 
/**
 * The first rows as text, a cell per column.
 */
preview: Array<Array<string>>, 
/**
 * The field separator.
 */
delimiter: string, 
/**
 * `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`.
 */
encoding: string, 
/**
 * Whether the first line names the columns.
 */
header: boolean, 
/**
 * Rows that were left out because they cannot be read.
 */
skippedRows: Array<SkippedRowInfo>, 
/**
 * What the user should know.
 */
warnings: Array<string>, 
/**
 * The column most likely to be the target.
 */
suggestedTarget: string, 
/**
 * `classification` or `regression`, for that target.
 */
suggestedTask: string, };

export type ColumnInfo = { 
/**
 * The column's name, unique within the table.
 */
name: string, 
/**
 * `number`, `category`, `yes-no`, `date`, `text`, `constant` or `identifier`.
 */
kind: string, 
/**
 * Whether it is used as a feature unless it is the target.
 */
usable: boolean, 
/**
 * Why it is not used, or empty.
 */
note: string, 
/**
 * Empty cells and cells spelled as missing.
 */
missing: number, 
/**
 * Different values.
 */
distinct: number, 
/**
 * The task it would pose as a target: `classification`, `regression`, or empty if it cannot be one.
 */
task: string, 
/**
 * How its numbers or dates are spelled, in words; empty for plain numbers and for words.
 */
format: string, 
/**
 * Spellings of a missing value that occur in it, beside the empty cell.
 */
missingTokens: Array<string>, 
/**
 * How many cells do not fit and count as missing.
 */
unfitCount: number, 
/**
 * The first of them.
 */
unfitCells: Array<UnfitCellInfo>, 
/**
 * What its present cells look like; null if there are none.
 */
profile: ProfileInfo | null, };

export type SkippedRowInfo = { 
/**
 * The line on which it begins, from 1.
 */
line: number, 
/**
 * How many fields the other rows have.
 */
expected: number, 
/**
 * How many it has; null if a quote opens here that is never closed.
 */
found: number | null, };

export type UnfitCellInfo = { 
/**
 * The line of the file, from 1.
 */
line: number, 
/**
 * The cell as the file spells it.
 */
cell: string, };

export type ProfileInfo = { "kind": "numbers", 
/**
 * Least value, lower quartile, median, upper quartile, greatest value.
 */
quantiles: Array<number>, 
/**
 * Borders of the histogram's bars, one more than there are bars.
 */
edges: Array<number>, 
/**
 * Cells in each bar.
 */
counts: Array<number>, } | { "kind": "words", 
/**
 * The most frequent words, most frequent first.
 */
words: Array<string>, 
/**
 * How often each of them occurs.
 */
counts: Array<number>, 
/**
 * Cells with other words.
 */
others: number, };

export type ProblemInfo = { 
/**
 * `classification`, `regression` or `clustering`.
 */
task: string, 
/**
 * The target's name.
 */
target: string, 
/**
 * The classes in output order as the file spells them; empty for regression.
 */
classes: Array<string>, 
/**
 * The feature columns' names.
 */
features: Array<string>, 
/**
 * Rows used for training; 0 for a tree that was read back without its data.
 */
trainRows: number, 
/**
 * Rows used for early stopping.
 */
validRows: number, 
/**
 * Rows used for the test score.
 */
testRows: number, 
/**
 * What the user should know (rows left out, …).
 */
warnings: Array<string>, 
/**
 * Which class trees answer; none for numbers and groups.
 */
decision: DecisionInfo | null, };

export type DecisionInfo = { 
/**
 * `likeliest`, `balanced` or `costs`.
 */
rule: string, 
/**
 * The rule and its reason, as a sentence; empty for a tree that was read back.
 */
sentence: string, 
/**
 * What each class's share is multiplied by; empty where nothing is.
 */
weights: Array<number>, 
/**
 * A row of costs per true class, a number per answer in it; empty without costs.
 */
costs: Array<Array<number>>, 
/**
 * Of two classes: the share of the second above which it is answered.
 */
threshold: number | null, 
/**
 * The metric by which trees are compared: `accuracy`, `balanced_accuracy` or `cost`.
 */
metric: string, 
/**
 * The best answer that looks at no column; empty without test rows.
 */
constantClass: string, 
/**
 * Its scores on the test rows.
 */
constantScores: { [key in string]: number }, };

export type TreeResult = { 
/**
 * The learner's key.
 */
model: string, 
/**
 * The tree to draw.
 */
tree: TreeView, 
/**
 * Scores by part: `train`, `valid`, `test`. A part without rows is empty.
 */
metrics: { [key in string]: { [key in string]: number } }, 
/**
 * The columns that splits and leaves may read, in the order of the file format.
 */
features: Array<FeatureInfo>, 
/**
 * The `*.tree.json` text, ready to download.
 */
json: string, 
/**
 * Where the tree came from; null for a tree that was read back from a file that does not say.
 */
kept: KeptInfo | null, };

export type FeatureInfo = { 
/**
 * Its name; of a part of a date it says the part too.
 */
name: string, 
/**
 * The file's column: the same name, but for parts of dates.
 */
column: string, 
/**
 * Whether a split or a leaf of the tree reads it.
 */
read: boolean, 
/**
 * The words that it knows, in the order of their values; empty for numbers.
 */
words: Array<string>, 
/**
 * The part of a date that it is, as in `DateInfo`; null for other columns.
 */
part: string | null, 
/**
 * Of numbers the least, the median and the greatest among the training rows; empty for words.
 */
range: Array<number>, 
/**
 * The decimal separator of its numbers; empty for words and dates.
 */
decimal: string, 
/**
 * The unit behind its numbers; empty without one.
 */
unit: string, };

export type KeptInfo = { 
/**
 * The tree before any gradient moved it: `random`, `cart`, `greedy`, `greedy oblique` or `constant`;
 * with `, polished` where subtrees of it were searched for anew.
 */
start: string, 
/**
 * The restart that it comes from, from 1.
 */
restart: number, 
/**
 * Epochs of gradient descent between the start and the tree; with 0 no gradient touched it.
 */
gradientEpochs: number, 
/**
 * Trees whose answers were among its targets; 0 for none.
 */
taught: number, 
/**
 * Made-up rows that it was also grown on.
 */
syntheticRows: number, 
/**
 * What it was chosen by, on which rows; empty where nothing was chosen.
 */
selectedOn: string, 
/**
 * Whether descent alone made it: from a random start, without greedy trees and teachers.
 */
descentAlone: boolean, 
/**
 * All that as one sentence (`Kept: a greedy tree, taught by 50 trees and 2,000 made-up rows, then 6
 * epochs of gradient descent; chosen by macro F1 on 5 folds of the training and validation rows.`).
 */
sentence: string, 
/**
 * The first half of the sentence alone (`a greedy tree, taught by 50 trees and 2,000 made-up rows, then
 * 6 epochs of gradient descent`).
 */
origin: string, };

export type YardstickInfo = { 
/**
 * Scores by part.
 */
metrics: { [key in string]: { [key in string]: number } }, 
/**
 * Groups.
 */
leaves: number, 
/**
 * Levels.
 */
depth: number, };

export type TreeView = { 
/**
 * The nodes; `left` and `right` are positions in this list.
 */
nodes: Array<NodeView>, 
/**
 * Splits and leaves.
 */
size: number, 
/**
 * Leaves.
 */
leaves: number, 
/**
 * Edges from the root to the deepest leaf.
 */
depth: number, };

export type NodeView = { 
/**
 * The way from the root: one `L` or `R` per edge. Stays the same from frame to frame, so a drawing can
 * keep its marks while the tree around them changes.
 */
path: string, 
/**
 * Position of the left child (condition true), or none for a leaf.
 */
left: number | null, 
/**
 * Position of the right child.
 */
right: number | null, 
/**
 * A split's condition in the file's words (`petal width ≤ 0.8`, `Sex is female`); empty for a leaf.
 */
condition: string, 
/**
 * The feature column tested (or the leading one of an oblique split); empty for a leaf.
 */
feature: string, 
/**
 * A numerical split's threshold in the file's units.
 */
threshold: number | null, 
/**
 * What the threshold means where the split asks for a part of a date; else null.
 */
date: DateInfo | null, 
/**
 * Whether missing and unseen values go left.
 */
defaultLeft: boolean, 
/**
 * Training rows that reach the node.
 */
rows: number, 
/**
 * Training rows of each class among them; empty for regression.
 */
counts: Array<number>, 
/**
 * Mean of the target among them; none for classification or without rows.
 */
mean: number | null, 
/**
 * Standard deviation of the target among them; none for classification or without rows.
 */
deviation: number | null, 
/**
 * A leaf's answer: the class as the file spells it, or the number; empty for a split.
 */
answer: string, 
/**
 * The position of the class that a leaf answers; none for splits, numbers and formulas.
 */
class: number | null, 
/**
 * Why a leaf answers another class than its largest; empty where it does not.
 */
reason: string, 
/**
 * The least and the greatest number that a leaf's formula may answer; null where it has no bounds, and
 * for all other nodes.
 */
bounds: [number, number] | null, 
/**
 * A leaf's probability per class after the output transform; empty for regression and for splits.
 */
probabilities: Array<number>, 
/**
 * The columns of a weighted sum, that with the greatest effect first; else, while a training goes on,
 * those between which a split wavers, the leading one first.
 */
leading: Array<string>, 
/**
 * While a training goes on: their shares of the choice; the rest belongs to other columns.
 */
shares: Array<number>, 
/**
 * Of a weighted sum the effect of each of these columns over the middle half of its values, the greatest
 * as 1 or −1.
 */
weights: Array<number>, 
/**
 * The choice cannot move any more: no gradient reaches it.
 */
locked: boolean, 
/**
 * While a training goes on that prunes as it learns: how much of the node is kept, 0 to 1; else null.
 */
kept: number | null, 
/**
 * What distinguishes the node's rows from all others, in the file's words, one line each; empty unless
 * rows are grouped without a target.
 */
description: Array<string>, };

export type DateInfo = { 
/**
 * The file's column.
 */
column: string, 
/**
 * `days` (since 1970-01-01), `year`, `month`, `day`, `weekday` (1 is Monday) or `hour`.
 */
part: string, 
/**
 * Whether the column's dates have a time of day.
 */
times: boolean, };

export type ImportanceInfo = { 
/**
 * The column.
 */
feature: string, 
/**
 * By how much accuracy or R² falls when its values are dealt out anew among the rows.
 */
worth: number, };

export type TraceStep = { 
/**
 * Position of the node.
 */
node: number, 
/**
 * Whether the row goes left: the condition is true, or missing values go there.
 */
left: boolean, 
/**
 * What the split compared with its threshold; null for words and where the value is missing.
 */
value: number | null, 
/**
 * The threshold; null for words.
 */
threshold: number | null, 
/**
 * The value is missing or a word that the tree does not know.
 */
unknown: boolean, 
/**
 * The feature whose value would have to move least to tip a weighted sum, measured by its range; empty
 * for other splits.
 */
tip: string, 
/**
 * By how much it would have to move.
 */
tipBy: number, 
/**
 * The part of a date that it is; null for other columns.
 */
tipPart: string | null, };

export type FirstCutInfo = { 
/**
 * The condition; empty if the tree is a single leaf.
 */
condition: string, 
/**
 * What it takes off the impurity at once, per row.
 */
gain: number, 
/**
 * Its place among all cuts of one column by that gain, from 1.
 */
rank: number, };

export type ProgressInfo = { 
/**
 * Optimiser steps so far, over all restarts.
 */
step: number, 
/**
 * Epochs so far in this restart.
 */
epoch: number, 
/**
 * This restart, from 1.
 */
restart: number, 
/**
 * All restarts.
 */
restarts: number, 
/**
 * Training loss of the last epoch, each row counting the same; of the soft tree where one is trained.
 */
trainLoss: number | null, 
/**
 * Validation loss of the last epoch, each row counting the same: the log loss of the tree as it is read,
 * which the scores show too, or the squared error in units of the target's variance. All restarts show
 * the same loss.
 */
validLoss: number | null, 
/**
 * The same loss of the best tree so far, over all restarts; on the training rows where a soft tree is
 * trained.
 */
bestLoss: number | null, 
/**
 * The epoch that the best tree was seen at.
 */
bestEpoch: number, 
/**
 * The restart that it was seen in, from 1.
 */
bestRestart: number, 
/**
 * What the training is doing, in one word: `beginning`, `first tree`, `teachers`, `made-up rows`,
 * `greedy`, `descent`, `polish`, `choice`, `student`, `nodes`, `columns` or `refit`.
 */
phase: string, 
/**
 * The same for people, with its counts (`growing the 50 trees that teach: 12 of 50`).
 */
doing: string, 
/**
 * What the restart at work begins at: `greedy`, `random`, or another tree in words (`CART's tree`);
 * empty where that is not known.
 */
start: string, 
/**
 * The number of a random start, from 1; 0 for others.
 */
randomStart: number, 
/**
 * All random starts; 0 for others.
 */
randomStarts: number, 
/**
 * While a subtree is searched for anew: its node, counted from 1 at the root, level by level.
 */
node: number | null, 
/**
 * While a soft tree descends: its scale factor, the steeper the larger.
 */
scale: number | null, 
/**
 * Loss of the hard tree where a soft one is trained: the gap to `trainLoss` is what reading it hard
 * costs.
 */
hardLoss: number | null, 
/**
 * Share of the work that is surely done, 0 to 1: a run that stops early jumps ahead.
 */
share: number, };

export type ErrorInfo = { 
/**
 * A stable word for the kind of error.
 */
code: string, 
/**
 * What is wrong and where.
 */
message: string, 
/**
 * What to do about it.
 */
hint: string, 
/**
 * The line of the file, from 1.
 */
line: number | null, 
/**
 * The column's name.
 */
column: string | null, 
/**
 * How many rows cannot be read, where leaving them out would help; otherwise 0.
 */
badRows: number, 
/**
 * The lines on which the first of them begin, from 1.
 */
badLines: Array<number>, };

