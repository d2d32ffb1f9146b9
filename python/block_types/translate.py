# SPDX-License-Identifier: BSD-3-Clause
"""The methods of a block in Python as C++, where they are trivial: what `hilda new-plugin --from-python` asks for.

Request and answer are JSON. {} is answered by {"names": [...]}: of what the methods use in addition to slots. {"members": {name: C++ name}}
is answered by {"file", "methods": {phase: {"line", "source", "body" or "why"}}, "helpers": [...], "own": [...]}. A method that has
a `why` and no `body` is the author's to write.

Trivial is: numbers, booleans and whole numbers of slots, local variables and own attributes; arithmetic, comparisons, `if`, functions
of `math`, and methods of the class that have no arguments. Everything else is refused with its line.
"""

import ast
import inspect
import json
import textwrap

_PHASES = ("configure", "prepare", "initialize", "start", "stop", "output", "update", "derivatives", "event")
_MATH = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "fabs", "hypot", "copysign")
_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_TYPES = {float: "double", int: "std::int64_t", bool: "bool"}
_RESTING = {"double": "0.0", "std::int64_t": "0", "bool": "false"}


class _Refused(Exception):
    def __init__(self, node, why):
        super().__init__(why)
        self.line = node.lineno


class _Class:
    """What a class consists of: its slots, its methods as trees, and what has been found out about them."""

    def __init__(self, owner, members):
        spec = owner.__hilda_block__
        self.name, self.file = spec.owner.__name__, spec.file
        self.slots = {slot.name: slot for slot in spec.slots}
        self.functions = {name: member for base in reversed(spec.owner.__mro__) for name, member in vars(base).items() if inspect.isfunction(member)}
        self.phases = [phase for phase in _PHASES if phase in spec.phases]
        self.members = members  # None: each name stands for itself
        self.own = {}  # attributes that configure and prepare set: C++ type
        self.helpers = {}  # C++ type and text
        self.names = []

    def member(self, name):
        if name not in self.slots and name not in self.names:
            self.names.append(name)
        return name if self.members is None else self.members.get(name, name)

    def tree(self, name):
        source, first = inspect.getsourcelines(self.functions[name])
        tree = ast.parse(textwrap.dedent("".join(source))).body[0]
        ast.increment_lineno(tree, first - 1)
        return tree, "".join(source)


class _Method:
    """One method, statement by statement."""

    def __init__(self, of, phase, helper=False):
        self.of, self.phase, self.helper = of, phase, helper
        self.scopes, self.lines, self.returns = [{}], [], set()

    def refuse(self, node, why):
        raise _Refused(node, why)

    # statements

    def body(self, statements, indent):
        for statement in statements:
            method = getattr(self, "do_" + type(statement).__name__, None)
            if method is None:
                self.refuse(statement, f"a statement {type(statement).__name__} is not translated")
            method(statement, indent)

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
        load = ast.copy_location(ast.Attribute(node.target.value, node.target.attr, ast.Load()), node) if isinstance(node.target, ast.Attribute) else node.target
        self.assign(node.target, ast.copy_location(ast.BinOp(load, node.op, node.value), node), indent)

    def assign(self, target, value, indent):
        if isinstance(target, ast.Name):
            return self.assign_local(target, value, indent)
        if not (isinstance(target, ast.Attribute) and self.is_name(target.value, "self")):
            self.refuse(target, "only self.NAME and local variables are assigned in a translation")
        if self.helper:
            self.refuse(target, "a method that writes is not translated")
        text, kind = self.whole(value)
        name = target.attr
        if name.endswith("_dot") and name[:-4] in self.of.slots:
            return self.write(indent, f"{self.of.member(name[:-4])}.dot() = {self.real(text, kind)};")
        slot = self.of.slots.get(name)
        if slot is None:
            return self.assign_own(target, text, kind, indent)
        self.scalar(target, slot)
        self.write(indent, f"{self.of.member(name)} = {self.converted(target, text, kind, _TYPES[slot.dtype])};")

    def assign_own(self, target, text, kind, indent):
        known = self.of.own.setdefault(target.attr, kind)
        self.write(indent, f"{self.of.member(target.attr)} = {self.converted(target, text, kind, known)};")

    def assign_local(self, target, value, indent):
        text, kind = self.whole(value)
        for scope in self.scopes:
            if target.id in scope:
                return self.write(indent, f"{self.of.member(target.id)} = {self.converted(target, text, kind, scope[target.id])};")
        self.scopes[-1][target.id] = kind
        self.write(indent, f"{kind} {self.of.member(target.id)} = {text};")

    def bare(self, text):
        """Without the brackets around the whole."""
        depth = 0
        for at, letter in enumerate(text):
            depth += (letter == "(") - (letter == ")")
            if depth == 0 and at + 1 < len(text):
                return text
        return text[1:-1] if text.startswith("(") else text

    def converted(self, node, text, kind, wanted):
        if kind == wanted:
            return text
        if wanted == "double":
            return self.real(text, kind)
        if wanted == "bool":
            return f"({text}) != 0"
        self.refuse(node, "a number that is not whole does not go into a whole number")

    # expressions: the text, and its C++ type

    def whole(self, node):
        text, kind = self.value(node)
        return self.bare(text), kind

    def value(self, node):
        method = getattr(self, "of_" + type(node).__name__, None)
        if method is None:
            self.refuse(node, f"an expression {type(node).__name__} is not translated")
        return method(node)

    def real(self, text, kind):
        if kind == "double":
            return text
        return text + ".0" if text.isdigit() else f"static_cast<double>({text})"

    def truth(self, node):
        if self.is_name(node, "fired"):
            return "!fired.none()"
        text, kind = self.value(node)
        return text if kind == "bool" else f"({text} != 0)"

    def is_name(self, node, name):
        return isinstance(node, ast.Name) and node.id == name

    def scalar(self, node, slot):
        if slot.shape or slot.kind:
            self.refuse(node, f"self.{slot.name} is an array, and only numbers are translated")

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
                return self.of.member(node.id), scope[node.id]
        constant = self.of.functions[self.phase].__globals__.get(node.id)
        if type(constant) in _TYPES:
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
            self.scalar(node, self.of.slots[name[:-5]])
            return f"{self.of.member(name[:-5])}.side()", "double"
        slot = self.of.slots.get(name)
        if slot is not None:
            return self.of_slot(node, slot)
        if name in self.of.own:
            return self.of.member(name), self.of.own[name]
        self.refuse(node, f"self.{name} is not a slot, nor a number that a translated method sets before")

    def of_slot(self, node, slot):
        self.scalar(node, slot)
        if "optional" in slot.flags:
            self.refuse(node, f"self.{slot.name} may be None, and an input that may be open is not translated")
        if slot.choices is not None or slot.dtype is str:
            self.refuse(node, f"self.{slot.name} is a text, and only numbers are translated")
        return f"*{self.of.member(slot.name)}", _TYPES[slot.dtype]

    def of_BinOp(self, node):
        (a, left), (b, right) = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Div):
            return f"({self.real(a, left)} / {self.real(b, right)})", "double"
        if isinstance(node.op, ast.Pow) and "double" in (left, right):
            return f"std::pow({self.real(a, left)}, {self.real(b, right)})", "double"
        if type(node.op) not in _ARITHMETIC or "bool" in (left, right):
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        whole = left == right == "std::int64_t"
        if not whole:
            a, b = self.real(a, left), self.real(b, right)
        return f"({a} {_ARITHMETIC[type(node.op)]} {b})", "std::int64_t" if whole else "double"

    def of_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            return ("fired.none()" if self.is_name(node.operand, "fired") else f"!({self.truth(node.operand)})"), "bool"
        text, kind = self.value(node.operand)
        if kind == "bool" or not isinstance(node.op, (ast.USub, ast.UAdd)):
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        return f"({'-' if isinstance(node.op, ast.USub) else ''}{text})", kind

    def of_BoolOp(self, node):
        parts = [self.value(each) for each in node.values]
        if any(kind != "bool" for _, kind in parts):
            self.refuse(node, "'and' and 'or' of numbers give numbers: only those of booleans are translated")
        return "(" + (" && " if isinstance(node.op, ast.And) else " || ").join(text for text, _ in parts) + ")", "bool"

    def of_Compare(self, node):
        sides = [self.value(each) for each in (node.left, *node.comparators)]
        pairs = []
        for operator, (a, left), (b, right) in zip(node.ops, sides, sides[1:]):
            if type(operator) not in _COMPARED:
                self.refuse(node, f"{ast.unparse(node)} is not translated")
            if left != right:
                a, b = self.real(a, left), self.real(b, right)
            pairs.append(f"{a} {_COMPARED[type(operator)]} {b}")
        return "(" + " && ".join(pairs) + ")", "bool"

    def of_IfExp(self, node):
        (a, left), (b, right) = self.value(node.body), self.value(node.orelse)
        if left != right:
            a, b, left = self.real(a, left), self.real(b, right), "double"
        return f"({self.truth(node.test)} ? {a} : {b})", left

    def of_Call(self, node):
        if node.keywords:
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        function = node.func
        if isinstance(function, ast.Attribute) and self.is_name(function.value, "fired") and function.attr == "direction":
            return self.direction(node)
        if isinstance(function, ast.Attribute) and self.is_name(function.value, "self"):
            return self.helper_call(node, function.attr)
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

    def direction(self, node):
        constants = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
        slot = self.of.slots.get(constants[0]) if constants else None
        if self.phase != "event" or slot is None or slot.role != "work" or not all(isinstance(each, int) for each in constants[1:]):
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        more = "".join(f", {each}" for each in constants[1:])
        return f"fired.direction({self.of.member(constants[0])}{more})", "std::int64_t"

    def helper_call(self, node, name):
        if node.args or name not in self.of.functions or name in _PHASES:
            self.refuse(node, f"{ast.unparse(node)} is not translated: only methods of the class without arguments are")
        if name not in self.of.helpers:
            self.of.helpers[name] = None  # being translated: one that calls itself is refused
            self.of.helpers[name] = _helper(self.of, name)
        if self.of.helpers[name] is None:
            self.refuse(node, f"self.{name}() calls itself")
        return f"{self.of.member(name)}()", self.of.helpers[name][0]


def _helper(of, name):
    tree, _ = of.tree(name)
    method = _Method(of, name, helper=True)
    method.body(tree.body, 2)
    if len(method.returns) != 1:
        method.refuse(tree, f"{name} returns values of several types, or none")
    kind = method.returns.pop()
    text = "\n".join([f"  {kind} {of.member(name)}() const {{", *method.lines, "  }"])
    return kind, text


def _method(of, phase):
    tree, source = of.tree(phase)
    told = {"line": tree.lineno, "source": source}
    method = _Method(of, phase)
    try:
        if phase in ("start", "stop"):
            method.refuse(tree, "start and stop reach something outside of the diagram")
        method.body(tree.body, 2)
        told["body"] = "\n".join(method.lines)
    except _Refused as refused:
        told["why"], told["at"] = str(refused), refused.line
    return told


def translation(owner, request):
    members = json.loads(request).get("members")
    of = _Class(owner, members)
    try:
        methods = {phase: _method(of, phase) for phase in of.phases}
    except (OSError, SyntaxError) as failed:  # the source is not there as text
        return json.dumps({"error": str(failed), "names": []})
    helpers = [each[1] for each in of.helpers.values() if each is not None]
    own = [f"  {kind} {of.member(name)} = {_RESTING[kind]}; // follows from parameters: needs no checkpoint" for name, kind in of.own.items()]
    return json.dumps({"file": of.file, "names": of.names, "methods": methods, "helpers": helpers, "own": own,
                       "initial": {slot.name: slot.initial for slot in of.slots.values() if slot.role == "state"}})
