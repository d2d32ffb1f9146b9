# SPDX-License-Identifier: BSD-3-Clause
"""The glossary is true: each name of docs/glossary.md is in the sources, and no word that it bans is in use.

    tests/words/glossary.py TREE        the faults, one a line; exit code 1 if there is one
"""
import pathlib
import re
import sys

from pages import pages

PAGE = "docs/glossary.md"
# They quote the words of others: of Simulink, of Drake, of the FMI standard.
TRANSLATIONS = ("docs/from_simulink.md", "docs/from_drake.md", "docs/fmi.md", "tools/fmi/detail/model/description.cpp",
                "tools/fmi/detail/model/foreign_subsystem.cpp")
COLUMNS = ["term", "meaning", "XML", "C++", "Python", "JSON", "CLI", "not used"]

# Where a name must occur, and as what: its folders, its file names, and the pattern around the name.
SOURCES = {
    "XML": (["engine", "blocks"], (".cpp", ".h"), r'"(?:[^"\n]*[ <])?{}["= ]'),
    "C++": (["plugins", "engine"], (".h",), r"\b{}\b"),
    "Python": (["python/hilda"], (".py", ".pyi"), r"\b{}\b"),
    "JSON": (["engine", "tools"], (".cpp", ".h", ".ts", ".tsx", ".js"), r'"{}"'),
    "CLI": (["tools", "engine/authoring/detail/edit"], (".cpp", ".h"), r'"(?:[^"\n]*[ ,])?{}(?:[" ,]|\.\.\.)'),
}
MESSAGES = ("engine", "tools", "blocks", "drivers", "plugins", "python")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def rows(text):
    """The table's rows below its head, as dictionaries; a row of another width is a fault."""
    table, head = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            if head:
                break
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if head is None:
            head = cells
            if head != COLUMNS:
                raise ValueError(f"{PAGE}:{number}: the columns are {', '.join(head)}; expected {', '.join(COLUMNS)}")
        elif set(line) - set("|-"):
            if len(cells) != len(COLUMNS):
                raise ValueError(f"{PAGE}:{number}: {len(cells)} cells in a table of {len(COLUMNS)} columns")
            table.append((number, dict(zip(COLUMNS, cells))))
    if not table:
        raise ValueError(f"{PAGE}: it contains no table")
    return table


def files(tree, folders, endings):
    for folder in folders:
        for file in sorted((tree / folder).rglob("*")):
            if file.suffix in endings and "node_modules" not in file.parts and file.is_file():
                yield file


def unknown_names(tree, table):
    """Names of the table that the sources of their column do not contain."""
    faults = []
    for column, (folders, endings, around) in SOURCES.items():
        text = "\n".join(file.read_text(errors="replace") for file in files(tree, folders, endings))
        for number, row in table:
            cell = row[column]
            names = re.findall(r"`([^`]+)`", cell)
            if not names and cell != "-":
                faults.append(f"{PAGE}:{number}: {column} of '{row['term']}' is '{cell}'; write `a name` or -")
            for name in names:
                if not re.search(around.format(re.escape(name)), text):
                    faults.append(f"{PAGE}:{number}: {column} name '{name}' of '{row['term']}' is not in {', '.join(folders)}")
    return faults


def banned(table):
    """Banned words with the term to use; a word that is a term itself is a fault of the table."""
    words = {}
    terms = {row["term"] for _, row in table}
    for number, row in table:
        for word in (word.strip() for word in row["not used"].split(",") if row["not used"] != "-"):
            if not word:
                raise ValueError(f"{PAGE}:{number}: an empty word in the last column")
            if word in terms:
                raise ValueError(f"{PAGE}:{number}: '{word}' is banned and a term")
            words[word] = row["term"]
    return words


def uses(lines, words):
    """(line number, word) of each banned word, in singular or plural."""
    if not words:
        return
    pattern = re.compile(r"(?<![\w-])(" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")s?(?![\w-])", re.IGNORECASE)
    for number, line in lines:
        for match in pattern.finditer(line):
            yield number, match.group(1).lower()


def literals(text):
    """The texts between quotes, line by line; names of included files are left out."""
    return ((number, " ".join(LITERAL.findall(line))) for number, line in enumerate(text.splitlines(), 1)
            if '"' in line and not line.startswith("#include"))


def banned_uses(tree, words):
    faults = []
    texts = [(page, enumerate((tree / page).read_text().splitlines(), 1)) for page in pages(tree) if page != PAGE]
    texts += [(str(file.relative_to(tree)), literals(file.read_text(errors="replace")))
              for file in files(tree, MESSAGES, (".cpp", ".h", ".py"))]
    for name, lines in (each for each in texts if each[0] not in TRANSLATIONS):
        faults += [f"{name}:{number}: '{word}' is a word that {PAGE} bans; write '{words[word]}'" for number, word in uses(lines, words)]
    return faults


def glossary_faults(tree):
    try:
        table = rows((tree / PAGE).read_text())
        return unknown_names(tree, table) + banned_uses(tree, banned(table))
    except (ValueError, OSError) as error:
        return [str(error)]


if __name__ == "__main__":
    found = glossary_faults(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
