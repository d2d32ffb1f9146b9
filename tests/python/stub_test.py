# SPDX-License-Identifier: BSD-3-Clause
"""The stub of the compiled module, compared with the signatures and docstrings that the module itself has."""

import ast
import inspect
import pathlib
import re
import unittest

import hilda
from hilda import _engine

STUB = pathlib.Path(hilda.__file__).with_name("_engine.pyi")
OF_PACKAGE = {"plot", "keys", "to_pandas", "to_xarray", "to_scipy", "to_control", "_repr_html_"}  # functions of Python, in shown.py


def pieces(text):
    """Arguments, split where no bracket is open."""
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        depth += (letter in "([{") - (letter in ")]}") if not quote else 0
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def of_binding(text):
    """(name, keyword alone, default or None) of each argument in the first line of a docstring, without self."""
    inside = re.match(r"[\w]+\((.*)\)(?: -> .*)?$", text.strip().splitlines()[0])[1]
    found, alone = [], False
    for piece in pieces(inside):
        if piece == "*":
            alone = True
            continue
        if piece == "**kwargs":
            found.append(("**", alone, None))
            continue
        name, _, rest = piece.partition(":")
        default = pieces(rest.replace(" = ", ", "))[1:] if " = " in rest else []
        found.append((name, alone, default[-1] if default else None))
    return [each for each in found if each[0] != "self"]


def of_stub(node):
    """The same of a function in the stub."""
    args = node.args
    late = [None] * (len(args.args) - len(args.defaults)) + args.defaults
    found = [(arg.arg, False, default) for arg, default in zip(args.args, late)] + [(arg.arg, True, d) for arg, d in zip(args.kwonlyargs, args.kw_defaults)]
    more = [("**", False, None)] if args.kwarg else []
    return [(name, alone, None if default is None else ast.unparse(default)) for name, alone, default in found if name != "self"] + more


def value(text):
    """A default; ... for those of the binding that are empty lists, sets and dictionaries, which a stub writes so."""
    if text is None:
        return None
    made = ast.literal_eval(text)
    return ... if made in ([], {}, set(), ...) else (made,)


def faults(name, binding, stub):
    """What differs between a docstring of the binding and a function of the stub."""
    said = binding.strip().splitlines()
    if len([line for line in said[1:] if line.strip()]) < 1:
        yield f"{name} has no docstring in the binding"
    ours, theirs = of_stub(stub), of_binding(binding)
    if [each[:2] for each in ours] != [each[:2] for each in theirs]:
        yield f"{name}: the stub has {[each[0] for each in ours]}, and the binding {[each[0] for each in theirs]}"
        return
    for (argument, _, a), (_, _, b) in zip(ours, theirs):
        if value(a) != value(b):
            yield f"{name}: {argument} = {a} in the stub, and {b} in the binding"


def members(tree):
    """(class or None, function) of the stub; properties are functions with a decorator."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield None, node
        for inner in getattr(node, "body", []) if isinstance(node, ast.ClassDef) else []:
            if isinstance(inner, ast.FunctionDef):
                yield node.name, inner


class Stub(unittest.TestCase):
    maxDiff = None

    def test_arguments_defaults_and_docstrings_are_those_of_the_binding(self):
        found, looked = [], 0
        for owner, node in members(ast.parse(STUB.read_text())):
            name = f"{owner}.{node.name}" if owner else node.name
            home = getattr(_engine, owner) if owner else _engine
            there = inspect.getattr_static(home, node.name, None)
            if isinstance(there, property):
                if not (there.__doc__ or ast.get_docstring(node)):
                    found.append(f"{name} has no docstring, neither in the binding nor in the stub")
            elif node.name not in OF_PACKAGE and (node.name == "__init__" or not node.name.startswith("_")):
                looked += 1
                found += [each for each in faults(name, getattr(home, node.name).__doc__ or "", node) if node.name != "__init__" or "docstring" not in each]
        self.assertEqual(found, [])
        self.assertGreater(looked, 50)

    def test_each_kind_of_difference_is_found(self):
        right = "run(self: hilda._engine.Run, words: Optional[Union[str, List[str]]] = None, *, step: float = 0.5, name: str = 'a, b', more: dict = {}) -> int\n\nWords.\n"
        for stub, said in (
            ("def run(self, words: str | None = None, *, step: float = 0.5, name: str = 'a, b', more: dict = ...) -> int: ...", None),
            ("def run(self, words: str | None = None, *, step: float = 0.25, name: str = 'a, b', more: dict = ...) -> int: ...", "step = 0.25 in the stub, and 0.5 in the binding"),
            ("def run(self, words: str | None = None, *, name: str = 'a, b', more: dict = ...) -> int: ...", "the stub has"),
            ("def run(self, words: str | None = None, step: float = 0.5, *, name: str = 'a, b', more: dict = ...) -> int: ...", "the stub has"),
            ("def run(self, words: str | None = None, *, step: float, name: str = 'a, b', more: dict = ...) -> int: ...", "step = None in the stub"),
            ("def run(self, words: str | None = None, *, step: float = 0.5, name: str = 'a', more: dict = ...) -> int: ...", "name = 'a' in the stub"),
        ):
            with self.subTest(stub):
                got = list(faults("run", right, ast.parse(stub).body[0]))
                self.assertEqual(len(got), 0 if said is None else 1, got)
                self.assertIn(said or "", " ".join(got))
        self.assertEqual(list(faults("run", right.splitlines()[0], ast.parse("def run(self, words=None, *, step=0.5, name='a, b', more=...): ...").body[0])),
                         ["run has no docstring in the binding"])


if __name__ == "__main__":
    unittest.main()
