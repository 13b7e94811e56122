// Round positions on an axis of days: the start of a day, a month or a year.

import { utcFormat } from '../text/locale';

const DAY_MS = 86_400_000;
const FORMS = {
  day: utcFormat({ day: 'numeric', month: 'short' }),
  month: utcFormat({ month: 'short', year: 'numeric' }),
  year: utcFormat({ year: 'numeric' }),
};

const [MONTH, YEAR] = [30.4, 365.2];
/** Steps in days; those of months and years are multiples of a calendar month, whose lengths differ. */
const STEPS = [
  ...[1, 2, 5, 10].map((days) => ({ form: 'day' as const, days, months: 0 })),
  ...[1, 3, 6].map((months) => ({ form: 'month' as const, days: months * MONTH, months })),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((years) => ({
    form: 'year' as const,
    days: years * YEAR,
    months: 12 * years,
  })),
];

export interface DateTick {
  /** Days since 1970-01-01. */
  value: number;
  label: string;
}

/** At most `count` dates within the days `low` to `high`, a round step apart. */
export function dateTicks([low, high]: readonly [number, number], count: number): DateTick[] {
  const step = STEPS.find(({ days }) => (high - low) / days <= count) ?? STEPS.at(-1)!;
  const ticks: DateTick[] = [];
  const add = (value: number) => {
    if (value >= low && value <= high && ticks.length < count)
      ticks.push({ value, label: FORMS[step.form].format(value * DAY_MS) });
  };
  if (step.months === 0) {
    for (let value = Math.ceil(low / step.days) * step.days; value <= high; value += step.days) add(value);
    return ticks;
  }
  const from = new Date(low * DAY_MS);
  // Counted in months since the year 0, so that steps fall on years and quarters.
  const first = Math.ceil((12 * from.getUTCFullYear() + from.getUTCMonth()) / step.months) * step.months;
  for (let index = 0; index <= count + 1; index += 1) add(monthStart(first + index * step.months));
  return ticks;
}

/** The day on which a month begins, counted from January of the year 0. */
function monthStart(months: number): number {
  const date = new Date(0);
  // `Date.UTC` takes the years 0 to 99 for those of the last century.
  date.setUTCFullYear(Math.floor(months / 12), months % 12, 1);
  return date.getTime() / DAY_MS;
}
