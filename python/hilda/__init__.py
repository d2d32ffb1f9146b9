"""Block diagrams in closed loop, in simulation: load, run, look.

    import hilda
    simulation = hilda.Simulation(hilda.library_file("dac.xml"), settings={"response_delay": "12 ms"})
    run = simulation.run()
    run.time, run["rig.wrench.force.x"]         # NumPy arrays
    simulation.summary["contacts"][0]["cov"]
"""

from . import _engine, sweep
from ._engine import (BlockType, Checkpoint, Diagnostic, Diagram, Input, LinearModel, Log, Output, Run, Slot,
                      __version__, blocks, describe, edit, library_file, linearize)
from .errors import CrashError, DiagramError, Error, RunError
from .isolated import IsolatedRun, IsolatedSimulation
from .sweep import Study


class Simulation(_engine.Simulation):
    __doc__ = _engine.Simulation.__doc__

    def __new__(cls, *arguments, isolate=False, call_limit=None, **named):
        if isolate:
            return IsolatedSimulation(*arguments, call_limit=call_limit, **named)
        if call_limit is not None:
            raise TypeError("call_limit goes with isolate=True: only another process can be ended")
        return super().__new__(cls)

    def __init__(self, *arguments, isolate=False, call_limit=None, **named):
        super().__init__(*arguments, **named)


__all__ = [
    "BlockType",
    "Checkpoint",
    "CrashError",
    "Diagnostic",
    "Diagram",
    "DiagramError",
    "Error",
    "Input",
    "IsolatedRun",
    "IsolatedSimulation",
    "LinearModel",
    "Log",
    "Output",
    "Run",
    "RunError",
    "Simulation",
    "Slot",
    "Study",
    "blocks",
    "describe",
    "edit",
    "library_file",
    "linearize",
    "sweep",
]
