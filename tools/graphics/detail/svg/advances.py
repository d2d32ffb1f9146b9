#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes advances.h: how far each character of DejaVu Sans moves the pen, read from the font's files.

    tools/graphics/detail/svg/advances.py [--check] [FOLDER]

FOLDER holds DejaVuSans.ttf and DejaVuSans-Bold.ttf. --check compares instead, and says where they differ (exit code 1).
"""
import struct
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
FIRST, LAST = 0x20, 0x17F  # beyond it the widest of these is taken
MORE = "\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2192\u2212\u00b7\u207b\u00b9\u03c9\u03b1\u03b2\u03c4\u03c0\u03b6\u03be\u0394\u221e\u2264\u2265"


def advances(file):
    """Advance by code point, in units of the font's square; and the square's size."""
    data = file.read_bytes()
    count = struct.unpack(">H", data[4:6])[0]
    table = {data[o:o + 4].decode(): struct.unpack(">I", data[o + 8:o + 12])[0] for o in range(12, 12 + 16 * count, 16)}
    em = struct.unpack(">H", data[table["head"] + 18:table["head"] + 20])[0]
    metrics = struct.unpack(">H", data[table["hhea"] + 34:table["hhea"] + 36])[0]
    cmap = table["cmap"]
    glyphs = {}
    for i in range(struct.unpack(">H", data[cmap + 2:cmap + 4])[0]):
        platform, _, offset = struct.unpack(">HHI", data[cmap + 4 + 8 * i:cmap + 12 + 8 * i])
        at = cmap + offset
        if platform != 3 or struct.unpack(">H", data[at:at + 2])[0] != 4:
            continue
        n = struct.unpack(">H", data[at + 6:at + 8])[0] // 2
        ends, starts, deltas, ranges = (struct.unpack(f">{n}H", data[at + 14 + 2 * n * k + (2 if k else 0):at + 14 + 2 * n * (k + 1) + (2 if k else 0)])
                                        for k in range(4))
        for s in range(n):
            for c in range(starts[s], min(ends[s], 0xFFFE) + 1):
                if ranges[s] == 0:
                    glyph = (c + deltas[s]) & 0xFFFF
                else:
                    place = at + 16 + 6 * n + 2 * s + ranges[s] + 2 * (c - starts[s])
                    glyph = struct.unpack(">H", data[place:place + 2])[0]
                    glyph = (glyph + deltas[s]) & 0xFFFF if glyph else 0
                if glyph:
                    glyphs[c] = glyph
    width = lambda g: struct.unpack(">H", data[table["hmtx"] + 4 * min(g, metrics - 1):table["hmtx"] + 4 * min(g, metrics - 1) + 2])[0]
    return {c: width(g) for c, g in glyphs.items()}, em


def text(folder):
    out = ["// SPDX-License-Identifier: BSD-3-Clause", "// Written by advances.py from the files of DejaVu Sans; do not edit.", "#pragma once", "", "#include <array>",
           "#include <cstdint>", "", "namespace hilda::graphics::svg {", "",
           f"constexpr char32_t first_advance = {FIRST:#x}, last_advance = {LAST:#x};", "",
           "/// Of the characters from first_advance to last_advance, in 1/2048 of the type's size.", "// clang-format off"]
    odd = []
    for name, file in (("regular", "DejaVuSans.ttf"), ("bold", "DejaVuSans-Bold.ttf")):
        found, em = advances(folder / file)
        if em != 2048:
            sys.exit(f"{file}: {em} units a square, not 2048")
        values = [found.get(c, found[ord('m')]) for c in range(FIRST, LAST + 1)]
        rows = [", ".join(str(v) for v in values[i:i + 16]) for i in range(0, len(values), 16)]
        out += [f"constexpr std::array<std::uint16_t, {len(values)}> {name}_advances{{", "    " + ",\n    ".join(rows) + "};", ""]
        odd.append([found.get(ord(c), found[ord('m')]) for c in MORE])
    out += ["struct OddAdvance {", "  char32_t character;", "  std::uint16_t regular, bold;", "};",
            f"constexpr std::array<OddAdvance, {len(MORE)}> odd_advances{{{{"]
    out += [f"    {{{ord(c):#06x}, {r}, {b}}}," for c, r, b in zip(MORE, *odd)]
    return "\n".join(out + ["}};", "// clang-format on", "", "} // namespace hilda::graphics::svg", ""])


def main():
    words = [w for w in sys.argv[1:] if w != "--check"]
    folder = Path(words[0] if words else "/usr/share/fonts/truetype/dejavu")
    made = text(folder)
    if "--check" in sys.argv:
        sys.exit(0 if (here / "advances.h").read_text() == made else "advances.h is not what the font's files give")
    (here / "advances.h").write_text(made)


main()
