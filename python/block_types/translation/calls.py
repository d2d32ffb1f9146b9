# SPDX-License-Identifier: BSD-3-Clause
"""Calls: functions of math and of NumPy, methods of the class, fired.direction."""

import ast

from .block_class import PHASES
from .shapes import Array, Refused

_MATH = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "fabs", "hypot", "copysign")
_BY_ELEMENT = {"sqrt": "sqrt", "abs": "abs", "absolute": "abs", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan",
               "tanh": "tanh", "square": "square"}
_OF_ALL = {"sum": "sum", "max": "maxCoeff", "min": "minCoeff", "prod": "prod", "mean": "mean"}


class Calls:
    def of_Call(self, node):
        if node.keywords:
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        function = node.func
        if isinstance(function, ast.Attribute) and self.is_name(function.value, "fired") and function.attr == "direction":
            return self.direction(node)
        if isinstance(function, ast.Attribute) and self.is_name(function.value, "self"):
            return self.helper_call(node, function.attr)
        of_array = self.array_call(node, function)
        if of_array is not None:
            return of_array
        arguments = [self.value(each) for each in node.args]
        reals = [self.real(*each) for each in arguments]
        if isinstance(function, ast.Attribute) and self.is_name(function.value, "math") and function.attr in _MATH:
            return f"std::{function.attr}({', '.join(reals)})", "double"
        name = function.id if isinstance(function, ast.Name) else ""
        if name in ("abs", "float", "bool") and len(arguments) == 1:
            text, kind = arguments[0]
            if name == "abs" and kind != "bool":
                return f"std::abs({text})", kind
            if name == "float":
                return self.real(text, kind), "double"
            if name == "bool":
                return (text if kind == "bool" else f"(({text}) != 0)"), "bool"
        if name in ("min", "max") and len(arguments) >= 2:
            kinds = {kind for _, kind in arguments}
            if kinds in ({"double"}, {"double", "std::int64_t"}, {"std::int64_t"}):
                kind = "double" if "double" in kinds else "std::int64_t"
                texts = reals if kind == "double" else [text for text, _ in arguments]
                joined = texts[0]
                for text in texts[1:]:
                    joined = f"std::{name}<{kind}>({joined}, {text})"
                return joined, kind
        self.refuse(node, f"{ast.unparse(node)} is not translated")

    def is_numpy(self, node):
        return isinstance(node, ast.Name) and getattr(self.of.functions[self.phase].__globals__.get(node.id), "__name__", "") == "numpy"

    def array_call(self, node, function):
        """A function of NumPy, a method of an array, abs of an array; None: it is none of these."""
        if isinstance(function, ast.Name) and function.id == "abs" and len(node.args) == 1:
            text, kind = self.value(node.args[0])
            return (f"({text}).abs()", kind) if isinstance(kind, Array) else None
        if not isinstance(function, ast.Attribute) or self.is_name(function.value, "math"):
            return None
        name, arguments = function.attr, node.args
        if not self.is_numpy(function.value):
            if name not in _OF_ALL or arguments:
                return None
            arguments = [function.value]
        if name == "array" and len(arguments) == 1 and isinstance(arguments[0], (ast.List, ast.Tuple)):
            return self.of_list(arguments[0])
        values = [self.value(each) for each in arguments]
        if not values or not isinstance(values[0][1], Array):
            self.refuse(node, f"{ast.unparse(node)} is not translated for what is not an array: take a function of math, or min and max")
        (text, array), rest = values[0], values[1:]
        if not rest and name in _BY_ELEMENT:
            return f"({text}).{_BY_ELEMENT[name]}()", array
        if not rest and name in _OF_ALL:
            return f"({text}).{_OF_ALL[name]}()", "double"
        if len(rest) == 1 and name in ("minimum", "maximum", "dot"):
            other, kind = rest[0]
            if name == "dot":
                return self.product(node, text, array, other, kind)
            if isinstance(kind, Array):
                self.common(node, array, kind)
            return f"({text}).{name[:3]}({other if isinstance(kind, Array) else self.real(other, kind)})", array
        if len(rest) == 2 and name == "clip":
            return f"({text}).max({self.real(*rest[0])}).min({self.real(*rest[1])})", array
        self.refuse(node, f"{ast.unparse(node)} is not translated: of NumPy array, {', '.join(sorted({*_BY_ELEMENT, *_OF_ALL, 'minimum', 'maximum', 'dot', 'clip'}))} are")

    def direction(self, node):
        constants = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
        slot = self.of.slots.get(constants[0]) if constants else None
        if self.phase != "event" or slot is None or slot.role != "work" or not all(isinstance(each, int) for each in constants[1:]):
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        more = "".join(f", {each}" for each in constants[1:])
        return f"fired.direction({self.of.member(constants[0])}{more})", "std::int64_t"

    def helper_call(self, node, name):
        if node.args or name not in self.of.functions or name in PHASES:
            self.refuse(node, f"{ast.unparse(node)} is not translated: only methods of the class without arguments are")
        if name not in self.of.helpers:
            self.of.helpers[name] = None  # being translated: one that calls itself is refused
            try:
                self.of.helpers[name] = self.translate_helper(name)
            except Refused as refused:
                self.of.helpers[name] = refused
        made = self.of.helpers[name]
        if isinstance(made, Refused):
            raise made
        if made is None:
            self.refuse(node, f"self.{name}() calls itself")
        return f"{self.of.member(name)}()", made[0]
