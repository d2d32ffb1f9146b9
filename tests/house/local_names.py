# SPDX-License-Identifier: BSD-3-Clause
"""The sources of a folder can be compiled as one (cmake/ByFolder.cmake): no two of them define one name in one scope.

local_names.py TREE

A scope is a namespace, with what is in unnamed ones inside of it. What the linker would find is found here as well.
Two functions are one where their parameters are written alike; two aliases are one where they are written alike.
"""

import collections
import pathlib
import re
import sys

BATCHED = ["engine/**", "tools/**", "blocks/*", "drivers/*", "tests/engine"]
TOKEN = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*|//[^\n]*|/\*.*?\*/|R\"(?P<mark>\w*)\(.*?\)(?P=mark)\"|\"(?:\\.|[^\"\\\n])*\"|\d[\w'.]*"
                   r"|'(?:\\.|[^'\\\n])*'|\w+|::|->|\[\[|\]\]|\S", re.S | re.M)
OPEN, CLOSE = {"(": ")", "{": "}", "[": "]", "[[": "]]"}, {")", "}", "]", "]]"}
# Not a parameter's name where they are last, nor a type where they are first.
BUILT_IN = set("auto bool char double float int long short signed size_t unsigned void".split())
MODIFIERS = set("const constexpr extern inline static struct thread_local typename volatile".split())


class Unreadable(Exception):
    pass


def tokens_of(text):
    found = (each[0] for each in TOKEN.finditer(text))
    return [each for each in found if not re.match(r"//|/\*|[ \t]*#", each)]


def closing(tokens, at):
    """Where what opens at `at` closes."""
    expected = []
    for i in range(at, len(tokens)):
        if tokens[i] in OPEN:
            expected.append(OPEN[tokens[i]])
        elif tokens[i] in CLOSE:
            if expected[-1:] == ["]"] and tokens[i] == "]]":  # a[b[i]]
                expected = expected[:-2]
            elif not expected or expected.pop() != tokens[i]:
                break
        if not expected:
            return i
    raise Unreadable(f"'{tokens[at]}' is not closed")


def angles_end(tokens, at):
    """Behind the template's parameters or arguments that open at `at`."""
    depth, i = 0, at
    while i < len(tokens):
        if tokens[i] in OPEN:
            i = closing(tokens, i)
        depth += {"<": 1, ">": -1}.get(tokens[i], 0)
        i += 1
        if depth == 0:
            return i
    raise Unreadable("'<' is not closed")


def word(token):
    return re.fullmatch(r"[A-Za-z_]\w*", token) is not None


def plain(statement):
    """Without attributes and the heads of templates, and those heads."""
    made, heads, i = [], [], 0
    while i < len(statement):
        if statement[i] == "[[":
            i = closing(statement, i) + 1
        elif statement[i] == "alignas":
            i = closing(statement, i + 1) + 1
        elif statement[i] == "template" and statement[i + 1:i + 2] == ["<"]:
            end = angles_end(statement, i + 1)
            heads.append(" ".join(statement[i + 1:end]))
            i = end
        else:
            made.append(statement[i])
            i += 1
    return made, " ".join(heads)


def parameter(tokens):
    """Its type, as it is written."""
    tokens = tokens[:tokens.index("=")] if "=" in tokens else tokens
    if "[" in tokens:
        tokens = [*tokens[:tokens.index("[")], "[]"]
        last = len(tokens) - 2
    else:
        last = len(tokens) - 1
    named = (last > 0 and word(tokens[last]) and tokens[last] not in BUILT_IN | MODIFIERS and tokens[last - 1] != "::"
             and any(word(each) and each not in MODIFIERS for each in tokens[:last]))
    return " ".join(tokens[:last] + tokens[last + 1:] if named else tokens).replace(" :: ", "::")


def parameters(tokens):
    made, depth, begin = [], 0, 0
    for i, token in enumerate(tokens):
        depth += {"(": 1, "{": 1, "[": 1, "<": 1, ")": -1, "}": -1, "]": -1, ">": -1}.get(token, 0)
        if token == "," and depth == 0:
            made.append(parameter(tokens[begin:i]))
            begin = i + 1
    return ", ".join([*made, *([parameter(tokens[begin:])] if tokens[begin:] else [])])


def type_defined(statement):
    """The name of the class or enumeration that a statement defines, with the arguments of a specialisation."""
    kinds = [i for i, each in enumerate(statement) if each in ("class", "struct", "union", "enum")]
    if not kinds or "(" in statement or "=" in statement[:kinds[0]]:
        return None
    names = [i for i in range(kinds[0] + 1, len(statement)) if word(statement[i]) and statement[i] not in ("class", "struct")]
    if not names or statement[names[0] + 1:names[0] + 2] == ["::"]:
        return None
    at = names[0]
    return "".join(statement[at:angles_end(statement, at + 1)]) if statement[at + 1:at + 2] == ["<"] else statement[at]


def function_defined(statement, heads):
    """The name of the function whose body follows a statement, with its parameters; none for a class's own."""
    at = next((i for i, each in enumerate(statement) if each == "(" and i > 0 and word(statement[i - 1])), None)
    if at is None or "operator" in statement[:at] or statement[at - 2:at - 1] == ["::"] or statement[at - 1] == "decltype":
        return None
    # In the argument of a test's macro, a lambda's body is not passed over.
    if statement[at - 1] in STATEMENTS or any(each.startswith('"') for each in statement):
        return None
    head = f"template {heads} " if heads else ""
    return f"{head}{statement[at - 1]}({parameters(statement[at + 1:closing(statement, at)])})"


def variable_defined(statement):
    end = next((i for i, each in enumerate(statement) if each in ("=", "{", "[")), len(statement))
    if end < 2 or "(" in statement[:end] or not word(statement[end - 1]) or statement[end - 2] == "::" or "extern" in statement[:end]:
        return None
    return statement[end - 1]


STATEMENTS = {"for", "if", "switch", "while"}
NOT_DEFINED = {"class", "enum", "extern", "friend", "namespace", "static_assert", "struct", "typedef", "union", "HILDA"}


def statement_defines(statement, heads):
    """The name defined by a statement that ends in a semicolon, and its text if it may occur twice."""
    if not statement:
        return None
    if statement[0] == "using":
        return (statement[1], " ".join(statement[3:])) if statement[2:3] == ["="] else None
    if statement[0] == "namespace":
        return (statement[1], " ".join(statement[3:]))
    if statement[0] in NOT_DEFINED or statement[0] == "template":
        return None
    name = variable_defined(statement)
    return (name, None) if name else None


def initialised(statement):
    """Whether a '=' is in it outside of parentheses, which makes a variable of it."""
    if "operator" in statement:
        return False
    i = 0
    while i < len(statement) and statement[i] != "=":
        i = closing(statement, i) + 1 if statement[i] in OPEN else i + 1
    return i < len(statement)


def ends_a_body(tokens, begin, end, said):
    """Whether the text in these braces is a function's body, and no member's value before it."""
    if tokens[begin - 1] in (",", ":"):
        return False
    return not (":" in said and word(tokens[begin - 1]) and tokens[end + 1:end + 2] in ([","], ["{"]))


def definitions(text):
    """(scope, name, text if the same may occur twice) of all that a file defines, but for what is in classes."""
    tokens, scopes, statement, i = tokens_of(text), [], [], -1
    while i + 1 < len(tokens):
        i += 1
        token, scope = tokens[i], "::".join(each for each in scopes if each)
        if token in OPEN and token != "{":
            end = closing(tokens, i)
            # A macro that is called between definitions has no semicolon.
            called = token == "(" and len(statement) == 1 and statement[0].isupper() and tokens[end + 1:end + 2] != [";"]
            statement = [] if called else statement + tokens[i:end + 1]
            i = end
        elif token not in (";", "{", "}"):
            statement.append(token)
        elif token == "}":
            if not scopes:
                raise Unreadable("a '}' closes nothing")
            scopes.pop()
            statement = []
        elif token == ";":
            found = statement_defines(*plain(statement))
            if found:
                yield scope, *found
            statement = []
        else:
            said, heads = plain(statement)
            if "namespace" in said[:2] or (said[:1] == ["extern"] and len(said) == 2):
                scopes.append("".join(each for each in said[1:] if each != "namespace" and word(each) or each == "::"))
                statement = []
                continue
            end = closing(tokens, i)
            if type_defined(said):
                yield scope, type_defined(said), None
                statement = ["struct"]  # the declaration of it, up to the semicolon
            elif initialised(said) or "(" not in said or not ends_a_body(tokens, i, end, said):
                statement += tokens[i:end + 1]
            else:
                name = function_defined(said, heads)
                if name:
                    yield scope, name, None
                statement = []
            i = end
    if scopes:
        raise Unreadable(f"namespace '{scopes[-1]}' is not closed")


def faults_of(folder, files):
    seen = collections.defaultdict(dict)
    for path in files:
        try:
            for scope, name, text in definitions(path.read_text()):
                seen[scope, name].setdefault(path.name, text)
        except Unreadable as why:
            yield f"{path}: cannot be read: {why}"
    for (scope, name), places in sorted(seen.items()):
        if len(places) > 1 and (None in places.values() or len(set(places.values())) > 1):
            yield f"{folder}: {name} is defined in {' and '.join(sorted(places))}: compiled as one they do not build, rename one"


def main():
    tree = pathlib.Path(sys.argv[1])
    folders = collections.defaultdict(list)
    for pattern in BATCHED:
        for path in sorted(tree.glob(pattern + "/*.cpp")):
            if path not in folders[path.parent]:
                folders[path.parent].append(path)
    faults = [each for folder, files in sorted(folders.items()) for each in faults_of(folder.relative_to(tree), files)]
    count = sum(map(len, folders.values()))
    if count < 500:
        faults.append(f"{count} sources: this is not the tree")
    print("\n".join(faults) or f"{count} sources in {len(folders)} folders")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
