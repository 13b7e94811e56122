import { describe, expect, it } from 'vitest';
import { metricRows } from './metrics';

describe('the lines of the table', () => {
  it('mark the better one, whichever way the metric runs', () => {
    const rows = metricRows({ accuracy: 0.5, log_loss: 0.9, extra: 1 }, { accuracy: 0.6, log_loss: 0.95 });
    expect(rows.map(({ key, better }) => [key, better])).toEqual([
      ['accuracy', 'gradient'],
      ['log_loss', 'cart'],
    ]);
  });

  it('call a tie what prints alike, and nothing what is missing', () => {
    expect(metricRows({ r2: 0.81234 }, { r2: 0.81229 })[0]?.better).toBe('tie');
    expect(metricRows({ r2: 0.8 }, undefined)[0]).toMatchObject({ gradient: null, better: null });
    expect(metricRows(undefined, undefined)).toEqual([]);
  });
});
