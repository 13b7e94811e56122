/** Small engine answers for the tests. */
import type { LearnerInfo, ProblemInfo, ProgressInfo, Scores, TableInfo, TreeResult, TreeView } from '../protocol';
import type { Reply } from '../worker/engine';

export const learners: LearnerInfo[] = [
  { key: 'cart', name: 'CART', help: '', params: [], defaultDepth: 6, maxDepth: 20 },
  {
    key: 'gradtree',
    name: 'GradTree',
    help: '',
    defaultDepth: 5,
    maxDepth: 10,
    params: [
      { key: 'epochs', help: '', default: 200, min: 1, max: 1000, whole: true, choices: [] },
      { key: 'rate', help: '', default: 0.01, min: 0, max: 1, whole: false, choices: [] },
      { key: 'loss', help: '', default: 'focal', min: null, max: null, whole: false, choices: ['focal', 'cross_entropy'] },
      { key: 'swa', help: '', default: true, min: null, max: null, whole: false, choices: [] },
    ],
  },
  {
    key: 'relaxed',
    name: 'Relaxed tree',
    help: '',
    defaultDepth: 6,
    maxDepth: 10,
    params: [{ key: 'prune', help: '', default: 0.2, min: 0, max: 1, whole: false, choices: [] }],
  },
];

export const ready: Reply = { event: { kind: 'ready', run: 0, version: '1', learners, recipes: [{ key: 'espalier', help: '' }], formats: [{ key: 'json', name: 'JSON' }] } };

export function table(...names: string[]): TableInfo {
  return {
    rows: 10,
    columns: names.map((name) => ({ name, kind: 'number', usable: true, note: '', missing: 0, distinct: 9, task: 'regression', format: '', missingTokens: [], unfitCount: 0, unfitCells: [], profile: null })),
    preview: [],
    delimiter: ',',
    encoding: 'utf-8',
    header: true,
    skippedRows: [],
    warnings: [],
    suggestedTarget: names.at(-1) ?? '',
    suggestedTask: 'regression',
  };
}

export const view = (size: number): TreeView => ({ nodes: [], size, leaves: (size + 1) / 2, depth: 1 });

export const result = (model: string, test: Scores = {}): TreeResult => ({
  model,
  tree: view(3),
  metrics: { test, train: test },
  json: `{"model":"${model}"}`,
  kept: null,
});

export const problem = (task: string, testRows: number): ProblemInfo => ({
  task,
  target: 'y',
  classes: [],
  features: ['x'],
  trainRows: 60,
  validRows: 20,
  testRows,
  warnings: [],
});

export const progress = (change: Partial<ProgressInfo> = {}): ProgressInfo => ({
  step: 10,
  epoch: 2,
  restart: 1,
  restarts: 1,
  trainLoss: 0.5,
  validLoss: 0.6,
  bestLoss: 0.6,
  bestEpoch: 2,
  bestRestart: 1,
  phase: 'descent',
  doing: 'random start 1 of 7, epoch 2',
  node: null,
  scale: null,
  hardLoss: null,
  share: 0.1,
  ...change,
});
