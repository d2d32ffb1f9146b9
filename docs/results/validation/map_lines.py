# SPDX-License-Identifier: BSD-3-Clause
"""Lines in the maps that `hilda sweep plot` draws: between the cells of a panel, by the values of its axes."""
import bisect
import math
import re


def place(value, values, centres, logarithmic):
    """Where a value lies among the cells' centres; None beyond the outer ones."""
    scale = math.log if logarithmic else float
    if not values[0] <= value <= values[-1]:
        return None
    i = min(max(bisect.bisect_right(values, value), 1), len(values) - 1)
    share = (scale(value) - scale(values[i - 1])) / (scale(values[i]) - scale(values[i - 1]))
    return centres[i - 1] + share * (centres[i] - centres[i - 1])


def draw_lines(file, panels, across, up, lines, logarithmic=(False, True)):
    """Draws lines, each (label, dashes, [(across, up), ...]), into the panels whose title is one of these."""
    text = file.read_text()
    titles = [(m.start(), m.group(2)) for m in re.finditer(r'<text [^>]*font-size="(\d+)" font-weight="bold">([^<]*)</text>', text)]
    drawn = []
    for title in panels:
        begin = next((at for at, name in titles if name == title), None)
        if begin is None:
            raise ValueError(f"{file}: there is no panel '{title}', but {', '.join(name for _, name in titles)}")
        end = min([at for at, _ in titles if at > begin], default=len(text))
        cells = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', text[begin:end])
        cells = [tuple(map(float, cell)) for cell in cells][:len(across) * len(up)]
        columns = sorted({x for x, _, _, _ in cells})
        rows = sorted({y for _, y, _, _ in cells}, reverse=True)
        if len(columns) != len(across) or len(rows) != len(up):
            raise ValueError(f"{file}, {title}: {len(columns)} by {len(rows)} cells, and {len(across)} by {len(up)} values")
        _, _, width, height = cells[0]
        for label, dashes, points in lines:
            places = [(place(x, across, [c + width / 2 for c in columns], logarithmic[0]),
                       place(y, up, [r + height / 2 for r in rows], logarithmic[1])) for x, y in points]
            inside = " ".join(f"{x:.2f},{y:.2f}" for x, y in places if x is not None and y is not None)
            for colour, thickness in (("#ffffff", 4), ("#000000", 2)):
                drawn.append(f'<polyline points="{inside}" fill="none" stroke="{colour}" stroke-width="{thickness}" '
                             f'stroke-dasharray="{dashes}"><title>{label}</title></polyline>')
    file.write_text(text.replace("</svg>", "\n".join(drawn) + "\n</svg>"))
