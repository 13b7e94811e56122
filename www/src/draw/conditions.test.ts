import { describe, expect, it, vi } from 'vitest';
import type { DateInfo, NodeView } from '../protocol';

/** The same module for a reader of another language. */
async function conditions(language: string) {
  vi.resetModules();
  vi.stubGlobal('navigator', { language });
  return import('./conditions');
}

const split = (condition: string, threshold: number | null, date: DateInfo | null = null) => ({ condition, threshold, date }) as NodeView;
const date = (part: string, times = false): DateInfo => ({ column: 'joined', part, times });

describe('conditions', () => {
  it('writes a threshold the way the reader does', async () => {
    const { conditionText: german } = await conditions('de-DE');
    expect(german(split('fare ≤ 34.9', 34.900001525878906))).toBe('fare ≤ 34,9');
    const { conditionText } = await conditions('en-GB');
    expect(conditionText(split('year ≤ 2021.5', 2021.5))).toBe('year ≤ 2021.5');
    expect(conditionText(split('population ≤ 1234567', 1234567))).toBe('population ≤ 1234567');
  });

  it('leaves words, sums and the ends of all numbers alone', async () => {
    const { conditionText } = await conditions('de-DE');
    for (const text of ['Sex is female', '0.25·Fare − 1.1·Age ≤ 0.3', 'x is not missing', '']) {
      expect(conditionText(split(text, null))).toBe(text);
    }
    expect(conditionText(split('x ≤ -3.4028235e38', -3.4028234663852886e38))).toBe('x ≤ -3.4028235e38');
    expect(conditionText(split('a ≤ b ≤ 1.5', 1.5))).toBe('a ≤ b ≤ 1.5');
  });

  it('says days as dates', async () => {
    const { conditionText, dateText } = await conditions('en-GB');
    const asked = split('joined (days since 1970-01-01) ≤ 19732.5', 19732.5, date('days'));
    expect(conditionText(asked)).toBe('joined ≤ 10 Jan 2024');
    expect(dateText(19732.5, date('days', true))).toMatch(/^10 Jan 2024, 12:00$/);
    expect(dateText(-0.5, date('days'))).toBe('31 Dec 1969');
    const { conditionText: american } = await conditions('en-US');
    expect(american(asked)).toBe('joined ≤ Jan 10, 2024');
  });

  it('says parts of dates by their names', async () => {
    const { conditionText } = await conditions('en-GB');
    const said = (part: string, threshold: number) => conditionText(split(`joined (${part}) ≤ ${threshold}`, threshold, date(part)));
    expect(said('weekday', 5.5)).toBe('joined on Mon–Fri');
    expect(said('weekday', 1)).toBe('joined on Mon');
    expect(said('month', 3)).toBe('joined in Jan–Mar');
    expect(said('hour', 13.5)).toBe('time of joined ≤ 13:30');
    expect(said('year', 2021.5)).toBe('year of joined ≤ 2021');
    expect(said('day', 12)).toBe('day of joined ≤ 12');
  });
});
