# SPDX-License-Identifier: BSD-3-Clause
"""Cells and tables of the pages."""
import math


def show(x, digits=4):
    if x is None or (isinstance(x, float) and math.isnan(x)):
        return "not run"
    if math.isinf(x):
        return "lost"
    return f"{x:.{digits}f}" if abs(x) < 100 else f"{x:.3g}"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows])


def spread(values, digits=3):
    """Mean, standard deviation and extremes of what was run (NaN: not run) and kept (inf or 0: lost), and what was kept."""
    there = [v for v in values if v is not None and not math.isnan(v)]
    good = [v for v in there if not math.isinf(v) and v > 0]
    if not there:
        return "not run", []
    if not good:
        return f"all {len(there)} lost", []
    mean = sum(good) / len(good)
    deviation = math.sqrt(sum((v - mean) ** 2 for v in good) / max(1, len(good) - 1))
    lost = f", {len(there) - len(good)} lost" if len(there) > len(good) else ""
    return f"{show(mean, digits)} +- {show(deviation, digits)} [{show(min(good), digits)}, {show(max(good), digits)}], {len(good)}{lost}", good


def below_mark(file, script, text):
    """Replaces the part of a page below the mark of its script; the part above is written by hand."""
    mark = f"<!-- tables: written by {script}, do not edit below -->\n"
    file.write_text(file.read_text().split(mark)[0] + mark + "\n" + text.rstrip() + "\n")
