# SPDX-License-Identifier: BSD-3-Clause
"""Comments are written in plain technical English: each folder contains at most as many phrases of phrases.txt as
comments_left.txt allows. The numbers may only fall. Checked are C, C++, Python with its docstrings, JavaScript, TypeScript, CMake and
shell scripts.

    tests/words/comments.py TREE             the folders with more than allowed, one a line; exit code 1 if there is one
    tests/words/comments.py TREE --list X    the phrases of the folder X, with file and line
    tests/words/comments.py TREE --write     lowers the numbers of comments_left.txt to what is found; none is raised
"""
import collections
import io
import pathlib
import re
import sys
import tokenize

from phrases import HERE, fields, phrases, uses

FOLDERS = ("engine", "tools", "blocks", "drivers", "plugins", "python", "benchmarks", "tests")
MORE_FOLDERS = ("cmake", "docs", "examples", ".ci")
ENDINGS = (".cpp", ".h", ".c")
LIST = "comments_left.txt"
TOKEN = re.compile(r"(?P<comment>//[^\n]*|/\*.*?\*/)|R\"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.DOTALL)
SCRIPT_TOKEN = re.compile(r"(?P<comment>//[^\n]*|/\*.*?\*/)|`(?:\\.|[^`\\])*`|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
SHELL_COMMENT = re.compile(r"(?:^|\s)#+(?!!) ?(.*)$")


def comments(text, token=TOKEN):
    """The text with all but its comments left out; lines keep their numbers."""
    kept, at = [], 0
    for match in token.finditer(text):
        kept += ["\n" * text.count("\n", at, match.start())]
        at = match.end()
        kept.append(re.sub(r"(?m)^ *(///?<?|/\*+|\*/?) ?|\*/$|`[^`\n]*`", "", match[0]) if match["comment"] else "\n" * match[0].count("\n"))
    return "".join(kept) + "\n" if len(kept) else ""


def tokens_of(text):
    """Python's tokens, up to the first place that Python cannot read: a test may contain a mistake on purpose."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, IndentationError):
        return


def python_comments(text):
    """The comments and docstrings of Python; lines keep their numbers."""
    lines, before = [""] * (text.count("\n") + 2), tokenize.NEWLINE
    for token in tokens_of(text):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] += " " + re.sub(r"^#+(?!!) ?", "", token.string)
        elif token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            for at, line in enumerate(token.string.split("\n"), token.start[0] - 1):
                lines[at] += line.strip(' "')
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type
    return "\n".join(lines)


def shell_comments(text):
    """The comments of a shell script or of CMake; lines keep their numbers."""
    found = [SHELL_COMMENT.search(line) for line in text.split("\n")]
    return "\n".join(match[1] if match else "" for match in found)


def comments_of(file):
    """The comments of a file; None if it is in another language."""
    if file.suffix in ENDINGS:
        return comments(file.read_text(errors="replace"))
    if file.suffix in (".py", ".pyi"):
        return python_comments(file.read_text())
    if file.suffix in (".js", ".mjs", ".ts"):
        return comments(file.read_text(), SCRIPT_TOKEN)
    if file.suffix in (".sh", ".cmake") or file.name == "CMakeLists.txt" or file.parent.name == ".ci":
        return shell_comments(file.read_text())
    return None


def folder_of(name):
    """The folder that a file counts for: at most three names deep."""
    return "/".join(pathlib.PurePosixPath(name).parent.parts[:3])


def found_in(tree, known, folders=(*FOLDERS, *MORE_FOLDERS)):
    """(folder, file, line number, words, replacement) of each phrase."""
    for top in folders:
        for file in sorted((tree / top).rglob("*")):
            name = str(file.relative_to(tree))
            if "node_modules" in file.parts or name.startswith("tests/abi/frozen/") or not file.is_file():
                continue
            for number, _, words, _, replacement in uses(comments_of(file) or "", known):
                yield folder_of(name), name, number, words, replacement


def comment_faults(tree, folder=HERE):
    left = {name: int(most) for _, (name, most) in fields(folder / LIST, 2)}
    faults, found = [], collections.defaultdict(list)
    for where, name, number, words, replacement in found_in(tree, phrases(folder)):
        found[where].append(f"{name}:{number}: '{words}'; write: {replacement}")
    for where, lines in sorted(found.items()):
        most = left.get(where, 0)
        if len(lines) > most:
            faults += [*lines, f"{where}: {len(lines)} phrases in comments; {LIST} allows {most}"]
    return faults


def write(tree, folder=HERE):
    counts = collections.Counter(where for where, *_ in found_in(tree, phrases(folder)))
    head = [line for line in (folder / LIST).read_text().splitlines() if line.startswith("#")]
    left = {name: int(most) for _, (name, most) in fields(folder / LIST, 2)}
    rows = [f"{name}\t{min(most, counts[name])}" for name, most in sorted(left.items()) if counts[name]]
    (folder / LIST).write_text("\n".join(head + rows) + "\n")


def main(tree, arguments):
    if arguments[:1] == ["--list"]:
        print("\n".join(f"{name}:{number}: {words}" for where, name, number, words, _ in found_in(tree, phrases()) if where == arguments[1]))
        return 0
    if arguments == ["--write"]:
        write(tree)
        return 0
    faults = comment_faults(tree)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
