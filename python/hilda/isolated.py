"""A simulation in a process of its own: a plugin that crashes, hangs or exits ends that one and not yours."""

from __future__ import annotations

import difflib
import os
import pickle
import signal
import struct
import subprocess
import sys
from typing import Any, Iterator

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
        self.time, self.signals, self.reason, self.text = run.time, run.signals, run.reason, run.text
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


def _send(stream: Any, message: Any) -> None:
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(struct.pack("<Q", len(data)) + data)
    stream.flush()


def _receive(stream: Any) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    data = stream.read(struct.unpack("<Q", head)[0])
    return pickle.loads(data)  # of our own child


class IsolatedSimulation:
    """hilda.Simulation(..., isolate=True): the same members, each call of which is answered by the other process.

    CrashError says which block ended that process; reset() and set() then begin again in a new one.
    """

    def __init__(self, *arguments: Any, call_limit: float | None = None, **named: Any) -> None:
        self._made = (arguments, named)
        self._limit = call_limit
        self._process: subprocess.Popen[bytes] | None = None
        self._begin()

    def _begin(self) -> None:
        self.close()
        note_read, note_write = os.pipe()
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH", "")]))
        self._process = subprocess.Popen(
            [sys.executable, "-c", "import sys, hilda.isolated; hilda.isolated.serve(int(sys.argv[1]))", str(note_write)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[note_write],
            env={**os.environ, "PYTHONPATH": path})
        os.close(note_write)
        self._note = os.fdopen(note_read, "rb")
        try:
            self._ask("make", *self._made)
        except BaseException:
            self.close()
            raise

    def _ask(self, what: str, *arguments: Any) -> Any:
        if self._process is None:
            raise Error("the process of this simulation is gone: reset() begins again in a new one")
        try:
            _send(self._process.stdin, (what, *arguments))
            if self._limit is not None:
                self._wait_for_answer()
            sound, answer = _receive(self._process.stdout)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise self._crash("") from None
        if sound:
            return answer
        raise answer

    def _wait_for_answer(self) -> None:
        import select
        assert self._process is not None
        if select.select([self._process.stdout], [], [], self._limit)[0]:
            return
        self._process.send_signal(signal.SIGABRT)  # its handler says where it stands
        raise self._crash(f"did not come back within {self._limit:g} s")

    def _crash(self, how: str) -> CrashError:
        assert self._process is not None
        for stream in (self._process.stdin, self._process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        code = self._process.wait()
        self._process = None
        plugin, block, kind, phase = (self._note.read().decode(errors="replace").split("\t") + [""] * 4)[:4]
        self._note.close()
        if not how:
            how = f"crashed: {signal.strsignal(-code)}" if code < 0 else f"ended its process with exit code {code}"
        who = f"block {block} ({kind}), in {phase}," if block else f"the plugin {plugin}, in {phase}," if plugin else \
            "the process of the simulation"
        return CrashError(f"{who} {how}", plugin, block, phase)

    def close(self) -> None:
        """Ends the other process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.stdin.close()
        process.stdout.close()
        self._note.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __enter__(self) -> IsolatedSimulation:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()

    def _settings(self, more: dict[str, Any]) -> None:
        """What a new process starts with; only once it has been taken."""
        arguments, named = self._made
        self._made = (arguments, {**named, "settings": {**named.get("settings", {}), **more}})

    def set(self, path: str, value: Any, *, live: bool = False) -> list[str]:
        return self.set_many({path: value}, live=live)

    def set_many(self, settings: dict[str, Any], *, live: bool = False) -> list[str]:
        if live:
            return self._ask("call", "set_many", (settings,), {"live": True})
        if self._process is None:
            before = self._made
            self._settings(settings)
            try:
                self._begin()
            except BaseException:
                self._made = before
                raise
            return []
        self._ask("call", "set_many", (settings,), {})
        self._settings(settings)
        return []

    def get(self, path: str) -> Any:
        return self._ask("call", "get", (path,), {})

    def back(self, ticks: int = 1) -> None:
        self._ask("call", "back", (ticks,), {})

    def reload(self) -> list[str]:
        return self._ask("call", "reload", (), {})

    def reset(self) -> None:
        if self._process is None:
            return self._begin()
        return self._ask("call", "reset", (), {})

    def run(self, duration: float | None = None, **named: Any) -> IsolatedRun:
        return self._ask("call", "run", (duration,), named)

    def step(self, ticks: int = 1) -> bool:
        return self._ask("call", "step", (ticks,), {})

    def checkpoint(self) -> Any:
        return self._ask("call", "checkpoint", (), {})

    def restore(self, checkpoint: Any) -> None:
        self._ask("call", "restore", (checkpoint,), {})

    def unit(self, signal: str) -> str:
        return self._ask("call", "unit", (signal,), {})

    def __getitem__(self, signal: str) -> Any:
        return self._ask("call", "__getitem__", (signal,), {})

    def __contains__(self, signal: object) -> bool:
        return self._ask("call", "__contains__", (signal,), {})

    def __iter__(self) -> Iterator[str]:
        return iter(self.signals)

    def __getattr__(self, name: str) -> Any:
        if name in {"parameters", "limits", "quality", "summary", "signals", "aliases", "time", "tick", "period", "mode", "diagram",
                    "warnings", "remarks"}:
            return self._ask("get", name)
        raise AttributeError(f"a simulation has no member '{name}'")


def serve(note: int) -> None:
    """The other process: answers until its input ends."""
    from . import _engine

    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a plugin prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who asks
    _engine._note_crashes(note)
    simulation: Any = None
    while True:
        try:
            what, *rest = _receive(questions)
        except EOFError:
            return
        try:
            if what == "make":
                simulation = _engine.Simulation(*rest[0], **rest[1])
                answer: Any = None
            elif what == "get":
                answer = getattr(simulation, rest[0])
            else:
                name, arguments, named = rest
                answer = getattr(simulation, name)(*arguments, **named)
            if isinstance(answer, _engine.Run):
                answer = IsolatedRun(answer)
            message = (True, answer)
        except BaseException as error:  # all of them are for the one who asks
            if isinstance(error, RunError) and error.run is not None:
                error.run = IsolatedRun(error.run)
            error.__traceback__ = error.__context__ = error.__cause__ = None
            message = (False, error)
        _send(answers, message)
