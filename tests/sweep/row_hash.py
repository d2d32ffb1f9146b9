"""The hash that a row of a study's results has, computed here and not by hilda: FNV-1a over texts, one round of
SplitMix64 after each word."""
import math
import struct

MASK = (1 << 64) - 1


def mixed(z):
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def bits(number):
    """NULL is NaN, with one pattern; zero has no sign."""
    number = math.nan if number is None else number
    return MASK if math.isnan(number) else struct.unpack("<Q", struct.pack("<d", number + 0.0))[0]


class Mix:
    def __init__(self):
        self.h = 14695981039346656037

    def word(self, word):
        self.h = mixed(self.h ^ (word & MASK))

    def text(self, text):
        for byte in text.encode():
            self.h = ((self.h ^ byte) * 1099511628211) & MASK
        self.word(len(text.encode()))


def row_hash(row, coordinates, figures):
    """`row`: a mapping of the columns; as SQLite keeps it, with a sign."""
    mix = Mix()
    mix.word(row["run"]), mix.word(row["base"])
    for name in coordinates:
        is_text = isinstance(row[name], str)
        mix.word(bits(None if is_text else row[name])), mix.text(row[name] if is_text else "")
    for name in figures:
        mix.word(bits(row[name]))
    for name in ("ending", "cause", "block", "signal"):
        mix.text(row[name])
    mix.word(bits(row["time"])), mix.word(row["steps"])
    value = mixed(mix.h)
    return value - (1 << 64) if value >> 63 else value
