BLANKS = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def plain_number(text):
    """The number that a text spells with a decimal point, or None."""
    return float(text) if NUMBER.fullmatch(text) else None


def single(number):
    """A number rounded to 32 bits; missing if there is none or if it is out of range."""
    if number is None:
        return math.nan
    try:
        value = struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def value_of(feature, cell):
    """The value of a cell: a 32-bit number or the position of a word; NaN if missing, -1 if unseen."""
    text = cell.strip(BLANKS)
    if text == "" or text in feature["missing"]:
        return math.nan
    if "words" in feature:
        return float(feature["words"].get(text, -1))
    return single(number_of(feature, text))


def cell_in(row, feature):
    """A feature's cell in a row that maps column names to cells; an absent column is missing."""
    cell = row.get(feature["column"] if feature["column"] in row else feature["name"])
    return "" if cell is None else str(cell)
