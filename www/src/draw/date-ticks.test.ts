import { expect, it } from 'vitest';
import { dateTicks } from './date-ticks';

const day = (date: string) => Date.parse(date) / 86_400_000;
const labels = (from: string, to: string) => dateTicks([day(from), day(to)], 5).map(({ label }) => label);

it.each([
  ['2024-02-26', '2024-03-01', ['Feb 26', 'Feb 27', 'Feb 28', 'Feb 29', 'Mar 1']],
  ['2024-01-15', '2024-04-20', ['Feb 2024', 'Mar 2024', 'Apr 2024']],
  ['2022-11-20', '2023-11-20', ['Jan 2023', 'Apr 2023', 'Jul 2023', 'Oct 2023']],
  ['2019-06-01', '2023-06-01', ['2020', '2021', '2022', '2023']],
  ['1905-06-01', '2023-06-01', ['1950', '2000']],
])('from %s to %s', (from, to, expected) => expect(labels(from, to)).toEqual(expected));

it('gives the day on which a month begins', () => {
  expect(dateTicks([day('2024-01-15'), day('2024-04-20')], 5)[0]?.value).toBe(day('2024-02-01'));
});

it('has no more than there is room for, and one day is enough', () => {
  expect(dateTicks([day('0001-01-01'), day('9999-01-01')], 5).length).toBeLessThanOrEqual(5);
  expect(labels('2024-02-26', '2024-02-26')).toEqual(['Feb 26']);
});
