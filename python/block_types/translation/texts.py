# SPDX-License-Identifier: BSD-3-Clause
"""Texts and choices, compared with constants."""

import ast
import json


class Texts:
    def compared_text(self, node):
        """self.side == "above", in ("above", "below"): the text; None: no text slot is compared."""
        slot = self.of.slots.get(node.left.attr) if isinstance(node.left, ast.Attribute) and self.is_name(node.left.value, "self") else None
        if slot is None or len(node.ops) != 1 or slot.choices is None and slot.dtype is not str:
            return None
        wanted = node.comparators[0]
        words = wanted.elts if isinstance(node.ops[0], (ast.In, ast.NotIn)) and isinstance(wanted, (ast.Tuple, ast.List, ast.Set)) else [wanted]
        constant = all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in words)
        if not constant or not words or not isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn)) or (words == [wanted] and isinstance(node.ops[0], (ast.In, ast.NotIn))):
            self.refuse(node, f"{ast.unparse(node)}: a text is compared with constant texts, by ==, != or in (...)")
        equal = " || ".join(self.equals(node, slot, each.value) for each in words)
        return f"({equal})" if isinstance(node.ops[0], (ast.Eq, ast.In)) else f"(!({equal}))"

    def equals(self, node, slot, word):
        if slot.choices is None:
            return f"std::string_view(*{self.of.member(slot.name)}) == {json.dumps(word, ensure_ascii=False)}"
        choices = slot.choices.split("|")
        if word not in choices:
            self.refuse(node, f"{word!r} is not one of the choices of self.{slot.name}: {', '.join(choices)}")
        return f"*{self.of.member(slot.name)} == {choices.index(word)} /* {word} */"
