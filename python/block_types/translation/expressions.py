# SPDX-License-Identifier: BSD-3-Clause
"""Expressions of numbers: each is a text and its C++ type, "double", "std::int64_t", "bool", or an Array, whose text is an array of Eigen."""

import ast

from .shapes import ARITHMETIC, ELEMENT_HELP, KINDS, TYPES, Array, Refused

_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class Expressions:
    def bare(self, text):
        """Without the brackets around the whole."""
        depth = 0
        for at, letter in enumerate(text):
            depth += (letter == "(") - (letter == ")")
            if depth == 0 and at + 1 < len(text):
                return text
        return text[1:-1] if text.startswith("(") else text

    def whole(self, node):
        text, kind = self.value(node)
        return self.bare(text), kind

    def value(self, node):
        method = getattr(self, "of_" + type(node).__name__, None)
        if method is None:
            self.refuse(node, f"an expression {type(node).__name__} is not translated")
        self.node = node
        return method(node)

    def real(self, text, kind):
        if isinstance(kind, Array):
            raise Refused(self.node, f"one number is needed here, and this is an array: {ELEMENT_HELP}")
        if kind == "double":
            return text
        return text + ".0" if text.isdigit() else f"static_cast<double>({text})"

    def truth(self, node):
        if self.is_name(node, "fired"):
            return "!fired.none()"
        text, kind = self.value(node)
        return text if kind == "bool" else f"({self.real(text, kind) if isinstance(kind, Array) else text} != 0)"

    def is_name(self, node, name):
        return isinstance(node, ast.Name) and node.id == name

    def no_kind(self, node, slot):
        if slot.kind:
            self.refuse(node, f"self.{slot.name}: {KINDS}")

    def of_Constant(self, node):
        if isinstance(node.value, bool):
            return ("true" if node.value else "false"), "bool"
        if isinstance(node.value, int) and abs(node.value) < 2**31:
            return str(node.value), "std::int64_t"
        if isinstance(node.value, float) and node.value == node.value and abs(node.value) != float("inf"):
            return repr(node.value), "double"
        self.refuse(node, f"{node.value!r} is not translated")

    def of_Name(self, node):
        for scope in self.scopes:
            if node.id in scope:
                array = isinstance(scope[node.id], Array)
                return self.of.member(node.id) + (".array()" if array else ""), scope[node.id]
        constant = self.of.functions[self.phase].__globals__.get(node.id)
        if type(constant) in TYPES:
            return self.of_Constant(ast.copy_location(ast.Constant(constant), node))
        self.refuse(node, f"{node.id} is not a local variable that is set before, nor a number of the file")

    def of_Attribute(self, node):
        if self.is_name(node.value, "t"):
            kinds = {"time": "double", "period": "double", "index": "std::int64_t", "minor": "bool", "located": "bool"}
            if node.attr in kinds and not self.helper:
                return f"t.{node.attr}()", kinds[node.attr]
        if self.is_name(node.value, "math") and node.attr in ("pi", "e"):
            return {"pi": "3.141592653589793", "e": "2.718281828459045"}[node.attr], "double"
        if not self.is_name(node.value, "self"):
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        name = node.attr
        if name.endswith("_side") and name[:-5] in self.of.slots:
            if self.of.slots[name[:-5]].shape:
                self.refuse(node, f"self.{name} is an array, and only the side of one number is translated: declare a crossing for each number")
            return f"{self.of.member(name[:-5])}.side()", "double"
        slot = self.of.slots.get(name)
        if slot is not None:
            return self.of_slot(node, slot)
        if name in self.of.own:
            return self.of.member(name), self.of.own[name]
        self.refuse(node, f"self.{name} is not a slot, nor a number that a translated method sets before")

    def of_slot(self, node, slot):
        self.no_kind(node, slot)
        if "repeated" in slot.flags:
            self.refuse(node, f"self.{slot.name} is repeated, which is not translated: write a loop over {self.of.member(slot.name)}.size()")
        if "optional" in slot.flags:
            self.refuse(node, f"self.{slot.name} may be None, and an input that may be open is not translated: write {self.of.member(slot.name)}.connected() by hand")
        if slot.choices is not None or slot.dtype is str:
            self.refuse(node, f"self.{slot.name} is a text, and is translated where it is compared with a constant text alone: write self.{slot.name} == \"...\"")
        if slot.shape:
            return f"(*{self.of.member(slot.name)}).array()", self.array_of(node, slot)
        return f"*{self.of.member(slot.name)}", TYPES[slot.dtype]

    def of_BinOp(self, node):
        (a, left), (b, right) = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.MatMult):
            return self.product(node, a, left, b, right)
        if isinstance(left, Array) or isinstance(right, Array):
            return self.by_element(node, a, left, b, right)
        if isinstance(node.op, ast.Div):
            return f"({self.real(a, left)} / {self.real(b, right)})", "double"
        if isinstance(node.op, ast.Pow) and "double" in (left, right):
            return f"std::pow({self.real(a, left)}, {self.real(b, right)})", "double"
        if type(node.op) not in ARITHMETIC or "bool" in (left, right):
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        whole = left == right == "std::int64_t"
        if not whole:
            a, b = self.real(a, left), self.real(b, right)
        return f"({a} {ARITHMETIC[type(node.op)]} {b})", "std::int64_t" if whole else "double"

    def of_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            return ("fired.none()" if self.is_name(node.operand, "fired") else f"!({self.truth(node.operand)})"), "bool"
        text, kind = self.value(node.operand)
        if isinstance(kind, Array) and isinstance(node.op, ast.USub):
            return f"(-({text}))", kind
        if kind == "bool" or not isinstance(node.op, (ast.USub, ast.UAdd)):
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        return f"({'-' if isinstance(node.op, ast.USub) else ''}{text})", kind

    def of_BoolOp(self, node):
        parts = [self.value(each) for each in node.values]
        if any(kind != "bool" for _, kind in parts):
            self.refuse(node, "'and' and 'or' of numbers give numbers: only those of booleans are translated")
        return "(" + (" && " if isinstance(node.op, ast.And) else " || ").join(text for text, _ in parts) + ")", "bool"

    def of_Compare(self, node):
        of_text = self.compared_text(node)
        if of_text is not None:
            return of_text, "bool"
        sides = [self.value(each) for each in (node.left, *node.comparators)]
        pairs = []
        for operator, (a, left), (b, right) in zip(node.ops, sides, sides[1:]):
            if type(operator) not in _COMPARED:
                self.refuse(node, f"{ast.unparse(node)} is not translated")
            if isinstance(left, Array) or isinstance(right, Array):
                self.refuse(node, f"{ast.unparse(node)} compares arrays: {ELEMENT_HELP}")
            if left != right:
                a, b = self.real(a, left), self.real(b, right)
            pairs.append(f"{a} {_COMPARED[type(operator)]} {b}")
        return "(" + " && ".join(pairs) + ")", "bool"

    def of_IfExp(self, node):
        (a, left), (b, right) = self.value(node.body), self.value(node.orelse)
        if isinstance(left, Array) or isinstance(right, Array):
            self.refuse(node, "one of two arrays is not translated: write if and else")
        if left != right:
            a, b, left = self.real(a, left), self.real(b, right), "double"
        return f"({self.truth(node.test)} ? {a} : {b})", left
