# SPDX-License-Identifier: BSD-3-Clause
"""The process of an isolated simulation, from within: answers questions until there are none any more."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import Any

from . import _engine
from .child import packed, receive, send, unpacked
from .errors import RunError
from .isolated import IsolatedRun

_NUMBER = len(packed(0))


class _Stops:
    """Which runs are to end: their numbers come in a pipe, and SIGINT says that there is one. SIGINT alone, of a
    terminal, is for the one who asks."""

    def __init__(self, numbers: int) -> None:
        os.set_blocking(numbers, False)
        self._numbers, self._last = numbers, 0
        self.running = 0  #: number of the run that may be ended now, or 0
        signal.signal(signal.SIGINT, self._look)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    def _look(self, *_: Any) -> None:
        try:
            said = os.read(self._numbers, 1024 * _NUMBER)
        except BlockingIOError:
            return
        if said:
            self._last = unpacked(said[-_NUMBER:])
        self.check()

    def check(self) -> None:
        if 0 < self.running <= self._last:
            self.running = 0  # once
            raise KeyboardInterrupt


class _Answers:
    def __init__(self, stops: _Stops) -> None:
        self._stops = stops
        self._simulation: Any = None
        self._handles: dict[tuple[str, str], Any] = {}

    def _found(self, number: int, what: str, *rest: Any) -> Any:
        if what == "wake":
            return None
        if what == "make":
            self._simulation = _engine.Simulation(*rest[0], **rest[1])
            return None
        if what == "get":
            return getattr(self._simulation, rest[0])
        if what in ("input", "output", "write", "read"):
            return self._outside(what, *rest)
        name, arguments, named = rest
        method = getattr(self._simulation, name)
        try:
            self._stops.running = number if name in ("run", "step") else 0
            self._stops.check()
            return method(*arguments, **named)
        finally:
            self._stops.running = 0

    def _outside(self, what: str, path: str, *value: Any) -> Any:
        """Handles live here: of the last diagram that was loaded, as they are asked for."""
        if what == "input":
            made = self._handles[what, path] = self._simulation.input(path)
            return made.unit, made.shape
        if what == "output":
            made = self._handles[what, path] = self._simulation.output(path)
            return made.unit
        if what == "write":
            return self._handles["input", path].write(*value)
        return self._handles["output", path].read()

    def to(self, number: int, what: str, *rest: Any) -> tuple[bool, Any]:
        try:
            answer = self._found(number, what, *rest)
            return True, IsolatedRun(answer) if isinstance(answer, _engine.Run) else answer
        except BaseException as error:  # all of them are for the one who asks
            if isinstance(error, RunError) and error.run is not None:
                error.run = IsolatedRun(error.run)
            error.__traceback__ = error.__context__ = error.__cause__ = None
            return False, error


def serve(note: int, stop: int) -> None:
    """Until the input ends.

    note: where a crash says what ran. stop: where the numbers of runs that are to end come from."""
    questions = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a plugin prints is not an answer
    _engine._note_crashes(note)
    answer = _Answers(_Stops(stop))
    while True:
        try:
            number, *what = receive(questions)
        except EOFError:
            return
        send(answers, pickle.dumps((number, *answer.to(number, *what)), protocol=pickle.HIGHEST_PROTOCOL))
