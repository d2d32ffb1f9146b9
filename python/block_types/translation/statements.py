# SPDX-License-Identifier: BSD-3-Clause
"""Statements as lines of C++. One that cannot be translated becomes a marked place that fails."""

import ast
import json
import os
import textwrap

from .shapes import Refused

_LOOP = ("output", "update", "derivatives", "event")  # methods with a tick


class Statements:
    def body(self, statements, indent):
        for statement in statements:
            before = self.state()
            try:
                self.statement(statement, indent)
            except Refused as refused:
                if self.helper:
                    raise  # who calls it is marked: it has no tick to fail
                self.go_back(before)
                self.leave_open(statement, refused, indent)

    def statement(self, node, indent):
        method = getattr(self, "do_" + type(node).__name__, None)
        if method is None:
            self.refuse(node, f"a statement {type(node).__name__} is not translated")
        method(node, indent)
        self.translated += not isinstance(node, (ast.Pass, ast.If)) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))

    def state(self):
        return len(self.lines), len(self.open), [dict(scope) for scope in self.scopes], dict(self.of.own), self.translated

    def go_back(self, state):
        """What a refused statement had written and declared is gone."""
        lines, places, self.scopes, self.of.own, self.translated = state
        del self.lines[lines:], self.open[places:]

    def leave_open(self, node, refused, indent):
        """The statement as a comment, and what fails where it would run."""
        self.open.append({"at": refused.line, "why": str(refused)})
        self.write(indent, f"// TO BE WRITTEN ({os.path.basename(self.of.file)}:{refused.line}: {refused}). In Python:")
        for line in self.source(node):
            self.write(indent, f"// {line}".rstrip("\\ "))
        words = json.dumps(f"{self.phase} is to be written in C++: see {os.path.basename(self.of.file)}:{refused.line}", ensure_ascii=False)
        self.write(indent, f"t.fail({words});" if self.phase in _LOOP else f"self.report(nullptr, {words});")

    def source(self, node):
        lines = self.text[node.lineno - self.first:node.end_lineno - self.first + 1]
        return textwrap.dedent("".join(lines)).splitlines()

    def write(self, indent, line):
        self.lines.append("  " * indent + line)

    def do_Pass(self, node, indent):
        pass

    def do_Expr(self, node, indent):
        if isinstance(node.value, ast.Constant):
            return
        call = node.value
        ends = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("stop", "fail") and self.is_name(call.func.value, "t")
        if not ends or len(call.args) != 1 or not (isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)):
            self.refuse(node, "a call as a statement is not translated, unless it is t.stop or t.fail with a constant text")
        self.write(indent, f"t.{call.func.attr}({json.dumps(call.args[0].value, ensure_ascii=False)});")

    def do_Return(self, node, indent):
        if not self.helper:
            if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
                self.refuse(node, "a phase returns nothing")
            return self.write(indent, "return;")
        if node.value is None:
            self.refuse(node, "a method that returns nothing is not translated")
        text, kind = self.whole(node.value)
        self.returns.add(kind)
        self.write(indent, f"return {text};")

    def do_If(self, node, indent, word="if"):
        self.write(indent, f"{word} ({self.bare(self.truth(node.test))}) {{")
        self.block(node.body, indent)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            return self.do_If(node.orelse[0], indent, "} else if")
        if node.orelse:
            self.write(indent, "} else {")
            self.block(node.orelse, indent)
        self.write(indent, "}")

    def block(self, statements, indent):
        self.scopes.append({})
        self.body(statements, indent + 1)
        self.scopes.pop()

    def do_Assign(self, node, indent):
        if len(node.targets) != 1:
            self.refuse(node, "several targets are not translated")
        self.assign(node.targets[0], node.value, indent)

    def do_AnnAssign(self, node, indent):
        if node.value is not None:
            self.assign(node.target, node.value, indent)

    def do_AugAssign(self, node, indent):
        load = node.target
        if isinstance(load, ast.Attribute):
            load = ast.copy_location(ast.Attribute(load.value, load.attr, ast.Load()), node)
        elif isinstance(load, ast.Subscript):
            load = ast.copy_location(ast.Subscript(load.value, load.slice, ast.Load()), node)
        self.assign(node.target, ast.copy_location(ast.BinOp(load, node.op, node.value), node), indent)
