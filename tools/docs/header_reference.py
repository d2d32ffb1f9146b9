# SPDX-License-Identifier: BSD-3-Clause
"""Pages of the C API, the plugin boundary and the C++ SDK, from the comments in their headers.

A comment before a declaration describes it: `///` or `//` in C++, `/* */` in C. The first comment of a header describes the header.
Structs and enumerations of C are shown whole, since their comments are behind the members. Of C++ classes the members that have a
comment and are public are shown; namespace detail is not.
"""
import pathlib
import re
import textwrap

PAGES = {  # page: title, what it is for, headers
    "c_api": ("C API", "call every function of the C API from a program that embeds hilda", ["plugins/abi/hilda/embed.h"]),
    "c_plugins": ("Plugin boundary in C", "look up every struct, function and flag of the plugin boundary",
                  ["plugins/abi/hilda/abi.h", "plugins/abi/hilda/[!ae]*.h"]),
    "cpp_blocks": ("C++ SDK", "look up the classes and functions for blocks and their tests",
                   [f"plugins/sdk/hilda/{name}.h" for name in
                    ("block", "declare", "choice", "input", "output", "parameter", "state", "types", "frames", "rotation", "random", "row",
                     "lane_block", "figures", "whole_ticks", "testing", "testing/bench", "testing/checks", "testing/finding",
                     "testing/type", "testing/value")]),
}
LICENCE = re.compile(r"\A(?://|/\*) SPDX-License-Identifier:[^\n]*\n")
COMMENT = re.compile(r"//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/", re.DOTALL)
LABEL = re.compile(r"(public|private|protected):")
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:requires\b.*)?(?:typedef\s+)?(class|struct|enum|union)\b[^()=]*$", re.DOTALL)


def comment_text(comment):
    """The words of a comment, without its marks."""
    comment = re.sub(r"^/\*+|\*+/$", "", comment)
    return textwrap.dedent("\n".join(re.sub(r"^[ \t]*(?:///?<?| ?\*)", "", line) for line in comment.splitlines())).strip()


def prose(text):
    """Markdown of a comment: words as they are, indented lines as code."""
    parts, code = [], False
    for line in text.splitlines():
        indented = line.startswith("  ") and not re.match(r"\s+[-*] ", line)
        if indented != code:
            parts.append("```" if code else "```c")
            code = indented
        parts.append(line if code else re.sub(r"([<>])", r"\\\1", re.sub(r"^@param +(\w+)", r"\n`\1`:", line)))
    return "\n".join(parts + ["```"] * code)


def closing(text, at):
    """The place behind the bracket that closes the one at `at`; brackets in comments and literals do not count."""
    depth, token = 0, re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|[{}]", re.DOTALL)
    for match in token.finditer(text, at):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0 and match[0] == "}":
            return match.end()
    raise ValueError("a brace is not closed: " + text[at:at + 60])


def head_end(text, at):
    """Where a declaration's ; or body is: brackets of an initialiser are passed over."""
    while True:
        match = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|[;{]", re.DOTALL).search(text, at)
        if match is None:
            return len(text)
        head = text[:match.start()].rstrip()
        inside_list = re.search(r"\)\s*(?:const\s*)?(?:noexcept\s*)?:\s[^;]*$", head) and re.search(r"[\w>]$", head)
        if match[0] == ";" or (match[0] == "{" and not inside_list):
            return match.start()
        at = closing(text, match.start()) if match[0] == "{" else match.end()


def declarations(text, public, plain):
    """(level, code, words) of what is declared; `plain`: the header is C."""
    words, documented, at = "", False, 0  # documented: the declaration before, without a blank line between, has words
    while at < len(text):
        rest = text[at:]
        blank = re.match(r"\s+|#(?:\\\n|[^\n])*", rest)
        if blank and not (plain and re.match(r"#define +[A-Z_0-9]+ ", blank[0]) and words):
            at += blank.end()
            words, documented = ("", False) if "\n\n" in blank[0] else (words, documented)
        elif blank:
            yield 0, blank[0], words
            at += blank.end()
            words = ""
        elif match := COMMENT.match(rest):
            words = comment_text(match[0])
            at += match.end()
        elif match := LABEL.match(rest):
            public, at = match[1] == "public", at + match.end()
        else:
            end = head_end(rest, 0)
            head, body = rest[:end].strip(), end < len(rest) and rest[end] == "{"
            after = closing(rest, end) if body else min(end + 1, len(rest))
            inside = rest[end + 1:after - 1] if body else ""
            if body and (tail := re.match(r"[^;{}\n]*;", rest[after:])):
                after += tail.end()
            behind = re.match(r"[ \t]*(//[^\n]*|/\*.*?\*/)", rest[after:])  # a comment on the same line is about what is before it
            words, grouped = words or (comment_text(behind[1]) if behind else ""), not words and not behind and documented and plain
            if re.match(r"(inline )?namespace\b|extern \"C\"", head):
                if not head.endswith("detail"):
                    yield from declarations(inside, True, plain)
            elif public and body and TYPE.match(head) and not plain and " enum" not in f" {head}":
                if words:
                    yield 0, head + ";", words
                    for level, code, more in declarations(inside, not re.search(r"\bclass\b", head), plain):
                        yield level + 1, code, more
            elif public and (words or grouped):
                yield 0, rest[:after].strip() if TYPE.match(head) or not body else re.sub(r"(\))\s*:\s.*", r"\1", head, flags=re.S) + ";", words
            documented = bool(words) or grouped
            at += after + (behind.end() if behind else 0)
            words = ""


def header_page(file):
    text = LICENCE.sub("", file.read_text())
    first = COMMENT.search(text)
    intro = re.sub(r"\n(?=[A-Z]\w+: )", "\n\n", comment_text(first[0])) if first else ""
    plain = "/abi/" in str(file)
    lines = ["", f"## hilda/{file.relative_to(file.parents[[p.name for p in file.parents].index('hilda')])}", "", prose(intro)]
    found = list(declarations(text[first.end() if first else 0:], True, plain))
    for level, code, words in found:
        lines += ["", "```c" if plain else "```cpp", textwrap.dedent("  " * level + code).strip(), "```", "", prose(words)]
    return lines if found else []


def write(tree, folder):
    """Writes the pages and gives title and name of each."""
    for name, (title, purpose, patterns) in PAGES.items():
        files = [file for pattern in patterns for file in sorted(pathlib.Path(tree).glob(pattern))]
        lines = [f"# {title}", "", f"After reading this page you can {purpose}."]
        for file in files:
            lines += header_page(file)
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n")
    return [(title, name) for name, (title, *_) in PAGES.items()]
