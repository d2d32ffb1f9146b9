# SPDX-License-Identifier: BSD-3-Clause
"""One page for each plugin, with its blocks as `hilda describe` prints them."""
import re
import subprocess

SECTIONS = ("Inputs", "Outputs", "Parameters", "States")
FILE_OF_PLUGIN = r"  from \S*/\S+$"  # and not a slot that is called from


def run(program, *words):
    return subprocess.run([str(program), *words], check=True, capture_output=True, text=True).stdout


def libraries(program):
    """The names of all blocks by the library that comes before the slash."""
    found = {}
    for line in run(program, "blocks").splitlines():
        if match := re.match(r"  ([\w.]+)/(\w+)(?:\s|$)", line):
            found.setdefault(match[1], []).append(f"{match[1]}/{match[2]}")
    if not found:
        raise SystemExit(f"{program} blocks lists no block")
    return found


def escaped(text):
    """Text for a page; `names` in it stay code."""
    parts = re.split(r"(`[^`|]+`)", text)
    return "".join(part if at % 2 else re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", part) for at, part in enumerate(parts))


def page(program, library, names):
    """The page of a library. describe prints a block's name at the line's begin, its sections, slots and their sentences."""
    lines, in_section = [f"# {library}", ""], False
    for line in run(program, "describe", *names).splitlines():
        if line in names:
            lines += ["", f"## {line}", ""]
            in_section = False
        elif line in SECTIONS:
            lines += ["", f"**{line}**", "", "| name | properties | meaning |", "|---|---|---|"]
            in_section = True
        elif not line.strip():
            in_section = in_section and lines[-1].startswith("|")
        elif in_section and line.startswith("      ") and lines[-1].endswith("| |"):
            lines[-1] = lines[-1][: -len(" |")] + f" {escaped(line.strip())} |"
        elif in_section and line.startswith("      ") and lines[-1].endswith(" |"):  # a description of several lines
            lines[-1] = lines[-1][: -len(" |")] + f" {escaped(line.strip())} |"
        elif in_section and re.match(r"  \S", line) and not re.match(rf"{FILE_OF_PLUGIN}|  (@|A letter |name\[\] is )", line):
            name, _, rest = line.strip().partition("  ")
            lines.append(f"| `{name}` | {escaped(', '.join(re.split(r' {2,}', rest.strip())))} | |")
        elif not re.match(FILE_OF_PLUGIN, line):
            if lines[-1].startswith("|"):
                lines.append("")
            lines.append(escaped(line.strip()))
    return "\n".join(lines) + "\n"


def write(program, folder):
    """Writes the pages and gives their names in the order of the sidebar."""
    folder.mkdir(parents=True, exist_ok=True)
    found = libraries(program)
    for library, names in found.items():
        (folder / f"{library}.md").write_text(page(program, library, names))
    rows = [f"| [{library}]({library}.md) | {', '.join(name.split('/')[1] for name in names)} |" for library, names in found.items()]
    (folder / "README.md").write_text("\n".join(["# Block reference", "", "After reading this page you can find the block that you need.", "",
                                                 "| library | blocks |", "|---|---|", *rows]) + "\n")
    return ["README", *found]
