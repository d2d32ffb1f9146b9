# SPDX-License-Identifier: BSD-3-Clause
"""A simulation in its own process: a plugin that crashes, hangs or exits ends that one and not yours."""

from __future__ import annotations

import copyreg
import difflib
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterator

import numpy as np

from ._engine import Run
from .child import Child
from .errors import CrashError, Error, RunError


def _parts() -> dict[str, Any]:
    """Parts of named shapes, as docs/conventions.md orders them."""
    parts: dict[str, Any] = {}
    for names in (("force", "torque"), ("linear", "angular"), ("position", "orientation")):
        for first, name in zip((0, 3), names):
            axes = "wxyz" if name == "orientation" else "xyz"
            parts["." + name] = slice(first, first + len(axes))
            parts.update({f".{name}.{axis}": first + i for i, axis in enumerate(axes)})
    parts.update({"." + axis: i for i, axis in enumerate("xyz")})
    return parts


_PARTS = _parts()


class IsolatedRun:
    """What was recorded of a run in another process: as hilda.Run, with every array copied here."""

    def __init__(self, run: Any) -> None:
        self.time, self.end, self.signals = run.time, run.end, run.signals
        self.reason, self.text = run.reason, run.text
        self._arrays = {name: run[name] for name in self.signals}
        self._units = {name + part: run.unit(name + part) for name in self.signals for part in ("", *_PARTS)
                       if name + part in run}
        self._parts = {name: {part: place for part, place in _PARTS.items() if name + part in run} for name in self.signals}
        self._samples = len(run)

    def _find(self, name: str) -> Any:
        """The array of a signal or of a part of one."""
        whole = max((each for each in self.signals if name == each or name.startswith((each + ".", each + "["))),
                    key=len, default=None)
        if whole is None:
            near = difflib.get_close_matches(name, self.signals, 1)
            raise KeyError(f"there is no signal '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
        array, rest = self._arrays[whole], name[len(whole):]
        if not rest:
            return array
        place = self._parts[whole].get(rest)
        if place is None and rest.startswith("["):
            indices = [int(each) for each in rest.strip("[]").replace("][", ",").split(",") if each.isdigit()]
            if len(indices) == array.ndim - 1 and all(i < n for i, n in zip(indices, array.shape[1:])):
                place = tuple(indices)
        if place is None:
            raise KeyError(f"'{whole}' has no part '{rest}'")
        return array[(slice(None), *place)] if isinstance(place, tuple) else array[:, place]

    def __getitem__(self, name: str) -> Any:
        return self._find(name)

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self._find(name) is not None
        except KeyError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.signals)

    def __len__(self) -> int:
        return self._samples

    def unit(self, signal: str) -> str:
        self._find(signal)
        return self._units.get(signal, "")


def _copied(members: dict[str, Any]) -> IsolatedRun:
    run = IsolatedRun.__new__(IsolatedRun)
    run.__dict__.update(members)
    return run


# The memory of one process is copied for another one: of a pool, or of a file.
copyreg.pickle(Run, lambda run: (_copied, (vars(IsolatedRun(run)),)))  # type: ignore[arg-type,return-value]


class IsolatedInput:
    """hilda.Input of an isolated simulation."""

    def __init__(self, simulation: IsolatedSimulation, path: str) -> None:
        self._simulation, self._made = simulation, simulation._child
        self.path = path
        self.unit, self.shape = simulation._ask("input", path)

    def write(self, value: Any) -> None:
        if self._made is not self._simulation._child:
            raise Error(f"input '{self.path}' belongs to a process that is gone: ask the present one for its input")
        self._simulation._ask("write", self.path, value)


class IsolatedOutput:
    """hilda.Output of an isolated simulation."""

    def __init__(self, simulation: IsolatedSimulation, path: str) -> None:
        self._simulation, self._made = simulation, simulation._child
        self.path = path
        self.unit = simulation._ask("output", path)

    def read(self) -> Any:
        if self._made is not self._simulation._child:
            raise Error(f"output '{self.path}' belongs to a process that is gone: ask the present one for its output")
        return self._simulation._ask("read", self.path)


class IsolatedStepper:
    """Steps of environments whose simulations have their own processes: several at a time, by threads that wait for them."""

    def __init__(self, simulations: list[Any], actions: list[str], observations: list[str], figures: list[str], threads: int) -> None:
        self._simulations, self._names = simulations, (actions, observations, figures)
        self._handles: list[tuple[int, Any]] = [(-1, None)] * len(simulations)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def _of(self, place: int) -> Any:
        """Inputs, outputs and figures of a simulation in the process and the diagram that it has now."""
        simulation, (loads, handles) = self._simulations[place], self._handles[place]
        if loads != simulation._loads:
            actions, observations, figures = self._names
            handles = ([simulation.input(name) for name in actions], [simulation.output(name) for name in observations],
                       [simulation.output(name) for name in figures])
            self._handles[place] = (simulation._loads, handles)
        return handles

    def sizes(self) -> tuple[int, int, int]:
        inputs, _, figures = self._of(0)
        return sum(int(np.prod(each.shape)) for each in inputs), self.look().shape[1], len(figures)

    def _seen(self, place: int) -> Any:
        return np.concatenate([np.ravel(each.read()) for each in self._of(place)[1]]).astype(float)

    def look(self) -> Any:
        return np.stack([self._seen(place) for place in range(len(self._simulations))])

    def step(self, action: Any, ticks: int, place: int = 0) -> tuple[Any, ...]:
        inputs, _, figures = self._of(place)
        row, at = np.ravel(np.asarray(action, dtype=float)), 0
        sizes = [int(np.prod(each.shape)) for each in inputs]
        if row.size != sum(sizes):
            raise ValueError(f"the action has {row.size} numbers; {', '.join(self._names[0])} take {sum(sizes)}")
        simulation = self._simulations[place]
        values = {}
        for each, size in zip(inputs, sizes):
            values[each.path] = float(row[at]) if each.shape == () else row[at:at + size].reshape(each.shape)
            at += size
        simulation.write(values)
        goes_on = simulation.step(ticks)
        return self._seen(place), row, tuple(float(np.ravel(each.read())[0]) for each in figures), goes_on, simulation.time

    def step_each(self, actions: Any, ticks: int) -> tuple[Any, ...]:
        places = range(len(self._simulations))
        each: Callable[[int], tuple[Any, ...]] = lambda place: self.step(actions[place], ticks, place)  # noqa: E731
        made = list(self._pool.map(each, places) if self._pool else map(each, places))
        seen, _, figures, goes_on, times = zip(*made)
        return np.stack(seen), np.array(figures).reshape(len(made), -1), np.array(goes_on), np.array(times)


class IsolatedSimulation:
    """hilda.Simulation(..., isolate=True): the same members, each call of which is answered by the other process.

    CrashError says which block ended that process; reset() and set() then begin again in a new one.
    """

    def __init__(self, *arguments: Any, call_limit: float | None = None, **named: Any) -> None:
        self._made = (arguments, named)
        self._limit = call_limit
        self.last_run: Any = None
        self._child: Child | None = None
        self._loads = 0  #: how often the diagram may have been loaded, after which handles are others
        self._begin()

    def _begin(self) -> None:
        self.close()
        self._loads += 1
        self._child = Child()
        try:
            self._child.ask(("wake",), None, lambda: None)  # how long Python takes to begin does not depend on plugins
            self._ask("make", *self._made)
        except BaseException:
            child, self._child = self._child, None
            if child is not None:
                child.dismiss(at_once=True)
            raise

    def _ask(self, what: str, *arguments: Any, then: Callable[[], None] = lambda: None) -> Any:
        if self._child is None:
            raise Error("the process of this simulation is gone: reset() begins again in a new one")
        if self._child.busy:
            raise Error("this simulation is running in another thread")
        question = self._child.ask((what, *arguments), self._limit, then)
        if question is None or question.lost:
            raise self._crash(hangs=question is None)
        if question.sound:
            return question.answer
        raised: Any = question.answer
        raise raised

    def _crash(self, hangs: bool) -> CrashError:
        child, self._child = self._child, None
        assert child is not None  # it was asked
        code, note = child.end(signal.SIGABRT if hangs else None)  # whose handler says where it is
        plugin, block, kind, phase = (note.split("\t") + [""] * 4)[:4]
        how = f"did not come back within {self._limit:g} s" if hangs else \
            f"crashed: {signal.strsignal(-code)}" if code < 0 else f"ended its process with exit code {code}"
        who = f"block {block} ({kind}), in {phase}," if block else f"the plugin {plugin}, in {phase}," if plugin else \
            "the process of the simulation"
        return CrashError(f"{who} {how}", plugin, block, phase)

    def close(self) -> None:
        """Ends the other process."""
        child, self._child = self._child, None
        if child is not None:
            child.dismiss()

    def __reduce__(self) -> Any:
        raise TypeError("an isolated simulation cannot be copied or pickled: take its checkpoint()")

    def __enter__(self) -> IsolatedSimulation:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_child", None) is not None:
            self.close()

    def _settings(self, more: dict[str, Any]) -> None:
        """What a new process starts with; only once it has been taken."""
        arguments, named = self._made
        self._made = (arguments, {**named, "settings": {**named.get("settings", {}), **more}})

    def set(self, path: str, value: Any, *, live: bool = False) -> list[str]:
        return self.set_many({path: value}, live=live)

    def set_many(self, settings: dict[str, Any], *, live: bool = False) -> list[str]:
        self._loads += 1
        if live:
            fresh: list[str] = self._ask("call", "set_many", (settings,), {"live": True})
            return fresh
        if self._child is None:
            before = self._made
            self._settings(settings)
            try:
                self._begin()
            except BaseException:
                self._made = before
                raise
            return []
        self._ask("call", "set_many", (settings,), {}, then=lambda: self._settings(settings))
        return []

    def get(self, path: str) -> Any:
        return self._ask("call", "get", (path,), {})

    def back(self, ticks: int = 1) -> None:
        self._ask("call", "back", (ticks,), {})

    def reload(self) -> list[str]:
        self._loads += 1
        fresh: list[str] = self._ask("call", "reload", (), {})
        return fresh

    def reset(self) -> None:
        self._loads += 1
        if self._child is None:
            self._begin()
        else:
            self._ask("call", "reset", (), {})

    def run(self, duration: float | None = None, **named: Any) -> IsolatedRun:
        if named.pop("call", None) is not None or named.pop("every", None) is not None:
            raise TypeError("call= is a function of this process, and isolate=True runs another one: leave out isolate, or call run() for "
                            "one piece after another")
        self.last_run = None
        try:
            made: IsolatedRun = self._ask("call", "run", (duration,), named)
        except RunError as error:
            self.last_run = error.run
            raise
        self.last_run = made
        return made

    def step(self, ticks: int = 1) -> bool:
        goes_on: bool = self._ask("call", "step", (ticks,), {})
        return goes_on

    def input(self, path: str) -> IsolatedInput:
        return IsolatedInput(self, path)

    def output(self, path: str) -> IsolatedOutput:
        return IsolatedOutput(self, path)

    def write(self, values: dict[Any, Any]) -> None:
        by_path = {key.path if isinstance(key, IsolatedInput) else key: value for key, value in values.items()}
        self._ask("call", "write", (by_path,), {})

    def begin_log(self, file: Any) -> None:
        self._ask("call", "begin_log", (file,), {})

    def end_log(self) -> None:
        self._ask("call", "end_log", (), {})

    def checkpoint(self) -> Any:
        return self._ask("call", "checkpoint", (), {})

    def restore(self, checkpoint: Any) -> None:
        self._ask("call", "restore", (checkpoint,), {})

    def unit(self, signal: str) -> str:
        unit: str = self._ask("call", "unit", (signal,), {})
        return unit

    def __getitem__(self, signal: str) -> Any:
        return self._ask("call", "__getitem__", (signal,), {})

    def __contains__(self, signal: object) -> bool:
        there: bool = self._ask("call", "__contains__", (signal,), {})
        return there

    def __iter__(self) -> Iterator[str]:
        return iter(self.signals)

    def __getattr__(self, name: str) -> Any:
        if name in {"parameters", "limits", "quality", "summary", "signals", "aliases", "time", "tick", "period", "mode", "diagram",
                    "warnings", "remarks"}:
            return self._ask("get", name)
        raise AttributeError(f"a simulation has no member '{name}'")
