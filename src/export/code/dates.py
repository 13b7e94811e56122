MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def piece(text):
    """Splits off the letters or the digits at the start."""
    found = re.match("[A-Za-z]+|[0-9]*", text).group()
    return found, text[len(found) :]


def small(text):
    """A number of one or two digits."""
    return int(text) if re.fullmatch("[0-9]{1,2}", text) else None


def seconds_of(text):
    """Seconds since midnight of `18:30`, `6:30 PM`, `18.30.00`, `18:30:00.25`, `18:30+02:00`, or None."""
    hour, rest = piece(text)
    mark = rest[:1]
    if mark not in (":", "."):
        return None
    minute, rest = piece(rest[1:])
    second, fraction = "0", 0.0
    if rest[:1] == mark:
        second, rest = piece(rest[1:])
        if mark == ":" and rest[:1] == ".":
            digits, rest = piece(rest[1:])
            if not re.fullmatch("[0-9]*", digits):
                return None
            fraction = float("0." + digits)
    elif mark == ".":
        return None
    hour, minute, second = small(hour), small(minute), small(second)
    if hour is None or minute is None or second is None:
        return None
    end = rest.strip(BLANKS).lower()
    if end in ("am", "pm") and 1 <= hour <= 12:
        hour = hour % 12 + (12 if end == "pm" else 0)
    elif end not in ("", "z", "utc", "gmt") and not re.fullmatch("[+-][0-9:]{0,5}", end):
        return None
    return hour * 3600 + minute * 60 + second + fraction if hour <= 24 and minute < 60 and second <= 60 else None


def separated(text):
    """The text after a separator between the parts of a date, or None."""
    if text[:1] not in ("-", "/", ".", ",", " "):
        return None
    return text[2:] if text[1:2] == " " else text[1:]


def year_of(text, leading):
    """Parses a year: four digits, or two where it cannot be mistaken for a day."""
    if re.fullmatch("[0-9]{4}", text):
        return int(text)
    if not leading and re.fullmatch("[0-9]{2}", text):
        return int(text) + (1900 if int(text) >= 70 else 2000)
    return None


def month_of(text):
    """A month's number or English name."""
    if re.match("[A-Za-z]", text):
        known = 3 <= len(text) <= 9 and text[:3].lower() in MONTHS
        return MONTHS.index(text[:3].lower()) + 1 if known else None
    month = small(text)
    return month if month is not None and 1 <= month <= 12 else None


def moment_of(text, order):
    """Year, month, day and seconds that a cell spells, as far as it has them; or None."""
    if len(text) > 40 or not text.isascii() or not re.search("[0-9]", text):
        return None
    if order == "time":
        seconds = seconds_of(text)
        return None if seconds is None else (None, seconds)
    first, rest = piece(text)
    rest = separated(rest)
    second, rest = piece(rest) if rest is not None else ("", None)
    rest = separated(rest) if rest is not None else None
    if rest is None:
        return None
    third, rest = piece(rest)
    parts = {"year-month-day": (first, second, third), "day-month-year": (third, second, first)}
    year, month, day = parts.get(order, (third, first, second))
    year, month, day = year_of(year, order == "year-month-day"), month_of(month), small(day)
    if year is None or month is None or day is None:
        return None
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if not 1 <= day <= days[month - 1]:
        return None
    if rest == "":
        return (year, month, day), None
    clock = rest[1:] if rest[0] in "Tt" else rest[1:].lstrip(BLANKS) if rest[0] in " ," else None
    seconds = None if clock is None else seconds_of(clock)
    return None if seconds is None else ((year, month, day), seconds)


def days_of(year, month, day):
    """Days since 1970-01-01. Years begin in March here, so that the leap day is the last day of its year."""
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    leap_days = year // 4 - year // 100 + year // 400
    return 365 * year + leap_days + (153 * month + 2) // 5 + day - 1 - 719468


def date_number(feature, text):
    """The part of a date that the feature uses, or None. A plain number is the part itself."""
    moment = moment_of(text, feature["date"])
    if moment is None:
        return plain_number(text)
    date, seconds = moment
    part = feature["part"]
    if part == "hour":
        return None if seconds is None else seconds / 3600.0
    if date is None:
        return None
    if part == "days":
        return days_of(*date) + (seconds or 0.0) / 86400.0
    if part == "weekday":
        return float((days_of(*date) + 3) % 7 + 1)
    return float(date[("year", "month", "day").index(part)])
