const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Splits off the letters or the digits at the start. */
function piece(text) {
  const [found] = /^(?:[A-Za-z]+|[0-9]*)/.exec(text);
  return [found, text.slice(found.length)];
}

/** A number of one or two digits, or null. */
function small(text) {
  return /^[0-9]{1,2}$/.test(text) ? Number(text) : null;
}

/** Seconds since midnight of `18:30`, `6:30 PM`, `18.30.00`, `18:30:00.25`, `18:30+02:00`, or null. */
function secondsOf(text) {
  const [hours, afterHours] = piece(text);
  const mark = afterHours[0];
  if (mark !== ':' && mark !== '.') return null;
  let [minutes, rest] = piece(afterHours.slice(1));
  let seconds = '0';
  let fraction = 0;
  if (rest[0] === mark) {
    [seconds, rest] = piece(rest.slice(1));
    if (mark === ':' && rest[0] === '.') {
      let digits;
      [digits, rest] = piece(rest.slice(1));
      if (!/^[0-9]*$/.test(digits)) return null;
      fraction = Number(`0.${digits}`);
    }
  } else if (mark === '.') return null;
  let [hour, minute, second] = [hours, minutes, seconds].map(small);
  if (hour === null || minute === null || second === null) return null;
  const end = trim(rest).toLowerCase();
  if ((end === 'am' || end === 'pm') && hour >= 1 && hour <= 12) hour = (hour % 12) + (end === 'pm' ? 12 : 0);
  else if (!['', 'z', 'utc', 'gmt'].includes(end) && !/^[+-][0-9:]{0,5}$/.test(end)) return null;
  return hour <= 24 && minute < 60 && second <= 60 ? hour * 3600 + minute * 60 + second + fraction : null;
}

/** The text after a separator between the parts of a date, or null. */
function separated(text) {
  const separator = /^[-/., ] ?/.exec(text);
  return separator ? text.slice(separator[0].length) : null;
}

/** Parses a year: four digits, or two where it cannot be mistaken for a day. */
function yearOf(text, leading) {
  if (/^[0-9]{4}$/.test(text)) return Number(text);
  if (leading || !/^[0-9]{2}$/.test(text)) return null;
  return Number(text) + (Number(text) >= 70 ? 1900 : 2000);
}

/** A month's number or English name, or null. */
function monthOf(text) {
  if (/^[A-Za-z]/.test(text)) {
    const month = MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;
    return month > 0 && text.length <= 9 ? month : null;
  }
  const month = small(text);
  return month !== null && month >= 1 && month <= 12 ? month : null;
}

/** Date and seconds that a cell spells, as far as it has them; or null. */
function momentOf(text, order) {
  if (text.length > 40 || !/^[\x00-\x7f]*$/.test(text) || !/[0-9]/.test(text)) return null;
  if (order === 'time') {
    const seconds = secondsOf(text);
    return seconds === null ? null : { date: null, seconds };
  }
  const [first, afterFirst] = piece(text);
  const middle = separated(afterFirst);
  if (middle === null) return null;
  const [second, afterSecond] = piece(middle);
  const last = separated(afterSecond);
  if (last === null) return null;
  const [third, rest] = piece(last);
  const orders = { 'year-month-day': [first, second, third], 'day-month-year': [third, second, first] };
  const parts = orders[order] ?? [third, first, second];
  const [year, month, day] = [yearOf(parts[0], order === 'year-month-day'), monthOf(parts[1]), small(parts[2])];
  if (year === null || month === null || day === null) return null;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  if (day < 1 || day > days[month - 1]) return null;
  const date = [year, month, day];
  if (rest === '') return { date, seconds: null };
  const clock = /^[Tt]/.test(rest) ? rest.slice(1) : /^[ ,]/.test(rest) ? trimStart(rest.slice(1)) : null;
  const seconds = clock === null ? null : secondsOf(clock);
  return seconds === null ? null : { date, seconds };
}

/** Days since 1970-01-01. Years begin in March here, so that the leap day is the last day of its year. */
function daysOf([calendarYear, calendarMonth, day]) {
  const late = calendarMonth > 2;
  const [year, month] = late ? [calendarYear, calendarMonth - 3] : [calendarYear - 1, calendarMonth + 9];
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return 365 * year + leapDays + Math.floor((153 * month + 2) / 5) + day - 1 - 719468;
}

/** The part of a date that the feature uses, or null. A plain number is the part itself. */
function dateNumber(feature, text) {
  const moment = momentOf(text, feature.date);
  if (moment === null) return plainNumber(text);
  const { date, seconds } = moment;
  if (feature.part === 'hour') return seconds === null ? null : seconds / 3600;
  if (date === null) return null;
  if (feature.part === 'days') return daysOf(date) + (seconds ?? 0) / 86400;
  if (feature.part === 'weekday') return ((((daysOf(date) + 3) % 7) + 7) % 7) + 1;
  return date[['year', 'month', 'day'].indexOf(feature.part)];
}
