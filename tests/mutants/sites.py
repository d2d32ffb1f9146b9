# SPDX-License-Identifier: BSD-3-Clause
"""Places in C++ sources that a mutant may change, and the text that makes the change one of HILDA_MUTANT's (mutation.h).

The sources' layout is clang-format's: a binary operator has space on both sides, and `*`, `&` and `<` of types have not.
No compiler is asked: where a place cannot be changed so, the build says it and the place is dropped.
"""

import hashlib
import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*)
  | (?P<text>R"\((?:.|\n)*?\)"|(?:u8|L)?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
  | (?P<number>(?:0[xX][0-9a-fA-F']+|(?:\d[\d']*\.?[\d']*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfFzZ]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|<=>|->\*|\.\.\.|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

OPERATORS = {"+": "Add", "-": "Subtract", "*": "Multiply", "/": "Divide", "<": "Less", "<=": "LessEqual", ">": "Greater",
             ">=": "GreaterEqual", "==": "Equal", "!=": "Unequal"}
OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ASSIGNMENTS = {"+=": "Add", "-=": "Subtract", "*=": "Multiply", "/=": "Divide"}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
NO_STATEMENT = {"return", "const", "constexpr", "auto", "using", "if", "else", "for", "while", "do", "switch", "case",
                "break", "continue", "throw", "static", "struct", "class", "enum", "union", "typedef", "template",
                "namespace", "default", "public", "private", "protected", "goto", "friend", "extern", "inline", "try",
                "static_assert", "virtual", "explicit", "operator", "thread_local", "volatile", "delete", "typename",
                "void", "bool", "int", "double", "float", "char", "unsigned", "long", "short", "alignas", "mutable",
                "co_await", "co_return", "co_yield", "HILDA_BLOCK", "HILDA_BLOCK_VARIANTS", "HILDA_PLUGIN", "assert",
                "requires"}
# A declaration: a type, then a name.
DECLARATION = re.compile(r"^(?:\w+(?:::\w+)*)(?:<[^;=]*>)?(?:::\w+)*[\s&*]+\w+\s*(?:[;=({\[,]|$)")


@dataclass
class Token:
    kind: str
    text: str
    begin: int
    end: int
    line: int
    partner: int = -1  # of brackets
    inside: str = ""  # the bracket around it


@dataclass
class Site:
    """One mutant: what replaces which parts of the file. `{id}` stands for its number."""
    file: str
    line: int
    kind: str
    change: str  # for people: "+ -> -"
    edits: list = field(default_factory=list)  # (begin, end, text)
    key: str = ""  # the same while the line and the name of its file are the same, in whatever folder


def tokens_of(source):
    tokens, line, last = [], 1, 0
    for found in TOKEN.finditer(source):
        line += source.count("\n", last, found.start())
        last = found.start()
        if found.lastgroup not in ("comment", "directive"):
            tokens.append(Token(found.lastgroup, found.group(), found.start(), found.end(), line))
    stack = []
    for i, token in enumerate(tokens):
        token.inside = tokens[stack[-1]].text if stack else ""
        if token.kind == "sign" and token.text in OPENING:
            stack.append(i)
        elif token.kind == "sign" and token.text in CLOSING and stack:
            j = stack.pop()
            tokens[i].partner, tokens[j].partner = j, i
    return tokens


class Finder:
    def __init__(self, file, source):
        self.file, self.source, self.tokens = file, source, tokens_of(source)
        self.lines = source.split("\n")
        self.barred = self.constant_parts()

    def constant_parts(self):
        """Characters in which nothing can depend on a run: constants of the compiler, and what only declares."""
        barred = []
        for i, token in enumerate(self.tokens):
            if token.text in ("static_assert", "alignas", "sizeof", "decltype", "noexcept", "HILDA_BLOCK",
                              "HILDA_BLOCK_VARIANTS", "HILDA_PLUGIN") and self.text(i + 1) == "(":
                barred.append((token.begin, self.tokens[self.tokens[i + 1].partner].end))
            elif token.text in ("constexpr", "enum", "case", "concept", "requires", "using", "static_cast"):
                end = i
                while end < len(self.tokens) and self.tokens[end].text not in (
                        ";", "{" if token.text != "enum" else ";", ":" if token.text == "case" else ";",
                        ">" if token.text == "static_cast" else ";"):
                    end += 1
                if token.text == "constexpr" and end < len(self.tokens) and self.tokens[end].text == "{":
                    end = max(end, self.tokens[end].partner)  # the body of a function that the compiler may run
                barred.append((token.begin, self.tokens[min(end, len(self.tokens) - 1)].end))
            elif token.text == "template" and self.text(i + 1) == "<":
                depth, end = 0, i + 1
                while end < len(self.tokens):
                    depth += {"<": 1, ">": -1, ">>": -2}.get(self.tokens[end].text, 0)
                    if depth <= 0:
                        break
                    end += 1
                barred.append((token.begin, self.tokens[min(end, len(self.tokens) - 1)].end))
        return barred

    def text(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def free(self, token):
        return not any(begin <= token.begin < end for begin, end in self.barred)

    def spaced(self, token):
        """With space on both sides, as clang-format sets a binary operator."""
        return self.source[token.begin - 1].isspace() and self.source[token.end:token.end + 1].isspace()

    def find(self):
        sites = []
        for i, token in enumerate(self.tokens):
            if not self.free(token):
                continue
            for site in self.at(i, token):
                sites.append(site)
        seen = {}
        for site in sites:
            begin = site.edits[0][0]
            row = self.source.count("\n", 0, begin)
            line = self.lines[row].strip()
            column = begin - (self.source.rfind("\n", 0, begin) + 1) - (len(self.lines[row]) - len(self.lines[row].lstrip()))
            text = f"{self.file.rsplit('/', 1)[-1]}|{line}|{column}|{site.kind}|{site.change}"
            seen[text] = seen.get(text, 0) + 1
            site.key = hashlib.sha1(f"{text}|{seen[text]}".encode()).hexdigest()[:10]
        return sites

    def at(self, i, token):
        before, after = self.text(i - 1), self.text(i + 1)
        if token.kind == "sign" and token.text in OPERATORS and self.spaced(token) and before != "operator":
            if not (token.text == "+" and '"' in before[-1:] + after[:1]) and not before in ("(", ",", "return", "="):
                name = OPERATORS[token.text]
                yield self.site(token, "operator", f"{token.text} -> {OTHER[token.text]}", [
                    (token.begin, token.end, f"{token.text} ::hilda_mutation::{name}<{{id}}>() {token.text}")])
        if token.kind == "sign" and token.text in ASSIGNMENTS and before != "operator":
            other = OTHER[token.text[0]] + "="
            yield self.site(token, "assignment", f"{token.text} -> {other}", [
                (token.begin, token.end,
                 f"{token.text} ::hilda_mutation::{ASSIGNMENTS[token.text]}<{{id}}>() {token.text}")])
        if token.kind == "number" and before != "[" and not (before == "<" and not self.source[token.begin - 1].isspace()):
            yield self.site(token, "constant", f"{token.text} -> " + ("1.5 times (0: 1)" if re.search(r"[.eE]", token.text)
                            and not token.text.startswith("0x") else "one more"), [
                (token.begin, token.end, f"::hilda_mutation::number<{{id}}>({token.text})")])
        if token.text in ("true", "false"):
            yield self.site(token, "truth", f"{token.text} -> not", [
                (token.begin, token.end, f"(::hilda_mutation::on({{id}}) != {token.text})")])
        if token.text == "if" and after == "(":
            yield from self.condition(i)
        if token.text in ("&&", "||") and self.spaced(token) and before != "..." and after != "...":
            yield from self.operand(i)
        if token.text in ("min", "max") and before == "::" and self.text(i - 2) == "std" and after == "(":
            begin = self.tokens[i - 2].begin
            yield self.site(token, "min-max", f"{token.text} -> {'max' if token.text == 'min' else 'min'}", [
                (begin, token.end, f"::hilda_mutation::{token.text}<{{id}}>")])
        if self.begins_statement(i):
            yield from self.statement(i)

    def site(self, token, kind, change, edits):
        return Site(self.file, token.line, kind, change, edits)

    def condition(self, i):
        opening = self.tokens[i + 1]
        inside = self.source[opening.end:self.tokens[opening.partner].begin]
        if ";" in inside or re.match(r"\s*(const\b|auto\b|[\w:<>]+[\s&*]+\w+ = )", inside):
            return
        yield self.site(self.tokens[i], "condition", "negated", [
            (opening.end, opening.end, "::hilda_mutation::on({id}) != static_cast<bool>("),
            (self.tokens[opening.partner].begin, self.tokens[opening.partner].begin, ")")])

    def operand(self, i):
        """The right operand of && counts as true, that of || as false."""
        j = i + 1
        while j < len(self.tokens) and self.text(j) not in ("&&", "||", ")", "]", "}", ";", ",", "?", ":", "="):
            j = self.tokens[j].partner + 1 if self.text(j) in OPENING and self.tokens[j].partner > j else j + 1
        if j >= len(self.tokens) or j == i + 1:
            return
        begin, end = self.tokens[i + 1].begin, self.tokens[j - 1].end
        guard = "(::hilda_mutation::on({id}) || (" if self.text(i) == "&&" else "(!::hilda_mutation::on({id}) && ("
        yield self.site(self.tokens[i], "operand", f"{self.text(i)} without its right side",
                        [(begin, begin, guard), (end, end, "))")])

    def begins_statement(self, i):
        token, before = self.tokens[i], self.text(i - 1)
        if token.kind not in ("word", "sign") or token.text in NO_STATEMENT or token.inside != "{":
            return False
        if token.kind == "sign" and token.text not in ("*", "++", "--", "("):
            return False
        if before == ")":
            opener = self.tokens[i - 1].partner
            return opener > 0 and self.text(opener - 1) in ("if", "for", "while")
        return before in (";", "{", "}", "else")

    def statement(self, i):
        j = i
        while j < len(self.tokens) and self.text(j) != ";":
            if self.text(j) in CLOSING:
                return
            j = self.tokens[j].partner + 1 if self.text(j) in OPENING and self.tokens[j].partner > j else j + 1
        if j >= len(self.tokens) or j - i < 2:
            return
        begin, end = self.tokens[i].begin, self.tokens[j].begin
        text = self.source[begin:end]
        if DECLARATION.match(text + ";") or self.text(i - 1) == "{" and self.text(i - 2) in ("=", ",", "(", ">") \
                or not re.search(r"=|\(|\+\+|--", text):
            return
        yield self.site(self.tokens[i], "statement", "deleted", [
            (begin, begin, "(::hilda_mutation::on({id}) ? void() : void(("), (end, end, ")))")])


def find_sites(file, source):
    return Finder(file, source).find()


def apply_sites(source, numbered):
    """The source with the sites in it; (number, site) each. Edits that touch are nested: the later one lies inside."""
    edits = []
    for number, site in numbered:
        for order, (begin, end, text) in enumerate(site.edits):
            closing = order > 0
            # At one place: what closes comes before what opens; of two that open, the longer comes first.
            length = site.edits[-1][1] - site.edits[0][0]
            edits.append((begin, 0 if closing else 1, length if closing else -length, end, text.replace("{id}", str(number))))
    result, at = [], 0
    for begin, _, _, end, text in sorted(edits):
        if begin < at:
            raise ValueError("two mutants change the same text")
        result += [source[at:begin], text]
        at = end
    return '#include "tests/mutants/mutation.h"\n#line 1\n' + "".join(result + [source[at:]])
