# SPDX-License-Identifier: BSD-3-Clause
"""Assignments to slots, to elements of them, to own attributes and to local variables."""

import ast

from .shapes import LOCAL, TYPES, Array


class Assignments:
    def assign(self, target, value, indent):
        if isinstance(target, ast.Name):
            return self.assign_local(target, value, indent)
        if isinstance(target, ast.Subscript):
            return self.assign_elements(target, value, indent)
        if not (isinstance(target, ast.Attribute) and self.is_name(target.value, "self")):
            self.refuse(target, "only self.NAME and local variables are assigned in a translation")
        if self.helper:
            self.refuse(target, "a method that writes is not translated")
        written, slot = self.written(target)
        if slot is not None and "repeated" in slot.flags:
            self.refuse(target, f"self.{target.attr} is repeated, which is not translated: write a loop over {written}.size()")
        if slot is not None and slot.shape:
            return self.assign_array(target, written, self.array_of(target, slot), value, indent, spread=False)
        text, kind = self.whole(value)
        if slot is None:
            return self.assign_own(target, text, kind, indent)
        self.no_kind(target, slot)
        self.write(indent, f"{written} = {self.converted(target, text, kind, TYPES[slot.dtype])};")

    def written(self, target):
        """What self.NAME is in C++ where it is written, and its slot; of x_dot that of x."""
        name = target.attr
        if name.endswith("_dot") and name[:-4] in self.of.slots:
            return f"{self.of.member(name[:-4])}.dot()", self.of.slots[name[:-4]]
        return self.of.member(name), self.of.slots.get(name)

    def assign_elements(self, target, value, indent):
        """self.x[:] = ..., self.x[0] = ..."""
        of_slot = isinstance(target.value, ast.Attribute) and self.is_name(target.value.value, "self")
        written, slot = self.written(target.value) if of_slot else ("", None)
        if slot is None or self.helper:
            self.refuse(target, "only elements of outputs and states are assigned in a translation")
        array = self.array_of(target, slot)
        if isinstance(target.slice, ast.Slice) and ast.unparse(target.slice) == ":":
            return self.assign_array(target, written, array, value, indent, spread=True)
        at = self.index(target, array)
        self.write(indent, f"{written}.data()[{at}] = {self.real(*self.whole(value))};")

    def assign_array(self, target, written, array, value, indent, spread):
        """`spread`: one number goes into all elements."""
        if isinstance(value, (ast.List, ast.Tuple)):
            text, kind = self.of_list(value)
        else:
            text, kind = self.value(value)
        if kind == array:
            return self.write(indent, f"{written} = {text if array.sizes[0].startswith('*') else self.matrix(text)};")
        if not spread or isinstance(kind, Array):
            self.refuse(target, f"{ast.unparse(target)} has the shape {array}, and this value has {kind}: give both the same shape in their declarations")
        number = self.real(self.bare(text), kind)
        self.write(indent, f"{written} = {array.fixed}::Constant({number});" if array.fixed else f"{written} = {number};")

    def assign_own(self, target, text, kind, indent):
        if isinstance(kind, Array):
            self.refuse(target, f"self.{target.attr} is an array that is not declared: declare it as hilda.State, or compute it where it is used")
        known = self.of.own.setdefault(target.attr, kind)
        self.write(indent, f"{self.of.member(target.attr)} = {self.converted(target, text, kind, known)};")

    def assign_local(self, target, value, indent):
        text, kind = self.whole(value)
        for scope in self.scopes:
            if target.id in scope:
                return self.write(indent, f"{self.of.member(target.id)} = {self.converted(target, text, kind, scope[target.id])};")
        self.scopes[-1][target.id] = kind
        if isinstance(kind, Array):
            if not kind.fixed:
                self.refuse(target, f"{target.id} is an array whose size the diagram decides, which would allocate memory in the loop: write its expression where it is used")
            return self.write(indent, f"{LOCAL}{kind.fixed} {self.of.member(target.id)} = {self.matrix(text)};")
        self.write(indent, f"{LOCAL}{kind} {self.of.member(target.id)} = {text};")

    def converted(self, node, text, kind, wanted):
        if kind == wanted:
            return text if not isinstance(kind, Array) else self.matrix(text)
        if isinstance(kind, Array) or isinstance(wanted, Array):
            self.refuse(node, f"a value with the shape {kind} does not go into one with {wanted}: give both the same shape")
        if wanted == "double":
            return self.real(text, kind)
        if wanted == "bool":
            return f"({text}) != 0"
        self.refuse(node, "a number that is not whole does not go into a whole number")
