THOUSANDS = {".": r"\.", ",": ",", " ": "[ \xa0\u2009\u202f]", "'": "['\u2019]"}


def spelled_number(feature, text):
    """The number that a text spells with the column's decimal and thousands separators, or None."""
    groups = THOUSANDS.get(feature.get("thousands"))
    whole = f"[1-9][0-9]{{0,2}}(?:{groups}[0-9]{{3}})+|[0-9]*" if groups else "[0-9]*"
    point = re.escape(feature["decimal"])
    parts = re.fullmatch(f"([+-]?)({whole})(?:({point})([0-9]*))?((?:[eE][+-]?[0-9]+)?)", text)
    if not parts:
        return None
    sign, digits, mark, decimals, exponent = parts.groups()
    return plain_number(sign + re.sub("[^0-9]", "", digits) + ("." + decimals if mark else "") + exponent)


def split_unit(text):
    """Splits a cell into a sign before the unit, the rest, and the unit if there is one."""
    sign = text[0] if text[0] in "+-" else ""
    unsigned = text[len(sign) :]
    if re.search(r"[0-9.]\Z", text) and re.match(r"[0-9.]", unsigned):
        return "", text, None
    for unit in UNITS:
        if unsigned.startswith(unit):
            return sign, unsigned[len(unit) :].lstrip(BLANKS), unit
        if text.endswith(unit):
            return "", text[: -len(unit)].rstrip(BLANKS), unit
    return "", text, None


def formatted_number(feature, text):
    """The number that a text spells in the column's own format, or None."""
    wanted = feature.get("unit")
    if wanted is None:
        return spelled_number(feature, text)
    sign, rest, unit = split_unit(text)
    if unit is None:
        return None if wanted == "%" else spelled_number(feature, text)
    if unit != wanted or sign and rest[:1] in ("+", "-"):
        return None
    value = spelled_number(feature, rest)
    return -value if sign == "-" and value is not None else value
