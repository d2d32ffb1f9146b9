import os
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

__version__: str

_Path = str | os.PathLike[str]
_Value = str | float | bool | Sequence[Any] | npt.NDArray[Any]

def library_file(name: str) -> Any:
    """Path of a diagram that came with hilda, such as "pida.xml"; FileNotFoundError where there is none."""

class Diagnostic:
    """Something that is wrong with a diagram: what, where, and what to do. str() is as the program prints it."""

    @property
    def severity(self) -> str:
        """"error" or "warning"."""
    @property
    def code(self) -> str:
        """In kebab-case: "unit-mismatch"."""
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def what(self) -> str: ...
    @property
    def help(self) -> str: ...

class Checkpoint:
    """A simulation's whole state; it can be pickled."""

    @property
    def tick(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class Run:
    """What was recorded of a run, in memory, with a sample for each tick; slower signals hold.

    run["rig.wrench"] has the shape (samples,) for a number, (samples, n) for a vector, a wrench or a pose, (samples,
    rows, columns) for a matrix. Parts are named as in diagrams: "rig.wrench.force.x", "arm.q[2]".
    """

    @property
    def time(self) -> npt.NDArray[np.float64]:
        """s, of each sample."""
    @property
    def signals(self) -> list[str]: ...
    @property
    def reason(self) -> str:
        """Why it ended: "duration", "stopped" (by a block), "failed", "interrupted"."""
    @property
    def text(self) -> str:
        """What the block that ended it said."""
    def unit(self, signal: str) -> str:
        """Unit of a signal or of a part of one; "" where it has none or its elements differ in it."""
    def __getitem__(self, signal: str) -> npt.NDArray[Any]: ...
    def __len__(self) -> int: ...

class Simulation:
    """A diagram, loaded and ready to run in simulation, from t = 0.

    DiagramError has every mistake that was found; Error says where a diagram touches devices, which Python does not.
    Units of results are SI.
    """

    def __init__(
        self,
        diagram: _Path,
        *,
        mode: str = "",
        rig: _Path | None = None,
        settings: dict[str, _Value] = ...,
        overlays: Sequence[_Path] = ...,
        plugins: Sequence[_Path] = ...,
        solver: str = "rk4",
    ) -> None:
        """
        mode: variant of the diagram; "" chooses as the program does.
        rig: file that takes the place of the subsystem `rig`.
        settings: values by path, {"response_delay": "20 ms", "lead.time_constant": 0.004}; a number is in the unit that
            the parameter declares.
        overlays: files with many such values; settings win over them.
        plugins: folders with plugins, beside the standard ones and those of HILDA_PLUGIN_PATH.
        solver: of continuous blocks, "rk4" or "euler".
        """
    def set(self, path: str, value: _Value) -> None:
        """Sets a parameter and begins again at t = 0. After a DiagramError nothing has changed."""
    def set_many(self, settings: dict[str, _Value]) -> None:
        """Sets several parameters at once and begins again at t = 0. After a DiagramError nothing has changed."""
    def reset(self) -> None:
        """Begins again at t = 0."""
    def run(
        self, duration: float | None = None, *, record: Sequence[str] | None = None, log: _Path | None = None
    ) -> Run:
        """Runs for so many seconds from here on, or to the diagram's parameter `duration`; a block may end it earlier.

        record: signals, paths ("rig") or patterns ("*.energy") to keep in memory; None: all that a log would have.
        log: MCAP file to write as the program does.
        RunError: it failed; what was recorded is in the exception. Ctrl-C ends it between two ticks.
        """
    def step(self, ticks: int = 1) -> bool:
        """Runs so many ticks and records nothing. False: a block ended the run. RunError: it failed."""
    def checkpoint(self) -> Checkpoint:
        """The whole state, to go back to. Error: a block's state lies outside of the engine."""
    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to a checkpoint of this diagram; what follows has the same bits."""
    def unit(self, signal: str) -> str:
        """Unit of a signal or of a part of one; "" where it has none or its elements differ in it."""
    def __getitem__(self, signal: str) -> Any:
        """A signal as it was computed last: a number, or an array that is a copy."""
    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter by path, in SI: numbers, booleans, texts, arrays."""
    @property
    def summary(self) -> dict[str, Any]:
        """What the blocks say of the run so far: contacts, figures, energy. As `hilda run --summary`."""
    @property
    def signals(self) -> list[str]: ...
    @property
    def aliases(self) -> dict[str, str]:
        """What ports of subsystems call the signals: {"rig.wrench": "rig.on_tool.wrench"}."""
    @property
    def time(self) -> float:
        """s, of the next tick."""
    @property
    def tick(self) -> int:
        """Number of the next tick."""
    @property
    def period(self) -> float:
        """s, of a tick."""
    @property
    def mode(self) -> str: ...
    @property
    def diagram(self) -> str: ...
    @property
    def warnings(self) -> list[Diagnostic]: ...
    @property
    def remarks(self) -> list[str]:
        """What a person should know: a period that the rig fixes, parameters that it drops."""

class Log:
    """A log of a run, of the program or of Simulation.run. Each signal that is asked for is one pass over the file.

    Error where there is nothing to read; what is whole of a damaged log is given, `problems` says what is missing.
    """

    def __init__(self, file: _Path) -> None: ...
    @property
    def signals(self) -> list[str]: ...
    @property
    def metadata(self) -> dict[str, str]:
        """What is known of the run: diagram, mode, seed, settings, versions, ending."""
    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter of the run by path, in SI."""
    @property
    def summary(self) -> dict[str, Any] | None:
        """As Simulation.summary; None where the log is cut."""
    @property
    def complete(self) -> bool: ...
    @property
    def problems(self) -> list[str]:
        """What is missing or damaged, in words."""
    @property
    def period(self) -> float:
        """s, of a tick."""
    def events(self) -> list[tuple[int, str, str]]:
        """What happened, as (tick, kind, text)."""
    def time(self, signal: str) -> npt.NDArray[np.float64]:
        """s, of each sample of a signal."""
    def unit(self, signal: str) -> str: ...
    def __getitem__(self, signal: str) -> npt.NDArray[Any]: ...
