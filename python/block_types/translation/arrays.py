# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of real numbers: elements, lists, arithmetic by element, products."""

import ast

from .shapes import ARITHMETIC, Array


class Arrays:
    def array_of(self, node, slot):
        self.no_kind(node, slot)
        if not slot.shape:
            self.refuse(node, f"self.{slot.name} is one number, and has no elements")
        if slot.dtype is not float:
            self.refuse(node, f"self.{slot.name} is an array of {slot.dtype.__name__}, and only those of float are translated: leave dtype out, or write this method by hand")
        return Array(slot.shape)

    def of_Subscript(self, node):
        local = next((scope[node.value.id] for scope in self.scopes if node.value.id in scope), None) if isinstance(node.value, ast.Name) else None
        if isinstance(local, Array):
            return f"{self.of.member(node.value.id)}({self.index(node, local)})", "double"
        if not (isinstance(node.value, ast.Attribute) and self.is_name(node.value.value, "self") and node.value.attr in self.of.slots):
            self.refuse(node, f"{ast.unparse(node)} is not translated: take elements of ports, parameters and states")
        slot = self.of.slots[node.value.attr]
        text, array = self.of_slot(node, slot)
        if not isinstance(array, Array):
            array = self.array_of(node, slot)
        if isinstance(node.slice, ast.Slice) and ast.unparse(node.slice) == ":":
            return text, array
        return f"(*{self.of.member(slot.name)})({self.index(node, array)})", "double"

    def index(self, node, array):
        """Of one element of a vector: a constant that is known to be in it, for C++ would not see that it is not."""
        if len(array.sizes) != 1 or not array.fixed:
            self.refuse(node, f"{ast.unparse(node)}: only elements of a vector of fixed size are translated: declare its shape as a number")
        try:
            at = ast.literal_eval(node.slice)
        except ValueError:
            self.refuse(node, f"{ast.unparse(node)}: only constant places are translated: write one statement for each element")
        size = int(array.sizes[0])
        if not isinstance(at, int) or not -size <= at < size:
            self.refuse(node, f"{ast.unparse(node)} is not one of the {size} elements")
        return at % size

    def of_list(self, node):
        """[a, b, c] as a vector."""
        numbers = [self.real(*self.whole(each)) for each in node.elts]
        array = Array(str(len(numbers)))
        if len(numbers) < 2:
            self.refuse(node, "a list of fewer than two numbers is not translated: declare the shape \"\", for one number")
        inside = ", ".join(numbers)
        return (f"{array.fixed}({inside}).array()" if len(numbers) <= 4 else f"{array.fixed}{{{{{inside}}}}}.array()"), array

    def by_element(self, node, a, left, b, right):
        operator = "/" if isinstance(node.op, ast.Div) else ARITHMETIC.get(type(node.op))
        if isinstance(node.op, ast.Pow) and isinstance(left, Array) and not isinstance(right, Array):
            return f"({a}).pow({self.real(b, right)})", left
        array = self.common(node, left, right)
        if operator is None:
            self.refuse(node, f"{ast.unparse(node)} is not translated for arrays: take + - * / @, or ** with one number")
        a, b = (text if isinstance(kind, Array) else self.real(text, kind) for text, kind in ((a, left), (b, right)))
        return f"({a} {operator} {b})", array

    def common(self, node, left, right):
        """The array that two values give by element."""
        arrays = [each for each in (left, right) if isinstance(each, Array)]
        if arrays[0] != arrays[-1]:
            self.refuse(node, f"{ast.unparse(node)} has arrays of the shapes {arrays[0]} and {arrays[-1]}: only equal ones are translated: declare the same shape for both")
        return arrays[0]

    def matrix(self, text):
        """An array of Eigen as a matrix. "(...).array()" is one already, for sums and the like have brackets around them."""
        return text[: -len(".array()")] if text.endswith(".array()") else f"({self.bare(text)}).matrix()"

    def product(self, node, a, left, b, right):
        fits = isinstance(left, Array) and isinstance(right, Array) and left.sizes[-1:] == right.sizes[:1] and "*" not in "".join(left.sizes)
        if not fits:
            self.refuse(node, f"{ast.unparse(node)} has the shapes {left} and {right}: a product needs (m n) and (n), (n p), or (n) and (n)")
        rows, columns = left.sizes[:-1], right.sizes[1:]
        if not rows and not columns:
            return f"{self.matrix(a)}.dot({self.matrix(b)})", "double"
        if not rows:
            self.refuse(node, f"{ast.unparse(node)} has a vector on the left of a matrix: write its transpose on the right")
        # lazy: a part of a larger expression would be computed aside, in memory that is allocated
        return f"{self.matrix(a)}.lazyProduct({self.matrix(b)}).array()", Array(" ".join(rows + columns))
