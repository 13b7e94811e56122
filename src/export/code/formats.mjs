const THOUSANDS = { '.': '\\.', ',': ',', ' ': '[ \\xa0\\u2009\\u202f]', "'": "['\\u2019]" };

/** The number that a text spells with the column's decimal and thousands separators, or null. */
function spelledNumber(feature, text) {
  const groups = THOUSANDS[feature.thousands];
  const whole = groups ? `[1-9][0-9]{0,2}(?:${groups}[0-9]{3})+|[0-9]*` : '[0-9]*';
  const parts = new RegExp(`^([+-]?)(${whole})(?:(\\${feature.decimal})([0-9]*))?((?:[eE][+-]?[0-9]+)?)$`).exec(text);
  if (!parts) return null;
  const [, sign, digits, mark, decimals, exponent] = parts;
  return plainNumber(sign + digits.replace(/[^0-9]/g, '') + (mark ? `.${decimals}` : '') + exponent);
}

/** Splits a cell into a sign before the unit, the rest, and the unit if there is one. */
function splitUnit(text) {
  const sign = /^[+-]/.test(text) ? text[0] : '';
  const unsigned = text.slice(sign.length);
  if (/[0-9.]$/.test(text) && /^[0-9.]/.test(unsigned)) return ['', text, null];
  for (const unit of UNITS) {
    if (unsigned.startsWith(unit)) return [sign, trimStart(unsigned.slice(unit.length)), unit];
    if (text.endsWith(unit)) return ['', trimEnd(text.slice(0, -unit.length)), unit];
  }
  return ['', text, null];
}

/** The number that a text spells in the column's own format, or null. */
function formattedNumber(feature, text) {
  const wanted = feature.unit ?? null;
  if (wanted === null) return spelledNumber(feature, text);
  const [sign, rest, unit] = splitUnit(text);
  if (unit === null) return wanted === '%' ? null : spelledNumber(feature, text);
  if (unit !== wanted || (sign !== '' && /^[+-]/.test(rest))) return null;
  const value = spelledNumber(feature, rest);
  return sign === '-' && value !== null ? -value : value;
}
