# SPDX-License-Identifier: BSD-3-Clause
"""Block diagrams in closed loop, in simulation: load, run, look.

    import hilda
    simulation = hilda.Simulation(hilda.library_file("dac.xml"), settings={"response_delay": "12 ms"})
    run = simulation.run()
    run.time, run["rig.wrench.force.x"]         # NumPy arrays
    simulation.summary["contacts"][0]["cov"]
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .unavailable import explained

try:
    import numpy as _numpy

    from . import _engine
except ImportError as failed:
    raise explained(failed) from None

from . import shown, sweep
from ._engine import (BlockType, Checkpoint, Diagnostic, Diagram, LinearModel, Log, Run, Slot,
                      __version__, blocks, describe, edit, library_file, linearize)
from ._engine import Input as InputHandle
from ._engine import Output as OutputHandle
from .block import Block, BlockError, Crossing, Fired, Input, Output, Parameter, State, Tick, block
from .environment import Env, VectorEnv
from .errors import CrashError, DiagramError, Error, RunError
from .exchange import state_space
from .isolated import IsolatedRun, IsolatedSimulation
from .sensitivity import Sensitivity, sensitivity
from .sweep import Study

shown.install()

if TYPE_CHECKING:
    from ._engine import _Path, _Value


class Simulation(_engine.Simulation):
    __doc__ = _engine.Simulation.__doc__

    def __new__(cls, *arguments: Any, isolate: bool = False, call_limit: float | None = None, **named: Any) -> Simulation:
        if isolate:
            if named.pop("blocks", ()):
                raise TypeError("blocks= are classes of this process, and isolate=True runs another one: put their file next to the diagram, or its folder into plugins=")
            if arguments and isinstance(arguments[0], Diagram):
                named["text"], arguments = arguments[0].text, (arguments[0].file, *arguments[1:])
            return IsolatedSimulation(*arguments, call_limit=call_limit, **named)  # type: ignore[return-value]
        if call_limit is not None:
            raise TypeError("call_limit goes with isolate=True: only another process can be ended")
        return super().__new__(cls)

    def __init__(
        self,
        diagram: _Path | Diagram,
        *,
        mode: str = "",
        rig: _Path | None = None,
        settings: dict[str, _Value] | None = None,
        overlays: Sequence[_Path] = (),
        plugins: Sequence[_Path] = (),
        solver: str = "",
        blocks: Sequence[type[Block]] = (),
        isolate: bool = False,
        call_limit: float | None = None,
    ) -> None:
        named = {"mode": mode, "rig": rig, "settings": settings or {}, "overlays": overlays, "plugins": plugins, "solver": solver,
                 "blocks": list(blocks)}
        if isinstance(diagram, Diagram):
            super().__init__(diagram.file, text=diagram.text, **named)  # type: ignore[arg-type]
        else:
            super().__init__(diagram, **named)  # type: ignore[arg-type]

    #: What `run` has recorded last, which `plot` draws; None before.
    last_run: Run | IsolatedRun | None = None

    def run(self, duration: float | None = None, *, record: str | Sequence[str] | None = None, log: _Path | None = None,
            every: float | str | None = None, call: Callable[[Run], object] | None = None) -> Run:
        self.last_run = None
        try:
            made = super().run(duration, record=record, log=log, every=every, call=call)
        except RunError as error:
            self.last_run = error.run
            raise
        self.last_run = made
        return made

    run.__doc__ = _engine.Simulation.run.__doc__

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.end_log()

    async def run_async(self, duration: float | None = None, **named: Any) -> Run:
        """run, while other tasks of an asyncio loop continue: the engine runs in a thread, and so does the function `call`, which
        gives to the loop by its call_soon_threadsafe. A cancelled task waits for it."""
        return await asyncio.shield(asyncio.to_thread(self.run, duration, **named))


__all__ = [
    "Block",
    "BlockError",
    "BlockType",
    "Checkpoint",
    "CrashError",
    "Crossing",
    "Diagnostic",
    "Diagram",
    "DiagramError",
    "Env",
    "Error",
    "Fired",
    "Input",
    "InputHandle",
    "IsolatedRun",
    "IsolatedSimulation",
    "LinearModel",
    "Log",
    "Output",
    "OutputHandle",
    "Parameter",
    "Run",
    "RunError",
    "Sensitivity",
    "Simulation",
    "Slot",
    "State",
    "Study",
    "Tick",
    "VectorEnv",
    "block",
    "blocks",
    "describe",
    "edit",
    "library_file",
    "linearize",
    "sensitivity",
    "state_space",
    "sweep",
]
