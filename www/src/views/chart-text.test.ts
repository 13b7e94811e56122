import { expect, it } from 'vitest';
import type { LossPoint } from '../messages';
import { chartText } from './chart-text';

function run(restart: number, epochs: number): LossPoint[] {
  return Array.from({ length: epochs }, (_, index) => ({
    restart,
    epoch: index + 1,
    train: 1 / (index + 2),
    valid: 1 / (index + 2) + 0.1,
    hard: NaN,
  }));
}

it('says in words what the chart shows', () => {
  expect(chartText([], null, null)).toBe('No training yet.');
  expect(chartText(run(1, 4), 4, 1)).toBe(
    'Epoch 4: training loss 0.2, validation loss 0.3. Best at epoch 4: validation loss as trained 0.3.',
  );
  expect(chartText([...run(1, 4), ...run(2, 3)], 4, 1)).toContain('at restart 1, epoch 4');
  const named = chartText([...run(1, 4), ...run(2, 3)], 4, 1, (restart) =>
    restart > 1 ? 'last stage' : 'greedy start',
  );
  expect(named).toMatch(
    /^Last stage, epoch 3: .* Best at greedy start, epoch 4: validation loss as trained 0\.3\.$/,
  );
});

it('names the soft and the hard loss of one tree', () => {
  const points = run(1, 10).map((point) => ({ ...point, valid: NaN, hard: point.train + 0.2 }));
  expect(chartText(points, 3, 1)).toBe(
    'Epoch 10: training loss 0.0909 of the soft tree, 0.291 of the tree as it is read. Best at epoch 3: hard loss as trained 0.45.',
  );
});
