# SPDX-License-Identifier: BSD-3-Clause
"""Blocks in Python: how a class declares its ports, parameters and states, and what the engine reads of it.

    @hilda.block(doc="First-order filter")
    class Filter(hilda.Block):
        u = hilda.Input("@u")
        y = hilda.Output("@u")
        tau = hilda.Parameter("s", default="10 ms", above=0.0, live=True)
        x = hilda.State("@u")

        def output(self, t): self.y = self.x
        def update(self, t): self.x = self.x + t.period / self.tau * (self.u - self.x)

The program runs this file alone, without the rest of the package.
"""

from __future__ import annotations

import difflib
import sys
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

PHASES = {"configure": 1, "prepare": 1, "initialize": 1, "start": 1, "stop": 1, "summary": 1, "output": 2, "update": 2, "derivatives": 2, "event": 3}
ARGUMENTS = ("", "self", "self, t", "self, t, fired")
GIVEN = ("path", "period", "seed", "simulated")
KINDS = ("wrench", "twist", "pose", "quaternion")
ELEMENTS: dict[Any, str] = {float: "real", int: "integer", bool: "boolean", str: "text"}


class BlockError(Exception):
    """A class that is not a block. Its text begins with the file and the line."""

    def __init__(self, file: str, line: int, what: str, help: str) -> None:
        super().__init__(f"{file}:{line}: {what}\n  {help}")
        self.file, self.line, self.what, self.help = file, line, what, help

    def __reduce__(self) -> Any:
        return BlockError, (self.file, self.line, self.what, self.help)


def _shape_text(shape: str | int | Sequence[int]) -> str:
    if isinstance(shape, str):
        return shape
    return str(shape) if isinstance(shape, int) else " ".join(map(str, shape))


class _Slot:
    role = ""

    if TYPE_CHECKING:  # of an instance that runs: a number, an array or a text

        def __get__(self, instance: Any, owner: Any) -> Any: ...
        def __set__(self, instance: Any, value: Any) -> None: ...

    def __init__(self, unit: str, shape: str | int | Sequence[int], doc: str, kind: str, dtype: Any, flags: dict[str, bool]) -> None:
        caller = sys._getframe(2)
        self.file, self.line = caller.f_code.co_filename, caller.f_lineno
        self.name = ""
        self.unit, self.shape, self.doc, self.kind = unit, _shape_text(shape), doc, kind
        self.dtype = dtype
        self.flags = {name for name, on in flags.items() if on}
        self.default: str | None = None
        self.choices: str | None = None
        self.minimum, self.maximum = float("-inf"), float("inf")
        self.initial: Any = None
        self.count: str | None = None
        self.port = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def wrong(self, owner: type, what: str, help: str) -> BlockError:
        return BlockError(self.file, self.line, f"{owner.__name__}.{self.name}: {what}", help)

    def check(self, owner: type) -> None:
        if self.dtype not in ELEMENTS:
            raise self.wrong(owner, f"dtype is {self.dtype!r}", "take float, int or bool; a parameter may also be str")
        if self.dtype is str and self.role != "parameter":
            raise self.wrong(owner, f"an {self.role} cannot be a text", "texts are for parameters")
        for word in ("unit", "shape", "doc", "kind"):
            if not isinstance(getattr(self, word), str):
                raise self.wrong(owner, f"{word} is {getattr(self, word)!r}", f"{word} is a text, such as {'m/s' if word == 'unit' else '3'!r}")
        if self.kind and self.kind not in KINDS:
            raise self.wrong(owner, f"kind is {self.kind!r}", f"take one of {', '.join(KINDS)}")

    def facts(self) -> tuple[Any, ...]:
        """As the library reads it."""
        element = "choice" if self.choices is not None else ELEMENTS[self.dtype]
        real = element == "real" and not self.kind
        shape = None if self.kind else self.shape
        name = f"{self.port}.{self.name}" if self.port else self.name
        return (name, self.role, element, self.kind, sorted(self.flags), shape, self.unit if real else None, self.doc,
                self.default, self.choices, self.minimum, self.maximum, self.initial, self.count, self.name)


class Input(_Slot):
    """What comes over a wire. `feedthrough` is found in the code of `output`, and may be given. `repeated`: as many wires as the diagram has,
    u[0], u[1]..., and a tuple in the methods. `port="state"`: a part of the port `state`, which one wire connects whole."""

    role = "input"

    def __init__(self, unit: str = "1", shape: str | int | Sequence[int] = "", doc: str = "", *, optional: bool = False,
                 feedthrough: bool | None = None, repeated: bool = False, port: str = "", kind: str = "", dtype: Any = float) -> None:
        super().__init__(unit, shape, doc, kind, dtype, {"optional": optional, "repeated": repeated})
        self.port = port
        self.feedthrough = feedthrough


class Output(_Slot):
    """What goes onto wires: written by `output`. `count`, the name of a parameter of dtype int, repeats it: y[0], y[1]..., and `output`
    writes a sequence of that length. `port="state"`: a part of the port `state`, which one wire connects whole."""

    role = "output"

    def __init__(self, unit: str = "1", shape: str | int | Sequence[int] = "", doc: str = "", *, count: str | None = None, port: str = "", kind: str = "",
                 dtype: Any = float) -> None:
        super().__init__(unit, shape, doc, kind, dtype, {"repeated": count is not None})
        self.count, self.port = count, port


class Parameter(_Slot):
    """What the diagram sets. Without a default it must be given."""

    role = "parameter"

    def __init__(self, unit: str = "1", shape: str | int | Sequence[int] = "", doc: str = "", *, default: Any = None,
                 minimum: float | None = None, maximum: float | None = None, above: float | None = None,
                 below: float | None = None, live: bool = False, choices: Sequence[str] | None = None, dtype: Any = float) -> None:
        super().__init__(unit, shape, doc, "", dtype, {"live": live, "above": above is not None, "below": below is not None})
        self.range = (minimum, above, maximum, below)
        self.minimum = next((float(x) for x in (above, minimum) if x is not None), self.minimum)
        self.maximum = next((float(x) for x in (below, maximum) if x is not None), self.maximum)
        if choices is not None:
            self.choices = "|".join(choices)
        self.given = default

    def check(self, owner: type) -> None:
        super().check(owner)
        minimum, above, maximum, below = self.range
        if minimum is not None and above is not None or maximum is not None and below is not None:
            raise self.wrong(owner, "it has two limits on one side", "give minimum or above, and maximum or below")
        if self.minimum > self.maximum:
            raise self.wrong(owner, f"its minimum {self.minimum:g} is more than its maximum {self.maximum:g}", "exchange them")
        self.default = None if self.given is None else self._text(owner, self.given)

    def _text(self, owner: type, value: Any) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (int, float)):
            if value != value:
                raise self.wrong(owner, "its default is not a number (NaN)", "give a number")
            return repr(value)
        if isinstance(value, (list, tuple)):
            rows = [" ".join(map(repr, row)) if isinstance(row, (list, tuple)) else repr(row) for row in value]
            nested = any(isinstance(row, (list, tuple)) for row in value)
            return "; ".join(rows) + (";" if nested and len(rows) == 1 else "") if nested else " ".join(rows)
        raise self.wrong(owner, f"its default is {value!r}", 'give a text as in a diagram ("10 ms"), a number or a list')


class State(_Slot):
    """What the block remembers: in checkpoints, replay and time travel. `continuous`: `derivatives` writes NAME_dot.
    `modal`: a mode, held from event to event."""

    role = "state"

    def __init__(self, unit: str = "1", shape: str | int | Sequence[int] = "", doc: str = "", *, initial: float = 0.0,
                 continuous: bool = False, modal: bool = False, kind: str = "", dtype: Any = float) -> None:
        super().__init__(unit, shape, doc, kind, dtype, {"continuous": continuous, "modal": modal})
        self.initial = initial

    def check(self, owner: type) -> None:
        super().check(owner)
        if not isinstance(self.initial, (bool, int, float)):
            raise self.wrong(owner, f"initial is {self.initial!r}", "give one number for all elements, or write it in initialize")
        if "continuous" in self.flags and self.dtype is not float:
            raise self.wrong(owner, f"a continuous state is real, and this is {self.dtype.__name__}", "leave dtype out")
        if {"continuous", "modal"} <= self.flags:
            raise self.wrong(owner, "it is continuous and modal", "a modal state is held from event to event: leave one of the two out")


class Crossing(_Slot):
    """A value whose sign changes the solver locates, such as how far a signal is from a limit. `output` writes it; within
    a step NAME_side is the side of zero that it is on: -1, 1, or 0 before the first step."""

    role = "work"

    def __init__(self, unit: str = "1", shape: str | int | Sequence[int] = "", doc: str = "") -> None:
        super().__init__(unit, shape, doc, "", float, {"crossing": True})


class Fired(dict[str, Any]):
    """The argument `fired` of event: the crossings that have changed their signs, by name. Empty where steps restart."""

    def __init__(self, crossings: Sequence[str], directions: Sequence[tuple[str, int, int]]) -> None:
        super().__init__()
        self._crossings = crossings
        for name, element, direction in directions:
            self.setdefault(name, {})[element] = direction

    def direction(self, name: str, element: int = 0) -> int:
        """1 where the crossing has become positive, -1 negative, 0 where it has not changed."""
        if name not in self._crossings:
            near = difflib.get_close_matches(name, self._crossings, 1, 0.6)
            raise LookupError(f"the block has no crossing {name!r}" + (f": did you mean {near[0]!r}?" if near else ""))
        return int(self.get(name, {}).get(element, 0))


class Block:
    """The base of blocks in Python. Its methods are phases; each may be left out."""

    path: str
    period: float
    seed: int
    simulated: bool

    if TYPE_CHECKING:  # x_dot of a continuous state x, c_side of a crossing c

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...


class Tick:
    """The argument `t` of output, update, derivatives and event, for annotations. It is valid during the call."""

    time: float  #: s since tick 0
    period: float  #: s, the sample time of the block
    index: int  #: how many of them have passed
    minor: bool  #: between two ticks of a solver
    located: bool  #: the solver locates crossings in this step: compute as their sides say

    if TYPE_CHECKING:

        def stop(self, text: str) -> None: ...
        def fail(self, text: str) -> None: ...


class _Spec:
    """What the library reads of a class."""

    def __init__(self, owner: type, doc: str, file: str, line: int) -> None:
        self.owner, self.doc, self.file, self.line = owner, doc, file, line
        self.slots: list[_Slot] = []
        self.phases: set[str] = set()

    def wrong(self, what: str, help: str, function: Any = None) -> BlockError:
        code = getattr(function, "__code__", None)
        line = code.co_firstlineno if code is not None else self.line
        return BlockError(self.file, line, f"{self.owner.__name__}: {what}", help)

    @property
    def facts(self) -> list[tuple[Any, ...]]:
        return [slot.facts() for slot in self.slots]

    def read(self) -> None:
        owner = self.owner
        if not issubclass(owner, Block):
            raise self.wrong("it is not a hilda.Block", f"write class {owner.__name__}(hilda.Block):")
        members: dict[str, Any] = {}
        for base in reversed(owner.__mro__):
            if base not in (object, Block):
                members.update(vars(base))
        if "__init__" in members:
            raise self.wrong("it has __init__, which is not called", "prepare values in configure(self) or initialize(self)", members["__init__"])
        if "__slots__" in members:
            raise self.wrong("it has __slots__", "leave them out")
        self.slots = [member for member in members.values() if isinstance(member, _Slot)]
        for slot in self.slots:
            if slot.name in PHASES or slot.name in GIVEN or slot.name.startswith("_"):
                raise slot.wrong(owner, "the name is taken", "choose another one; names of phases and those with _ are hilda's")
            slot.check(owner)
            self._check_repeated(slot, members)
            if "continuous" in slot.flags and slot.name + "_dot" in members:
                raise slot.wrong(owner, f"{slot.name}_dot is its derivative, and is declared too", "choose another name")
            if slot.role == "work" and slot.name + "_side" in members:
                raise slot.wrong(owner, f"{slot.name}_side is its side of zero, and is declared too", "choose another name")
        self._read_phases(members)
        self._read_feedthrough()

    def _check_repeated(self, slot: _Slot, members: dict[str, Any]) -> None:
        if slot.port and not slot.port.replace(".", "_").isidentifier():
            raise slot.wrong(self.owner, f"its port is {slot.port!r}", "write a name, such as 'state'")
        if slot.port and (slot.port in members or "repeated" in slot.flags):
            raise slot.wrong(self.owner, f"it is a part of the port {slot.port!r}, and " + ("it is repeated" if "repeated" in slot.flags else "that is declared too"),
                             "leave one of the two out")
        if "repeated" in slot.flags and slot.kind:
            raise slot.wrong(self.owner, f"it is repeated, and a {slot.kind}", "give it a shape instead of a kind, such as 6")
        counted = members.get(slot.count) if slot.count is not None else None
        if slot.count is not None and not (isinstance(counted, Parameter) and counted.dtype is int and not counted.shape):
            raise slot.wrong(self.owner, f"its count {slot.count!r} is not a parameter with a whole number", f"declare {slot.count} = hilda.Parameter(dtype=int)")

    def _read_phases(self, members: dict[str, Any]) -> None:
        for name, member in members.items():
            if isinstance(member, (staticmethod, classmethod)) and name in PHASES:
                raise self.wrong(f"{name} is a {type(member).__name__}", f"write def {name}({ARGUMENTS[PHASES[name]]}):", member.__func__)
            if not isinstance(member, types.FunctionType) or name.startswith("_"):
                continue
            if name in PHASES:
                self._check_signature(name, member)
                self.phases.add(name)
                continue
            near = difflib.get_close_matches(name, PHASES, 1, 0.8)
            if near:
                raise self.wrong(f"{name} is not a phase, and is never called", f"did you mean {near[0]}? A name that differs more, or that begins with _, is a method of yours", member)
        continuous = [slot for slot in self.slots if "continuous" in slot.flags]
        outputs = [slot for slot in self.slots if slot.role == "output"]
        if continuous and "derivatives" not in self.phases:
            raise continuous[0].wrong(self.owner, "it is continuous, and the class has no derivatives", f"write def derivatives(self, t): self.{continuous[0].name}_dot = ...")
        if not continuous and "derivatives" in self.phases:
            raise self.wrong("it has derivatives, and no continuous state", "declare x = hilda.State(continuous=True)", members["derivatives"])
        if outputs and "output" not in self.phases:
            raise outputs[0].wrong(self.owner, "no output(self, t) writes it", f"write def output(self, t): self.{outputs[0].name} = ...")
        self._check_events(members)

    def _check_events(self, members: dict[str, Any]) -> None:
        crossings = [slot for slot in self.slots if slot.role == "work"]
        states = [slot for slot in self.slots if slot.role == "state"]
        modal = [slot for slot in states if "modal" in slot.flags]
        held = [slot for slot in states if not slot.flags & {"modal", "continuous"}]
        if "event" in self.phases and not crossings:
            raise self.wrong("it has event, and no crossing", "declare distance = hilda.Crossing(unit), and write it in output", members["event"])
        if crossings and "output" not in self.phases:
            raise crossings[0].wrong(self.owner, "no output(self, t) writes it", f"write def output(self, t): self.{crossings[0].name} = ...")
        if modal and "event" not in self.phases:
            raise modal[0].wrong(self.owner, "it is modal, and the class has no event", f"write def event(self, t, fired): self.{modal[0].name} = ...")
        if crossings and held:
            raise crossings[0].wrong(self.owner, f"the state {held[0].name} changes at ticks alone, so that the block is not computed between ticks and the crossing is never located",
                                     f"declare {held[0].name} = hilda.State(modal=True), or continuous=True")

    def _check_signature(self, name: str, function: types.FunctionType) -> None:
        code = function.__code__
        if code.co_flags & 0x2A0:
            raise self.wrong(f"{name} is a generator or async", "a phase computes and returns", function)
        least = code.co_argcount - len(function.__defaults__ or ())
        if not least <= PHASES[name] <= code.co_argcount and not code.co_flags & 0x04:
            raise self.wrong(f"{name} takes {code.co_argcount} argument{'s' * (code.co_argcount != 1)}", f"write def {name}({ARGUMENTS[PHASES[name]]}):", function)

    def _read_feedthrough(self) -> None:
        inputs = [slot for slot in self.slots if isinstance(slot, Input)]
        read = _names_read(self.owner, "output")
        for slot in inputs:
            through = slot.feedthrough
            if through is False and slot.name in read:
                raise slot.wrong(self.owner, "it is declared without feedthrough, and output reads it", "leave feedthrough=False out, or read it in update alone")
            if through is None:
                through = slot.name in read or None in read
            if not through:
                slot.flags.add("in_update")
        if all("in_update" in slot.flags for slot in inputs):
            for each in self.slots:
                if each.role == "output":
                    each.flags.add("state_output")


def _names_read(owner: type, phase: str) -> set[str | None]:
    """Names that a phase may read of self, through methods of the class too. None: any, as far as can be seen."""
    found: set[str | None] = set()
    todo = [phase]
    while todo:
        member = getattr(owner, todo.pop(), None)
        if isinstance(member, property):
            member = member.fget
        codes = [member.__code__] if isinstance(member, types.FunctionType) else []
        while codes:
            code = codes.pop()
            codes += [each for each in code.co_consts if isinstance(each, types.CodeType)]
            for name in code.co_names:
                if name in ("getattr", "vars", "super"):
                    found.add(None)
                if name not in found:
                    found.add(name)
                    todo.append(name)
    return found


_Class = TypeVar("_Class", bound=type)


@overload
def block(owner: _Class, /) -> _Class: ...
@overload
def block(*, doc: str = "") -> Callable[[_Class], _Class]: ...
def block(owner: Any = None, /, *, doc: str = "") -> Any:
    """Makes a class a block: its name is the block's, and "python/NAME" its type in a diagram."""
    caller = sys._getframe(1)

    def read(decorated: Any) -> Any:
        file, line = caller.f_code.co_filename, caller.f_lineno
        if not isinstance(decorated, type):
            raise BlockError(file, line, "@hilda.block is not before a class", "write class NAME(hilda.Block): after it")
        spec = _Spec(decorated, doc or (vars(decorated).get("__doc__") or "").strip(), file, line)
        spec.read()
        decorated.__hilda_block__ = spec  # type: ignore[attr-defined]
        return decorated

    return read if owner is None else read(owner)


# What the library calls.


def _spec_of(owner: Any) -> _Spec:
    spec = vars(owner).get("__hilda_block__") if isinstance(owner, type) else None
    if not isinstance(spec, _Spec):
        name = getattr(owner, "__name__", repr(owner))
        raise BlockError("blocks=", 0, f"{name} is not a block", "put @hilda.block(doc=...) before its class")
    return spec


def _run(file: str) -> list[type]:
    """The blocks that a file declares."""
    import os

    stem = os.path.splitext(os.path.basename(file))[0]
    name, n = stem, 1
    while name in sys.modules:
        n += 1
        name = f"{stem}_{n}"
    module = types.ModuleType(name)
    module.__file__ = file
    folder = os.path.dirname(os.path.abspath(file))
    with open(file, encoding="utf-8") as source:
        code = compile(source.read(), file, "exec")
    sys.modules[name] = module
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        exec(code, vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    found = [each for each in vars(module).values() if isinstance(each, type) and "__hilda_block__" in vars(each) and each.__module__ == name]
    return list(dict.fromkeys(found))


def _where(error: BaseException, file: str) -> tuple[str, int]:
    """The last place of a traceback that is in this file; else the last one that belongs to no other file."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 0
    place, entry = (file, 0), error.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename == file:
            place = (file, entry.tb_lineno)
        entry = entry.tb_next
    return place


def _told(error: BaseException, file: str) -> tuple[str, int, str, str]:
    """The error of a file: file, line, what, help."""
    if isinstance(error, BlockError):
        return error.file, error.line, error.what, error.help
    at, line = _where(error, file)
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    what = f"the file cannot be run: {type(error).__name__}: {text}"
    return at, line, what, "correct that line; put code for your own runs under if __name__ == '__main__':"


def _failed(error: BaseException, file: str, phase: str) -> str:
    """Why a phase failed, with its place."""
    at, line = _where(error, file)
    text = str(error)
    return f"{phase} at {at}:{line}: {type(error).__name__}" + (f": {text}" if text else "")


def _summary(given: Any) -> list[tuple[str, str, float, str]]:
    """What `summary` returns, line by line: (what, key, number, text or unit)."""
    lines: list[tuple[str, str, float, str]] = []

    def add(table: Any, rows: bool) -> None:
        if not isinstance(table, dict):
            raise TypeError(f"summary returns a dict of numbers, (number, unit), texts and lists of dicts, and this is a {type(table).__name__}")
        for key, value in table.items():
            number, unit = value if isinstance(value, tuple) and len(value) == 2 else (value, "")
            if isinstance(value, str):
                lines.append(("text", str(key), 0.0, value))
            elif isinstance(value, (list, tuple)) and not unit and rows:
                for row in value:
                    lines.append(("row", str(key), 0.0, ""))
                    add(row, False)
                    lines.append(("end", "", 0.0, ""))
            else:
                try:
                    lines.append(("number", str(key), float(number), unit))
                except (TypeError, ValueError):
                    raise TypeError(f"{key} is {value!r}: summary returns numbers, (number, unit), texts and lists of dicts") from None

    add(given, True)
    return lines


def _fired(crossings: Sequence[str], directions: Sequence[tuple[str, int, int]]) -> Fired:
    return Fired(crossings, directions)


_TYPES = {"real": "float64", "integer": "int64", "unsigned integer": "uint64", "boolean": "bool"}


def _view(memory: memoryview, element: str, rows: int, columns: int) -> Any:
    """An array on the engine's memory: columns lie one after the other."""
    import numpy

    flat = numpy.frombuffer(memory, dtype=_TYPES[element])
    return flat if columns == 1 else flat.reshape((columns, rows)).T


def _assign(view: Any, value: Any, name: str) -> None:
    import numpy

    array = numpy.asarray(value)
    if array.shape != view.shape:
        raise ValueError(f"{name} has the shape {view.shape}, and this value has {array.shape}")
    numpy.copyto(view, array, casting="same_kind")
