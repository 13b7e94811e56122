import { describe, expect, it, vi } from 'vitest';
import type { DateInfo, NodeView } from '../protocol';

/** The same module for a reader of another language. */
async function conditions(language: string) {
  vi.resetModules();
  vi.stubGlobal('navigator', { language });
  return import('./conditions');
}

const split = (condition: string, threshold: number | null, date: DateInfo | null = null) =>
  ({ condition, threshold, date, weights: [] as number[] }) as NodeView;
const date = (part: string, times = false): DateInfo => ({ column: 'joined', part, times });

describe('conditions', () => {
  it('writes a threshold the way the reader does', async () => {
    const { conditionText: german } = await conditions('de-DE');
    expect(german(split('fare ≤ 34.9', 34.900001525878906))).toBe('fare ≤ 34,9');
    const { conditionText } = await conditions('en-GB');
    expect(conditionText(split('year ≤ 2021.5', 2021.5))).toBe('year ≤ 2021.5');
    expect(conditionText(split('population ≤ 1234567', 1234567))).toBe('population ≤ 1234567');
  });

  it('writes weights and formulas the way the reader does, and leaves names alone', async () => {
    const { conditionText, sumText } = await conditions('de-DE');
    const sum = (condition: string) => conditionText({ ...split(condition, 0.3), weights: [0.8, 0.2] });
    expect(sum('−0.25·Fare 2.5 − 1.1·Age + 3·v1.2 ≤ -0.3')).toBe('−0,25·Fare 2.5 − 1,1·Age + 3·v1.2 ≤ -0,3');
    expect(sum('1e-7·a ≤ b − 2·c ≤ 3e-6')).toBe('1e-7·a ≤ b − 2·c ≤ 3e-6');
    expect(sumText('-1.5 + 0.25·Age')).toBe('-1,5 + 0,25·Age');
    expect(sumText('v1.2')).toBe('v1.2');
  });

  it('writes a cell with the digits that decide, and no separator', async () => {
    const { cellText } = await conditions('de-DE');
    expect([cellText(Math.fround(1462.4)), cellText(1071), cellText(Math.fround(0.1))]).toEqual([
      '1462,4',
      '1071',
      '0,1',
    ]);
  });

  it('leaves words and the ends of all numbers alone', async () => {
    const { conditionText } = await conditions('de-DE');
    for (const text of ['Sex is female', 'x is not missing', '']) {
      expect(conditionText(split(text, null))).toBe(text);
    }
    expect(conditionText(split('x ≤ -3.4028235e38', -3.4028234663852886e38))).toBe('x ≤ -3.4028235e38');
    expect(conditionText(split('a ≤ b ≤ 1.5', 1.5))).toBe('a ≤ b ≤ 1.5');
  });

  it('says days as dates', async () => {
    const { conditionText } = await conditions('en-GB');
    const { dateText } = await import('./dates');
    const asked = split('joined (days since 1970-01-01) ≤ 19732.5', 19732.5, date('days'));
    expect(conditionText(asked)).toBe('joined ≤ 10 Jan 2024');
    expect(dateText(19732.5, date('days', true))).toMatch(/^10 Jan 2024, 12:00$/);
    expect(dateText(-0.5, date('days'))).toBe('31 Dec 1969');
    const { conditionText: american } = await conditions('en-US');
    expect(american(asked)).toBe('joined ≤ Jan 10, 2024');
  });

  it('says parts of dates by their names', async () => {
    const { conditionText } = await conditions('en-GB');
    const said = (part: string, threshold: number) =>
      conditionText(split(`joined (${part}) ≤ ${threshold}`, threshold, date(part)));
    expect(said('weekday', 5.5)).toBe('joined on Mon–Fri');
    expect(said('weekday', 1)).toBe('joined on Mon');
    expect(said('month', 3)).toBe('joined in Jan–Mar');
    expect(said('hour', 13.5)).toBe('time of joined ≤ 13:30');
    expect(said('year', 2021.5)).toBe('year of joined ≤ 2021');
    expect(said('day', 12)).toBe('day of joined ≤ 12');
  });
});
