# SPDX-License-Identifier: BSD-3-Clause
"""What a value is in C++, and what is refused."""

import ast

ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
TYPES = {float: "double", int: "std::int64_t", bool: "bool"}
LOCAL = "\0"  # before a local variable, which is unused where what uses it is the author's to write
RESTING = {"double": "0.0", "std::int64_t": "0", "bool": "false"}
ELEMENT_HELP = "take one element, self.NAME[0], or a sum such as abs(self.NAME).max()"
KINDS = "a wrench, twist, pose or quaternion has its own type in C++: write this method by hand, as docs/author.md shows"


class Array:
    """Real numbers of one shape: "3", "n", "m n"."""

    def __init__(self, shape):
        self.sizes = tuple(shape.split())

    def __eq__(self, other):
        return isinstance(other, Array) and self.sizes == other.sizes

    def __hash__(self):
        return hash(self.sizes)

    def __str__(self):
        return f"({' '.join(self.sizes)})"

    @property
    def fixed(self):
        """Its type in C++, or "": the diagram decides its size."""
        return f"Fixed<{', '.join(self.sizes)}>" if self.sizes and all(each.isdigit() for each in self.sizes) else ""


class Refused(Exception):
    def __init__(self, node, why):
        super().__init__(why)
        self.line = node.lineno
