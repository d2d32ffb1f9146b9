import os
from typing import Any, Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

__version__: str

_Path = str | os.PathLike[str]
_Value = str | float | bool | Sequence[Any] | npt.NDArray[Any]

def _note_crashes(descriptor: int) -> None: ...
def _store_fault(file: _Path) -> str: ...
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
    def file(self) -> str:
        """Where it is; "" where it is in no file."""
    @property
    def line(self) -> int:
        """From 1; 0 where it is in no line."""
    @property
    def what(self) -> str:
        """The mistake, with both sides of the conflict."""
    @property
    def help(self) -> str:
        """What to do; "" where nothing is known."""

class Checkpoint:
    """A simulation's whole state; it can be pickled."""

    @property
    def tick(self) -> int:
        """The next one."""
    def __eq__(self, other: object) -> bool: ...

class Run:
    """What was recorded of a run, in memory, with a sample for each tick; slower signals hold.

    run["rig.wrench"] has the shape (samples,) for a number, (samples, n) for a vector, a wrench or a pose, (samples,
    rows, columns) for a matrix. Parts are named as in diagrams: "rig.wrench.force.x", "arm.q[2]". Pickled, it comes out
    as an IsolatedRun.
    """

    @property
    def time(self) -> npt.NDArray[np.float64]:
        """s, of each sample."""
    @property
    def end(self) -> float:
        """s, the time that the simulation has reached: a tick behind the last sample."""
    @property
    def signals(self) -> list[str]:
        """Names of what was recorded."""
    @property
    def reason(self) -> str:
        """Why it ended: "duration", "stopped" (by a block), "failed", "interrupted"."""
    @property
    def text(self) -> str:
        """The text of the block that ended it."""
    def unit(self, signal: str) -> str:
        """Unit of a signal or of a part of one; "" where it has none or its elements differ in it."""
    def __getitem__(self, signal: str) -> npt.NDArray[Any]: ...
    def __contains__(self, signal: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def keys(self) -> list[str]: ...
    def plot(self, signals: str | Sequence[str] | None = None, *, ax: Any = None) -> Any:
        """Draws signals over time with matplotlib, a panel for each; gives the axes."""
    def to_pandas(self, signals: str | Sequence[str] | None = None) -> Any:
        """A pandas.DataFrame: a row for each sample; vectors and matrices become columns `q[0]`."""
    def to_xarray(self, signals: str | Sequence[str] | None = None) -> Any:
        """An xarray.Dataset: a variable for each signal, over `time` in s."""
    def _repr_html_(self) -> str: ...

class Input:
    """A parameter, or an input of the diagram, that is written as numbers between two ticks."""

    @property
    def path(self) -> str:
        """Of the parameter or the input."""
    @property
    def unit(self) -> str:
        """Of its numbers, which are in SI; "" where it has none."""
    @property
    def shape(self) -> tuple[int, ...]:
        """As NumPy has it: () of a number."""
    def write(self, value: float | Sequence[Any] | npt.NDArray[Any]) -> None:
        """Before the next tick; the last of several counts. ValueError: another shape, not finite, out of its range.
        Error: the diagram was reloaded since. Nothing is changed then."""

class Output:
    """A signal, or a part of one, as it was computed last."""

    @property
    def path(self) -> str:
        """Of the signal."""
    @property
    def unit(self) -> str:
        """Of its numbers, which are in SI; "" where it has none or its elements differ in it."""
    def read(self) -> Any:
        """A number, or an array that is a copy. Error: the diagram was reloaded since."""

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
        solver: str = "",
        text: str | None = None,
        blocks: list[Any] = ...,
    ) -> None:
        """
        diagram: a file; with `text` the name under which that text is a diagram.
        mode: variant of the diagram; "" chooses as the program does.
        rig: file that takes the place of the subsystem `rig`.
        settings: values by path, {"response_delay": "20 ms", "lead.time_constant": 0.004}; a number is in the unit that
            the parameter declares.
        overlays: files with many such values; settings win over them.
        plugins: folders with plugins, in addition to the standard ones and those of HILDA_PLUGIN_PATH. Each is searched again;
            what this process has loaded stays.
        blocks: classes with @hilda.block that this diagram may use: Filter is the type python/Filter.
        solver: of continuous blocks, "rk4", "euler", "dopri5", "rosenbrock", "cvode" or "adams"; empty: the diagram's.
        """
    def set(self, path: str, value: _Value, *, live: bool = False) -> list[str]:
        """Sets a parameter and restarts at t = 0; live: at the present tick, and the run continues. After a
        DiagramError nothing has changed. Returns the states that restart, if a live change rebuilds the diagram."""
    def set_many(self, settings: dict[str, _Value], *, live: bool = False) -> list[str]:
        """Sets several parameters at once, as set does: all of them or none."""
    def get(self, path: str) -> Any:
        """The value that a parameter has, in SI."""
    def back(self, ticks: int = 1) -> None:
        """Goes back by so many ticks: everything is as it was, and what was set since is taken back."""
    def reload(self) -> list[str]:
        """Continues in the diagram as its files are now, with the states kept. Returns the states that restart."""
    def reset(self) -> None:
        """Begins again at t = 0."""
    def run(
        self,
        duration: float | None = None,
        *,
        record: str | Sequence[str] | None = None,
        log: _Path | None = None,
        every: float | str | None = None,
        call: Callable[[Run], object] | None = None,
    ) -> Run:
        """Runs for so many seconds from here on, rounded up to whole ticks, or to the diagram's parameter `duration`; a
        block may end it earlier. `Run.end` is the time that it has reached.

        record: signals, paths ("rig") or patterns ("*.energy") to keep in memory; None: all that a log would have.
        log: MCAP file to write as the program does.
        every, call: `call` is a function that gets a Run with the samples since it was called last, each time the time
            `every` is over ("10 ms", or 0.01 in s, rounded up to whole ticks) and at the end. It may read the simulation, write its
            inputs, and set what may change while it runs. If it returns False, the run ends there; what it raises ends
            the run with a RunError that names its file and line.
        RunError: it failed; what was recorded is in the exception. Ctrl-C ends it between two ticks.
        """
    def step(self, ticks: int = 1) -> bool:
        """Runs so many ticks and records nothing in memory. False: a block ended the run. RunError: it failed."""
    def input(self, path: str) -> Input:
        """A handle by which a parameter that may change while it runs, or an input of the diagram, is written as numbers.
        It lasts until the diagram is reloaded. DiagramError: there is none, or it takes texts."""
    def output(self, path: str) -> Output:
        """A handle by which a signal, or a part of one, is read. It lasts until the diagram is reloaded."""
    def write(self, values: dict[Any, Any]) -> None:
        """Writes several inputs before the next tick, or none of them: a dictionary by path or by handle."""
    def begin_log(self, file: _Path) -> None:
        """From now on every tick goes into this log, also those of step, with all that was written and set. It ends with
        end_log, or where the run goes somewhere else: set, reset, reload, back, restore."""
    def end_log(self) -> None:
        """The log that begin_log began is whole then."""
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
    def limits(self) -> dict[str, dict[str, float]]:
        """What the safety stage lets through to each input that moves something, in SI."""
    @property
    def quality(self) -> dict[str, dict[str, float]]:
        """Requirements on measured outputs before anything is armed, in SI."""
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
    def mode(self) -> str:
        """Variant of the diagram."""
    @property
    def diagram(self) -> str:
        """Its file."""
    @property
    def warnings(self) -> list[Diagnostic]:
        """What was found while it was loaded and run, by file and line."""
    def keys(self) -> list[str]: ...
    def __contains__(self, signal: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def plot(self, signals: str | Sequence[str] | None = None, *, ax: Any = None) -> Any:
        """Draws the last run as Run.plot does. Error: there was none."""
    def _repr_html_(self) -> str: ...
    @property
    def remarks(self) -> list[str]:
        """What a person should know: a period that the rig fixes, parameters that it drops."""

class _Stepper:
    """Steps of simulations of one diagram together, for environments."""

    def __init__(
        self, simulations: list[Any], actions: Sequence[str], observations: Sequence[str], figures: Sequence[str], threads: int
    ) -> None: ...
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of actions, observations and figures of one simulation."""
    def look(self) -> npt.NDArray[np.float64]:
        """The observations now, a row for each simulation."""
    def step(self, action: Any, ticks: int) -> tuple[Any, ...]:
        """Of the only simulation: (observation, action, figures, not ended, time)."""
    def step_each(self, actions: npt.NDArray[np.float64], ticks: int) -> tuple[Any, ...]:
        """Of each, a row: (observations, figures, not ended, times)."""

class Log:
    """A log of a run, of the program or of Simulation.run. Each signal that is asked for is one pass over the file.

    Error if there is nothing to read. Of a damaged log the readable part is returned; `problems` lists the missing parts.
    """

    def __init__(self, file: _Path) -> None: ...
    @property
    def signals(self) -> list[str]:
        """Names of what was recorded."""
    @property
    def metadata(self) -> dict[str, str]:
        """Facts about the run: diagram, mode, seed, settings, versions, ending."""
    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter of the run by path, in SI."""
    @property
    def limits(self) -> dict[str, dict[str, float]]:
        """As Simulation.limits."""
    @property
    def quality(self) -> dict[str, dict[str, float]]:
        """As Simulation.quality."""
    @property
    def summary(self) -> dict[str, Any] | None:
        """As Simulation.summary; None where the log is cut."""
    @property
    def figures(self) -> list[tuple[str, list[str]]]:
        """The diagram's <figure> elements, as (title, signals): what a report opens on."""
    @property
    def complete(self) -> bool:
        """False: it is cut or damaged."""
    @property
    def problems(self) -> list[str]:
        """Missing or damaged parts, as text."""
    @property
    def period(self) -> float:
        """s, of a tick."""
    def events(self) -> list[tuple[int, str, str]]:
        """What happened, as (tick, kind, text)."""
    def time(self, signal: str) -> npt.NDArray[np.float64]:
        """s, of each sample of a signal."""
    def unit(self, signal: str) -> str: ...
    def __getitem__(self, signal: str) -> npt.NDArray[Any]: ...
    def __contains__(self, signal: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> list[str]: ...
    def plot(self, signals: str | Sequence[str] | None = None, *, ax: Any = None) -> Any:
        """As Run.plot."""
    def _repr_html_(self) -> str: ...

class LinearModel:
    """x' = A x + B u, y = C x + D u about a state, in deviations and SI; x' is dx/dt, or x one `period` later.

    Those of an orientation are a rotation vector in body axes, rad. States that reach no output are left out.
    """

    @property
    def A(self) -> npt.NDArray[np.float64]:
        """(states, states)"""
    @property
    def B(self) -> npt.NDArray[np.float64]:
        """(states, inputs)"""
    @property
    def C(self) -> npt.NDArray[np.float64]:
        """(outputs, states)"""
    @property
    def D(self) -> npt.NDArray[np.float64]:
        """(outputs, inputs)"""
    @property
    def states(self) -> list[str]:
        """Names of the states, in the order of A."""
    @property
    def inputs(self) -> list[str]:
        """Names of the inputs, in the order of B."""
    @property
    def outputs(self) -> list[str]:
        """Names of the outputs, in the order of C."""
    @property
    def period(self) -> float:
        """s; 0: continuous."""
    @property
    def time(self) -> float:
        """s, of the state about which it holds."""
    @property
    def held(self) -> list[str]:
        """States that are not real numbers and stay as they are."""
    @property
    def error(self) -> float:
        """Largest error of an entry of A, B, C, D, relative where the entry is above 1."""
    @property
    def kinks(self) -> list[str]:
        """Entries whose slopes differ by side: the edge of a contact, a limit just reached."""
    @property
    def poles(self) -> npt.NDArray[np.complex128]:
        """Eigenvalues of A, the least stable first."""
    @property
    def pole_errors(self) -> npt.NDArray[np.float64]:
        """How far each of them may be off."""
    def response(self, frequency: npt.ArrayLike) -> npt.NDArray[np.complex128]:
        """y per u: (outputs, inputs) at one frequency in rad/s, (frequencies, outputs, inputs) at several."""
    def plot(self, frequency: npt.ArrayLike | None = None, *, ax: Any = None) -> Any:
        """Draws the Bode diagram with matplotlib: magnitude in dB and phase in degrees."""
    def to_scipy(self) -> Any:
        """A scipy.signal.StateSpace."""
    def to_control(self) -> Any:
        """A control.StateSpace of python-control, with names."""
    def _repr_html_(self) -> str: ...

def linearize(
    diagram: _Path,
    inputs: str | Sequence[str],
    outputs: str | Sequence[str],
    time: float = 0.0,
    *,
    discrete: bool = False,
    step: float = 1e-4,
    mode: str = "",
    rig: _Path | None = None,
    settings: dict[str, _Value] = ...,
    overlays: Sequence[_Path] = ...,
    plugins: Sequence[_Path] = ...,
) -> LinearModel:
    """The model from signals to signals about the state at `time`, as `hilda linearize` makes it.

    Inputs are added to signals for all who read them; loops around them stay closed. discrete: that one even where a
    continuous one exists. step: largest of the differences, relative to max(1, |x|). The rest as for Simulation.
    """

class Slot:
    """A port, parameter or state of a block."""

    @property
    def name(self) -> str:
        """As a diagram has it."""
    @property
    def shape(self) -> str:
        """"scalar", "wrench", "m x n", "boolean", "any shape s"."""
    @property
    def unit(self) -> str:
        """"" where a named shape has its own."""
    @property
    def traits(self) -> str:
        """"feeds through", "must be given, above 0"."""
    @property
    def doc(self) -> str:
        """What it is for."""

class BlockType:
    """What one needs to wire a block. str() is what `hilda describe` prints."""

    @property
    def name(self) -> str:
        """With its subject: "math/Gain"."""
    @property
    def doc(self) -> str:
        """What the block does."""
    @property
    def plugin(self) -> str:
        """Its file."""
    @property
    def inputs(self) -> list[Slot]:
        """Its inputs."""
    @property
    def outputs(self) -> list[Slot]:
        """Its outputs."""
    @property
    def parameters(self) -> list[Slot]:
        """What a diagram gives it."""
    @property
    def states(self) -> list[Slot]:
        """What it remembers from one tick to the next."""

def describe(block: str, *, plugins: Sequence[_Path] = ...) -> BlockType:
    """A block by its name, with or without its subject: describe("math/Gain"). KeyError has the nearest name."""

def blocks(*, plugins: Sequence[_Path] = ...) -> list[str]:
    """Names of all blocks."""

class Diagram:
    """A diagram that is built or edited by program; it is written as if by hand."""

    def __init__(self, *, name: str = "diagram", period: str = "", doc: str = "") -> None:
        """A new diagram without any block."""
    def add(self, type: str, name: str | None = None, **settings: _Value) -> None:
        """Adds a block by its type, or one of 'parameter' 'input' 'output' 'subsystem' 'power_port' 'limits' 'quality'
        'realtime' 'log' 'figure' 'live' 'note' 'area'."""
    def set(self, path: str, value: _Value) -> None: ...
    def unset(self, path: str) -> None: ...
    def connect(self, source: str, destination: str, **settings: str) -> None: ...
    def disconnect(self, source: str, destination: str | None = None) -> None: ...
    def remove(self, name: str) -> list[str]:
        """With its wires; a sentence for each thing that went with it."""
    def rename(self, old: str, new: str) -> list[str]:
        """With all that refers to it."""
    def group(self, names: Sequence[str], name: str) -> list[str]: ...
    def extract(self, name: str, file: _Path) -> list[str]: ...
    def apply(self, operations: Sequence[Sequence[str]]) -> list[str]:
        """Operations as words, made all or not at all, as one step."""
    def undo(self) -> bool: ...
    def redo(self) -> bool: ...
    @property
    def file(self) -> str:
        """Where it lies, or would be written."""
    @property
    def text(self) -> str: ...
    def diff(self) -> str:
        """What was changed since it was opened, as `diff -u` writes it."""
    def write(self, path: _Path | None = None) -> None:
        """A file that another has changed meanwhile is not overwritten, nor is another file."""

def edit(file: _Path) -> Diagram:
    """Opens a diagram file to edit it."""

class BenchCheckpoint:
    """What the block on a bench remembers."""

    def __eq__(self, other: object) -> bool: ...

class Bench:
    """One block without a diagram."""

    def __init__(
        self,
        block: Any,
        *,
        parameters: dict[str, _Value] = ...,
        period: float = 0.001,
        shapes: dict[str, Sequence[int]] = ...,
        counts: dict[str, int] = ...,
        undriven: set[str] = ...,
        plugins: Sequence[_Path] = ...,
    ) -> None: ...
    def __setitem__(self, name: str, value: float | Sequence[Any] | npt.NDArray[Any]) -> None:
        """An input, or a live parameter, in SI."""
    def __getitem__(self, name: str) -> Any:
        """An output, state, input or parameter, in SI."""
    def step(self, ticks: int = 1) -> None:
        """Runs ticks; ends early where the block ends the run. RunError where it fails."""
    def compute(self) -> None:
        """The outputs of this tick."""
    def advance(self) -> None:
        """The states of the next tick."""
    def fire(self, crossing: str, direction: int, element: int = 0) -> None:
        """Calls event: the crossing has become positive (1) or negative (-1)."""
    def fire_restart(self) -> None:
        """Calls event as where steps restart."""
    def reset(self) -> None:
        """States are as at the start; time continues."""
    def checkpoint(self) -> BenchCheckpoint:
        """All that the block remembers."""
    def restore(self, checkpoint: BenchCheckpoint) -> None:
        """Continues from there."""
    @property
    def tick(self) -> int:
        """The next one."""
    @property
    def time(self) -> float:
        """Of the next tick, s."""
    @property
    def stopped(self) -> str | None:
        """The text with which the block has ended the run, or None."""

def check_all(block: Any, *, time_limit: float = 10.0, plugins: Sequence[_Path] = ...) -> list[tuple[str, str, str, str]]:
    """All checks of the test kit."""
