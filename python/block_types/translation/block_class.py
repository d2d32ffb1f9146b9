# SPDX-License-Identifier: BSD-3-Clause
"""A class of blocks, taken apart."""

import ast
import inspect
import textwrap

PHASES = ("configure", "prepare", "initialize", "start", "stop", "summary", "output", "update", "derivatives", "event")


class BlockClass:
    """What a class consists of: its slots, its methods as trees, and what has been found out about them."""

    def __init__(self, owner, members):
        spec = owner.__hilda_block__
        self.name, self.file = spec.owner.__name__, spec.file
        self.slots = {slot.name: slot for slot in spec.slots}
        self.functions = {name: member for base in reversed(spec.owner.__mro__) for name, member in vars(base).items() if inspect.isfunction(member)}
        self.phases = [phase for phase in PHASES if phase in spec.phases]
        self.members = members  # None: each name stands for itself
        self.own = {}  # attributes that configure and prepare set: C++ type
        self.helpers = {}  # C++ type and text
        self.names = []

    def member(self, name):
        if name not in self.slots and name not in self.names:
            self.names.append(name)
        port = self.slots[name].facts()[0] if name in self.slots else name
        return name if self.members is None else self.members.get(port, name)

    def tree(self, name):
        source, first = inspect.getsourcelines(self.functions[name])
        tree = ast.parse(textwrap.dedent("".join(source))).body[0]
        ast.increment_lineno(tree, first - 1)
        return tree, "".join(source)
