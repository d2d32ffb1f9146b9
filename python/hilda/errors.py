# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong with a diagram and with its run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._engine import Diagnostic, Run
    from .isolated import IsolatedRun


class Error(RuntimeError):
    """Anything that hilda refuses to do; the text says why."""


class DiagramError(Error):
    """A diagram, an overlay, a setting or a plugin is wrong. Nothing stops at the first mistake: all are here."""

    #: Every error and warning, by file and line.
    diagnostics: list[Diagnostic]

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(str(each).rstrip("\n") for each in diagnostics))
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[Any, ...]:
        return DiagramError, (self.diagnostics,)


class RunError(Error):
    """A run failed: a number that is none, a limit, a block's verdict."""

    #: s, of the tick that failed
    time: float
    #: Path of the block, or "".
    block: str
    #: Path of the signal at fault, or "".
    signal: str
    #: What was recorded up to the failed tick, with it; None where nothing was.
    run: Run | IsolatedRun | None

    def __init__(self, text: str, time: float, block: str, signal: str, run: Run | IsolatedRun | None) -> None:
        super().__init__(text)
        self.time, self.block, self.signal, self.run = time, block, signal, run

    def __reduce__(self) -> tuple[Any, ...]:
        return RunError, (str(self), self.time, self.block, self.signal, self.run)


def _of_call(error: BaseException, at: str, time: float, tick: int, run: Any) -> RunError:
    """A function that run() calls has raised this: its place is the last one in the file of that function."""
    from .block import _failed  # imports this module

    trace = error.__traceback__
    place = _failed(error, trace.tb_frame.f_code.co_filename, "the function that run() calls fails") if trace else f"{type(error).__name__}: {error}"
    made = RunError(f"the run ended at t = {at} s (tick {tick}): {place}", time, "", "", run)
    made.__cause__ = error
    return made


class CrashError(Error):
    """The process of an isolated simulation crashed, hung or ended, by a block that is named where it is known."""

    #: File of the plugin, or "".
    plugin: str
    #: Path of the block, or "".
    block: str
    #: What it was doing: "configure", "output", or "".
    phase: str

    def __init__(self, text: str, plugin: str = "", block: str = "", phase: str = "") -> None:
        super().__init__(text)
        self.plugin, self.block, self.phase = plugin, block, phase
