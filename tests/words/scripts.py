# SPDX-License-Identifier: BSD-3-Clause
"""The texts of scripts and of pages in a browser: string literals of JavaScript, TypeScript and Python, and what HTML shows."""
import re
import tokenize

from comments import tokens_of

VALUE = "{}"  # in the text, for an expression of a template
LITERAL = re.compile(r"(?i)([rbuf]*)(\"{3}|'{3}|[\"'])(.*)\2", re.DOTALL)
FIELD = re.compile(r"(?<!\{)\{(?!\{)[^{}]*\}")  # of an f-string
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
QUOTED = re.compile(r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'", re.DOTALL)
PATTERN = re.compile(r"/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")  # a regular expression
BEFORE_PATTERN = re.compile(r"(?:^|[=(,:;!&|?{}\[+>]|\breturn)\s*$")  # elsewhere / divides
NAME = re.compile(r"[\w.#:/-]*")
HIDDEN = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
TAG = re.compile(r"<!--(?P<comment>.*?)-->|<[^>]*>", re.DOTALL)
ATTRIBUTE = re.compile(r"\b(?:title|alt|placeholder|aria-label|content)=\"([^\"]*)\"")


class Scanner:
    def __init__(self, text):
        self.text, self.at, self.found = text, 0, []

    def add(self, begin, literal):
        if not NAME.fullmatch(literal):  # one word is a name: of an event, a class or a field
            self.found.append((self.text.count("\n", 0, begin) + 1, re.sub(r"\\n|\\\n", "  ", literal)))

    def template(self):
        """A text between backquotes; the literals in its expressions are texts as well."""
        begin, parts = self.at, []
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != "`":
            if self.text.startswith("${", self.at):
                self.at += 2
                self.code("}")
                parts.append(VALUE)
            else:
                size = 2 if self.text[self.at] == "\\" else 1
                parts.append(self.text[self.at:self.at + size])
                self.at += size
        self.at += 1
        self.add(begin, "".join(parts))

    def code(self, end=None):
        """Code up to its end: a closing brace, or the end of the file."""
        depth = 0
        while self.at < len(self.text):
            here = self.text[self.at]
            if here == end and depth == 0:
                self.at += 1
                return
            depth += {"{": 1, "}": -1}.get(here, 0)
            pattern = here == "/" and BEFORE_PATTERN.search(self.text[max(0, self.at - 40):self.at])
            skipped = COMMENT.match(self.text, self.at) or (pattern and PATTERN.match(self.text, self.at))
            quoted = QUOTED.match(self.text, self.at)
            if here == "`":
                self.template()
            elif skipped:
                self.at = skipped.end()
            elif quoted:
                self.add(self.at, quoted[1] or quoted[2] or "")
                self.at = quoted.end()
            else:
                self.at += 1


def script_texts(text):
    """(line number, text) of each literal of JavaScript or TypeScript that is more than a name."""
    scanner = Scanner(text)
    scanner.code()
    return sorted(scanner.found)


def python_texts(text):
    """(line number, text) of each literal of Python that is more than a name, without docstrings; adjacent ones are one."""
    found, before, more = [], tokenize.NEWLINE, False
    for token in tokens_of(text):
        if token.type == tokenize.STRING and (more or before not in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)):
            kind, _, literal = LITERAL.fullmatch(token.string).groups()
            literal = re.sub(r"\\n|\\\n", "  ", FIELD.sub(VALUE, literal) if "f" in kind.lower() else literal)
            if more:
                begin, words = found[-1]
                found[-1] = begin, words + "\n" * (token.start[0] - begin - words.count("\n")) + literal
            else:
                found.append((token.start[0], literal))
            more = True
        elif token.type not in (tokenize.NL, tokenize.COMMENT):
            more = False
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type
    return [(number, literal) for number, literal in found if not NAME.fullmatch(literal)]


def html_texts(text):
    """(line number, text) of what a page shows, of its attributes that are texts, and of its comments."""
    text = HIDDEN.sub(lambda match: "\n" * match[0].count("\n"), text)
    shown = TAG.sub(lambda match: match["comment"] or "\n" * match[0].count("\n"), text)
    return [(1, shown), *((text.count("\n", 0, match.start()) + 1, match[1]) for match in ATTRIBUTE.finditer(text))]
