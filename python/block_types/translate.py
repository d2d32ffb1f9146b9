# SPDX-License-Identifier: BSD-3-Clause
"""The methods of a block in Python as C++, where they are trivial: what `hilda new-plugin --from-python` asks for.

Request and answer are JSON. {} is answered by {"names": [...]}: of what the methods use in addition to slots. {"members": {name: C++ name}}
is answered by {"file", "methods": {phase: {"line", "source", "body" or "why"}}, "helpers": [...], "own": [...]}. A method that has
a `why` and no `body` is the author's to write.

Trivial is: numbers, booleans and whole numbers of slots, local variables and own attributes; arithmetic, comparisons, `if`, functions
of `math`, and methods of the class that have no arguments; arrays of real numbers by element, their products `@`, sums and the functions
of NUMPY; texts and choices that are compared with constants. Everything else is refused with its line.

Each expression is a text and its C++ type: "double", "std::int64_t", "bool", or an _Array, whose text is an array of Eigen.
"""

import ast
import inspect
import json
import textwrap

_PHASES = ("configure", "prepare", "initialize", "start", "stop", "summary", "output", "update", "derivatives", "event")
_MATH = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "fabs", "hypot", "copysign")
_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_TYPES = {float: "double", int: "std::int64_t", bool: "bool"}
_RESTING = {"double": "0.0", "std::int64_t": "0", "bool": "false"}
_BY_ELEMENT = {"sqrt": "sqrt", "abs": "abs", "absolute": "abs", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan",
               "tanh": "tanh", "square": "square"}
_OF_ALL = {"sum": "sum", "max": "maxCoeff", "min": "minCoeff", "prod": "prod", "mean": "mean"}
_ELEMENT_HELP = "take one element, self.NAME[0], or a sum such as abs(self.NAME).max()"
_KINDS = "a wrench, twist, pose or quaternion has its own type in C++: write this method by hand, as docs/author.md shows"


class _Array:
    """Real numbers of one shape: "3", "n", "m n"."""

    def __init__(self, shape):
        self.sizes = tuple(shape.split())

    def __eq__(self, other):
        return isinstance(other, _Array) and self.sizes == other.sizes

    def __hash__(self):
        return hash(self.sizes)

    def __str__(self):
        return f"({' '.join(self.sizes)})"

    @property
    def fixed(self):
        """Its type in C++, or "": the diagram decides its size."""
        return f"Fixed<{', '.join(self.sizes)}>" if self.sizes and all(each.isdigit() for each in self.sizes) else ""


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
        port = self.slots[name].facts()[0] if name in self.slots else name
        return name if self.members is None else self.members.get(port, name)

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
        load = node.target
        if isinstance(load, ast.Attribute):
            load = ast.copy_location(ast.Attribute(load.value, load.attr, ast.Load()), node)
        elif isinstance(load, ast.Subscript):
            load = ast.copy_location(ast.Subscript(load.value, load.slice, ast.Load()), node)
        self.assign(node.target, ast.copy_location(ast.BinOp(load, node.op, node.value), node), indent)

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
        self.write(indent, f"{written} = {self.converted(target, text, kind, _TYPES[slot.dtype])};")

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
        if not spread or isinstance(kind, _Array):
            self.refuse(target, f"{ast.unparse(target)} has the shape {array}, and this value has {kind}: give both the same shape in their declarations")
        number = self.real(self.bare(text), kind)
        self.write(indent, f"{written} = {array.fixed}::Constant({number});" if array.fixed else f"{written} = {number};")

    def assign_own(self, target, text, kind, indent):
        if isinstance(kind, _Array):
            self.refuse(target, f"self.{target.attr} is an array that is not declared: declare it as hilda.State, or compute it where it is used")
        known = self.of.own.setdefault(target.attr, kind)
        self.write(indent, f"{self.of.member(target.attr)} = {self.converted(target, text, kind, known)};")

    def assign_local(self, target, value, indent):
        text, kind = self.whole(value)
        for scope in self.scopes:
            if target.id in scope:
                return self.write(indent, f"{self.of.member(target.id)} = {self.converted(target, text, kind, scope[target.id])};")
        self.scopes[-1][target.id] = kind
        if isinstance(kind, _Array):
            if not kind.fixed:
                self.refuse(target, f"{target.id} is an array whose size the diagram decides, which would allocate memory in the loop: write its expression where it is used")
            return self.write(indent, f"{kind.fixed} {self.of.member(target.id)} = {self.matrix(text)};")
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
            return text if not isinstance(kind, _Array) else self.matrix(text)
        if isinstance(kind, _Array) or isinstance(wanted, _Array):
            self.refuse(node, f"a value with the shape {kind} does not go into one with {wanted}: give both the same shape")
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
        self.node = node
        return method(node)

    def real(self, text, kind):
        if isinstance(kind, _Array):
            raise _Refused(self.node, f"one number is needed here, and this is an array: {_ELEMENT_HELP}")
        if kind == "double":
            return text
        return text + ".0" if text.isdigit() else f"static_cast<double>({text})"

    def truth(self, node):
        if self.is_name(node, "fired"):
            return "!fired.none()"
        text, kind = self.value(node)
        return text if kind == "bool" else f"({self.real(text, kind) if isinstance(kind, _Array) else text} != 0)"

    def is_name(self, node, name):
        return isinstance(node, ast.Name) and node.id == name

    def no_kind(self, node, slot):
        if slot.kind:
            self.refuse(node, f"self.{slot.name}: {_KINDS}")

    def array_of(self, node, slot):
        self.no_kind(node, slot)
        if not slot.shape:
            self.refuse(node, f"self.{slot.name} is one number, and has no elements")
        if slot.dtype is not float:
            self.refuse(node, f"self.{slot.name} is an array of {slot.dtype.__name__}, and only those of float are translated: leave dtype out, or write this method by hand")
        return _Array(slot.shape)

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
                array = isinstance(scope[node.id], _Array)
                return self.of.member(node.id) + (".array()" if array else ""), scope[node.id]
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
        return f"*{self.of.member(slot.name)}", _TYPES[slot.dtype]

    def of_Subscript(self, node):
        local = next((scope[node.value.id] for scope in self.scopes if node.value.id in scope), None) if isinstance(node.value, ast.Name) else None
        if isinstance(local, _Array):
            return f"{self.of.member(node.value.id)}({self.index(node, local)})", "double"
        if not (isinstance(node.value, ast.Attribute) and self.is_name(node.value.value, "self") and node.value.attr in self.of.slots):
            self.refuse(node, f"{ast.unparse(node)} is not translated: take elements of ports, parameters and states")
        slot = self.of.slots[node.value.attr]
        text, array = self.of_slot(node, slot)
        if not isinstance(array, _Array):
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
        array = _Array(str(len(numbers)))
        if len(numbers) < 2:
            self.refuse(node, "a list of fewer than two numbers is not translated: declare the shape \"\", for one number")
        inside = ", ".join(numbers)
        return (f"{array.fixed}({inside}).array()" if len(numbers) <= 4 else f"{array.fixed}{{{{{inside}}}}}.array()"), array

    def of_BinOp(self, node):
        (a, left), (b, right) = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.MatMult):
            return self.product(node, a, left, b, right)
        if isinstance(left, _Array) or isinstance(right, _Array):
            return self.by_element(node, a, left, b, right)
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

    def by_element(self, node, a, left, b, right):
        operator = "/" if isinstance(node.op, ast.Div) else _ARITHMETIC.get(type(node.op))
        if isinstance(node.op, ast.Pow) and isinstance(left, _Array) and not isinstance(right, _Array):
            return f"({a}).pow({self.real(b, right)})", left
        array = self.common(node, left, right)
        if operator is None:
            self.refuse(node, f"{ast.unparse(node)} is not translated for arrays: take + - * / @, or ** with one number")
        a, b = (text if isinstance(kind, _Array) else self.real(text, kind) for text, kind in ((a, left), (b, right)))
        return f"({a} {operator} {b})", array

    def common(self, node, left, right):
        """The array that two values give by element."""
        arrays = [each for each in (left, right) if isinstance(each, _Array)]
        if arrays[0] != arrays[-1]:
            self.refuse(node, f"{ast.unparse(node)} has arrays of the shapes {arrays[0]} and {arrays[-1]}: only equal ones are translated: declare the same shape for both")
        return arrays[0]

    def matrix(self, text):
        """An array of Eigen as a matrix. "(...).array()" is one already, for sums and the like have brackets around them."""
        return text[: -len(".array()")] if text.endswith(".array()") else f"({self.bare(text)}).matrix()"

    def product(self, node, a, left, b, right):
        fits = isinstance(left, _Array) and isinstance(right, _Array) and left.sizes[-1:] == right.sizes[:1] and "*" not in "".join(left.sizes)
        if not fits:
            self.refuse(node, f"{ast.unparse(node)} has the shapes {left} and {right}: a product needs (m n) and (n), (n p), or (n) and (n)")
        rows, columns = left.sizes[:-1], right.sizes[1:]
        if not rows and not columns:
            return f"{self.matrix(a)}.dot({self.matrix(b)})", "double"
        if not rows:
            self.refuse(node, f"{ast.unparse(node)} has a vector on the left of a matrix: write its transpose on the right")
        # lazy: a part of a larger expression would be computed aside, in memory that is allocated
        return f"{self.matrix(a)}.lazyProduct({self.matrix(b)}).array()", _Array(" ".join(rows + columns))

    def of_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            return ("fired.none()" if self.is_name(node.operand, "fired") else f"!({self.truth(node.operand)})"), "bool"
        text, kind = self.value(node.operand)
        if isinstance(kind, _Array) and isinstance(node.op, ast.USub):
            return f"(-({text}))", kind
        if kind == "bool" or not isinstance(node.op, (ast.USub, ast.UAdd)):
            self.refuse(node, f"{ast.unparse(node)} is not translated")
        return f"({'-' if isinstance(node.op, ast.USub) else ''}{text})", kind

    def of_BoolOp(self, node):
        parts = [self.value(each) for each in node.values]
        if any(kind != "bool" for _, kind in parts):
            self.refuse(node, "'and' and 'or' of numbers give numbers: only those of booleans are translated")
        return "(" + (" && " if isinstance(node.op, ast.And) else " || ").join(text for text, _ in parts) + ")", "bool"

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

    def of_Compare(self, node):
        of_text = self.compared_text(node)
        if of_text is not None:
            return of_text, "bool"
        sides = [self.value(each) for each in (node.left, *node.comparators)]
        pairs = []
        for operator, (a, left), (b, right) in zip(node.ops, sides, sides[1:]):
            if type(operator) not in _COMPARED:
                self.refuse(node, f"{ast.unparse(node)} is not translated")
            if isinstance(left, _Array) or isinstance(right, _Array):
                self.refuse(node, f"{ast.unparse(node)} compares arrays: {_ELEMENT_HELP}")
            if left != right:
                a, b = self.real(a, left), self.real(b, right)
            pairs.append(f"{a} {_COMPARED[type(operator)]} {b}")
        return "(" + " && ".join(pairs) + ")", "bool"

    def of_IfExp(self, node):
        (a, left), (b, right) = self.value(node.body), self.value(node.orelse)
        if isinstance(left, _Array) or isinstance(right, _Array):
            self.refuse(node, "one of two arrays is not translated: write if and else")
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
            return (f"({text}).abs()", kind) if isinstance(kind, _Array) else None
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
        if not values or not isinstance(values[0][1], _Array):
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
            if isinstance(kind, _Array):
                self.common(node, array, kind)
            return f"({text}).{name[:3]}({other if isinstance(kind, _Array) else self.real(other, kind)})", array
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
    if isinstance(kind, _Array):
        method.refuse(tree, f"{name} returns an array: write its expression where it is used")
    text = "\n".join([f"  {kind} {of.member(name)}() const {{", *method.lines, "  }"])
    return kind, text


def _method(of, phase):
    tree, source = of.tree(phase)
    told = {"line": tree.lineno, "source": source}
    method = _Method(of, phase)
    try:
        if phase in ("start", "stop"):
            method.refuse(tree, "start and stop reach something outside of the diagram")
        if phase == "summary":
            method.refuse(tree, "a summary is not translated: write its lines with summary.number and summary.text, as docs/sdk.md shows")
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
