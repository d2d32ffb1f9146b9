"""Block diagrams in closed loop, in simulation: load, run, look.

    import hilda
    simulation = hilda.Simulation(hilda.library_file("dac.xml"), settings={"response_delay": "12 ms"})
    run = simulation.run()
    run.time, run["rig.wrench.force.x"]         # NumPy arrays
    simulation.summary["contacts"][0]["cov"]
"""

from ._engine import Checkpoint, Diagnostic, Log, Run, Simulation, __version__, library_file
from .errors import DiagramError, Error, RunError

__all__ = [
    "Checkpoint",
    "Diagnostic",
    "DiagramError",
    "Error",
    "Log",
    "Run",
    "RunError",
    "Simulation",
    "library_file",
]
