/** The loss chart in words. */
import { stretches } from '../draw/curve';
import type { LossPoint } from '../messages';
import { numberFormat } from '../text/locale';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const whole = numberFormat({ maximumFractionDigits: 0 });
const brief = numberFormat({ maximumSignificantDigits: 3 });

/** What the chart shows, in a sentence or two. */
export function chartText(
  points: readonly LossPoint[],
  bestEpoch: number | null,
  bestRestart: number | null,
  nameOf: (restart: number) => string = (restart) => `restart ${restart}`,
): string {
  const last = points[points.length - 1];
  if (last === undefined) return 'No training yet.';
  const restarts = stretches(points).length;
  const say = (value: number) => (Number.isFinite(value) ? brief.format(value) : 'unknown');
  const where =
    restarts > 1
      ? `${capital(nameOf(last.restart))}, epoch ${whole.format(last.epoch)}`
      : `Epoch ${whole.format(last.epoch)}`;
  const best = points.find((point) => point.epoch === bestEpoch && point.restart === bestRestart);
  const bestWhere =
    restarts > 1 && bestRestart !== null
      ? `${nameOf(bestRestart)}, epoch ${bestEpoch}`
      : `epoch ${bestEpoch}`;
  const kinds =
    best === undefined
      ? []
      : ([
          ['validation', best.valid],
          ['hard', best.hard],
        ] as const);
  const least = kinds.find(([, loss]) => Number.isFinite(loss));
  // The tree is kept by its answers on held-out rows, so this need not be the least loss.
  const bestText =
    least === undefined ? '' : ` Best at ${bestWhere}: ${least[0]} loss as trained ${say(least[1])}.`;
  const valid = Number.isFinite(last.valid) ? `, validation loss ${say(last.valid)}` : '';
  const hard = Number.isFinite(last.hard)
    ? ` of the soft tree, ${say(last.hard)} of the tree as it is read`
    : '';
  return `${where}: training loss ${say(last.train)}${hard}${valid}.${bestText}`;
}
