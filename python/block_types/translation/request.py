# SPDX-License-Identifier: BSD-3-Clause
"""The methods of a block in Python as C++, where they are trivial: what `hilda new-plugin --from-python` asks for.

Request and answer are JSON. {} is answered by {"names": [...]}: of what the methods use in addition to slots. {"members": {name: C++ name}}
is answered by {"file", "methods": {phase: {"line", "source", "body" and "open", or "at" and "why"}}, "helpers": [...], "own": [...]}. A
method that has a `why` and no `body` is the author's to write, and so are the places of `open`, each with "at" and "why".

Trivial is: numbers, booleans and whole numbers of slots, local variables and own attributes; arithmetic, comparisons, `if`, functions
of `math`, and methods of the class that have no arguments; arrays of real numbers by element, their products `@`, sums and the functions
of NumPy; texts and choices that are compared with constants. Everything else is refused with its line.

Each expression is a text and its C++ type: "double", "std::int64_t", "bool", or an Array, whose text is an array of Eigen.
"""

import json

from .arrays import Arrays
from .assignments import Assignments
from .block_class import BlockClass
from .calls import Calls
from .expressions import Expressions
from .shapes import LOCAL, RESTING, Array, Refused
from .statements import Statements
from .texts import Texts


class Method(Statements, Assignments, Expressions, Arrays, Texts, Calls):
    """One method, statement by statement."""

    def __init__(self, of, phase, helper=False):
        self.of, self.phase, self.helper = of, phase, helper
        self.scopes, self.lines, self.returns = [{}], [], set()
        self.open = []  # places that are the author's to write
        self.translated = 0  # statements
        tree, source = of.tree(phase)
        self.text = source.splitlines(keepends=True)
        self.first = min([tree.lineno, *(each.lineno for each in tree.decorator_list)])

    def refuse(self, node, why):
        raise Refused(node, why)

    def translate_helper(self, name):
        return _helper(self.of, name)


def _helper(of, name):
    tree, _ = of.tree(name)
    method = Method(of, name, helper=True)
    method.body(tree.body, 2)
    if len(method.returns) != 1:
        method.refuse(tree, f"{name} returns values of several types, or none")
    kind = method.returns.pop()
    if isinstance(kind, Array):
        method.refuse(tree, f"{name} returns an array: write its expression where it is used")
    text = "\n".join([f"  {kind} {of.member(name)}() const {{", *method.lines, "  }"]).replace(LOCAL, "")
    return kind, text


def _method(of, phase):
    tree, source = of.tree(phase)
    told = {"line": tree.lineno, "source": source}
    method = Method(of, phase)
    try:
        if phase in ("start", "stop"):
            method.refuse(tree, "start and stop reach something outside of the diagram")
        if phase == "summary":
            method.refuse(tree, "a summary is not translated: write its lines with summary.number and summary.text, as docs/sdk.md shows")
        method.body(tree.body, 2)
        if method.open and not method.translated:
            return {**told, **method.open[0]}
        told["open"], told["body"] = method.open, "\n".join(method.lines).replace(LOCAL, "[[maybe_unused]] " if method.open else "")
    except Refused as refused:
        told["why"], told["at"] = str(refused), refused.line
    return told


def translation(owner, request):
    members = json.loads(request).get("members")
    of = BlockClass(owner, members)
    try:
        methods = {phase: _method(of, phase) for phase in of.phases}
    except (OSError, SyntaxError) as failed:  # the source is not there as text
        return json.dumps({"error": str(failed), "names": []})
    helpers = [each[1] for each in of.helpers.values() if isinstance(each, tuple)]
    own = [f"  {kind} {of.member(name)} = {RESTING[kind]}; // follows from parameters: needs no checkpoint" for name, kind in of.own.items()]
    return json.dumps({"file": of.file, "names": of.names, "methods": methods, "helpers": helpers, "own": own,
                       "initial": {slot.name: slot.initial for slot in of.slots.values() if slot.role == "state"}})
