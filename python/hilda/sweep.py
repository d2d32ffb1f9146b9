# SPDX-License-Identifier: BSD-3-Clause
"""Studies: thousands of runs from one file, and their figures as NumPy arrays with named axes.

    import hilda
    results = hilda.Study("diagrams/studies/stability.xml").run("stability.sqlite", jobs=4)
    results["stable"].shape, results.axes           # one dimension an axis, draws and repeats last
    results.mean("stable", diagram="pida")          # over draws; the other axes stay
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np

from . import _engine
from .errors import Error
from .unavailable import needed


def program() -> str:
    """The program hilda: HILDA, that next to this package, or that of the PATH."""
    here = Path(__file__).resolve()
    near = [os.environ.get("HILDA", ""), *(str(folder / "bin" / "hilda") for folder in list(here.parents)[:5])]
    for candidate in near:
        if candidate and os.access(candidate, os.X_OK) and Path(candidate).is_file():
            return candidate
    found = shutil.which("hilda")
    if found is None:
        raise Error("the program hilda is not found: put it on the PATH, or name it in HILDA")
    return found


def _ask(*words: str | os.PathLike[str]) -> str:
    done = subprocess.run([program(), "sweep", *(os.fspath(word) for word in words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Error(done.stderr.strip() or f"hilda sweep ended with exit code {done.returncode}")
    text: str = done.stdout
    return text


def _connect(file: str | os.PathLike[str]) -> sqlite3.Connection:
    """For reading. Who reads takes part in the file's journal where that may be written, so that nothing is left next to
    it. Where the folder may not be written and there is no journal, it is read as a file that no process writes."""
    path = Path(file).resolve()
    place = path.as_uri()
    if not os.access(path.parent, os.W_OK) and not any(Path(f"{path}{end}").exists() for end in ("-wal", "-journal")):
        return sqlite3.connect(place + "?immutable=1", uri=True)
    try:
        store = sqlite3.connect(place + "?mode=rw", uri=True)
    except sqlite3.OperationalError:
        store = sqlite3.connect(place + "?mode=ro", uri=True)
    store.execute("PRAGMA query_only = ON")
    return store


class Results:
    """The rows of a study. `results["cov"]` is an array with a dimension for each of `dims`: the study's axes in the
    order in which they are written, and last "draw", which counts what is drawn or repeated. Where there is no run, or a run
    has no such figure, it is NaN."""

    def __init__(self, file: str | os.PathLike[str]) -> None:
        if not Path(file).is_file():
            raise Error(f"cannot read {file}: there is no such file")
        if fault := _engine._store_fault(file):
            raise Error(fault)
        try:
            with contextlib.closing(_connect(file)) as store:
                self._read(store)
        except sqlite3.Error as why:
            raise Error(f"{file} is not a store of a study: {why}") from None
        self.file = Path(file)

    def _read(self, store: sqlite3.Connection) -> None:
        about = dict(store.execute("SELECT key, value FROM study"))
        self.name: str = about["name"]
        columns = store.execute("SELECT kind, name, unit FROM columns ORDER BY place").fetchall()
        self.units: dict[str, str] = {name: unit for _, name, unit in columns}
        self.figures: list[str] = [name for kind, name, _ in columns if kind == "figure"]
        self.draws: list[str] = [name for kind, name, _ in columns if kind == "draw"]
        names = ["run", *(name for _, name, _ in columns), "ending", "cause", "block", "signal", "time", "steps"]
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        rows = store.execute(f"SELECT {quoted} FROM runs WHERE run < ? ORDER BY run", (about["runs"],)).fetchall()
        words = {name for kind, name, _ in columns if kind == "word"} | {"ending", "cause", "block", "signal"}
        #: A column each, by name, in the order of the runs: numbers as arrays, words as arrays of objects.
        self.columns: dict[str, np.ndarray[Any, Any]] = {}
        for place, name in enumerate(names):
            values = [row[place] for row in rows]
            self.columns[name] = np.array(values, dtype=object if name in words else float)
        self.columns["run"] = self.columns["run"].astype(np.int64)
        #: The values of each axis, by name.
        self.axes: dict[str, np.ndarray[Any, Any] | list[str]] = {}
        places = []
        for kind, name, _ in columns:
            if kind not in ("number", "word"):
                continue
            column = self.columns[name]
            if kind == "word":
                values = list(dict.fromkeys(column))
                lookup = {value: i for i, value in enumerate(values)}
                places.append(np.array([lookup[value] for value in column], dtype=np.int64))
                self.axes[name] = values
            else:
                # NaN, where an axis does not apply, is a separate value behind the others.
                values, inverse = np.unique(column, return_inverse=True)
                self.axes[name] = values
                places.append(inverse)
        shape = tuple(len(values) for values in self.axes.values())
        cell = np.ravel_multi_index(places, shape) if places else np.zeros(len(rows), dtype=np.int64)
        order = np.argsort(cell, kind="stable")
        starts = np.searchsorted(cell[order], cell[order])
        draw = np.empty(len(rows), dtype=np.int64)
        draw[order] = np.arange(len(rows)) - starts
        self._place = (cell, draw)
        self._shape = shape + (int(draw.max()) + 1 if len(rows) else 0,)

    @property
    def dims(self) -> tuple[str, ...]:
        """Names of the dimensions of each array."""
        return (*self.axes, "draw")

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape

    def __len__(self) -> int:
        return len(self.columns["run"])

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        if name not in self.columns:
            raise KeyError(f"there is no column {name!r}; there are: {', '.join(self.columns)}")
        column = self.columns[name]
        words = column.dtype == object
        whole = np.full((int(np.prod(self._shape[:-1], dtype=np.int64)), self._shape[-1]), None if words else np.nan,
                        dtype=object if words else float)
        whole[self._place] = column
        return whole.reshape(self._shape)

    def select(self, name: str, **at: Any) -> np.ndarray[Any, Any]:
        """A column at some values of some axes; their dimensions are gone. Dots in names are underscores here."""
        array, dims = self[name], list(self.dims)
        for axis, value in at.items():
            known = {each.replace(".", "_"): each for each in self.axes}
            if axis not in known:
                raise KeyError(f"there is no axis {axis!r}; there are: {', '.join(known)}")
            values = self.axes[known[axis]]
            if isinstance(values, list):
                if value not in values:
                    raise KeyError(f"{axis} has no {value!r}; it has: {', '.join(map(str, values))}")
                place = values.index(value)
            else:
                place = int(np.nanargmin(np.abs(values - float(value))))
                if not np.isclose(values[place], float(value)):
                    raise KeyError(f"{axis} has no {value!r}; the nearest is {values[place]!r}")
            array = np.take(array, place, axis=dims.index(known[axis]))
            dims.remove(known[axis])
        return array

    def mean(self, name: str, **at: Any) -> np.ndarray[Any, Any]:
        """The same, averaged over draws; NaN where no run has the figure."""
        array = self.select(name, **at)
        known = ~np.isnan(array)
        count = known.sum(axis=-1)
        total = np.where(known, array, 0).sum(axis=-1)
        return np.where(count > 0, total / np.maximum(count, 1), np.nan)

    def to_pandas(self) -> Any:
        """All columns as a pandas.DataFrame, a row a run; needs pandas."""
        pandas = needed("pandas", "to_pandas()")
        return pandas.DataFrame(self.columns).set_index("run")

    def __repr__(self) -> str:
        dims = " x ".join(f"{name} {size}" for name, size in zip(self.dims, self._shape))
        return f"<hilda.Results {self.name}: {len(self)} runs, {dims}>"


def read(file: str | os.PathLike[str]) -> Results:
    """The results of a study, also while they are being made."""
    return Results(file)


def merge(files: list[str | os.PathLike[str]], into: str | os.PathLike[str]) -> Results:
    """Joins the results of a study's parts."""
    _ask("merge", *files, "-o", into)
    return read(into)


class Study:
    """A study file. Its runs are made by the program hilda, in its own process."""

    def __init__(self, file: str | os.PathLike[str], *, plugins: tuple[str | os.PathLike[str], ...] = ()) -> None:
        self.file = Path(file)
        self._plugins = [word for folder in plugins for word in ("--plugins", os.fspath(folder))]
        #: What `run` gave last, which `plot` draws; None before.
        self.results: Results | None = None

    def check(self) -> str:
        """How many runs there are, how long they take, how much disk; Error has every mistake of the file."""
        return _ask("check", self.file, *self._plugins)

    def run(self, store: str | os.PathLike[str], *, jobs: int | None = None, part: tuple[int, int] | None = None,
            isolate: bool = False, fail_fast: bool = False) -> Results:
        """Makes the runs that the store does not have. `part`: (k, n), the k-th of n parts, from 1."""
        words = [str(self.file), "-o", os.fspath(store), *self._plugins]
        if jobs is not None:
            words += ["-j", str(jobs)]
        if part is not None:
            words += ["--part", f"{part[0]}/{part[1]}"]
        words += ["--isolate"] * isolate + ["--fail-fast"] * fail_fast
        _ask(*words)
        self.results = read(store)
        return self.results

    def __repr__(self) -> str:
        return f"<hilda.Study {self.file}>"


def _make_part(file: str, place: str, part: tuple[int, int], plugins: list[str], jobs: int) -> str:
    """On a worker. Whose worker was lost while its program continues holds the part: that one makes it, and this waits."""
    words = [file, "-o", place, "--part", f"{part[0]}/{part[1]}", "-j", str(jobs), *plugins]
    while True:
        try:
            _ask(*words)
            return place
        except Error as why:
            if "is being written by" not in str(why):
                raise
        time.sleep(0.5)


def run(study: Study | str | os.PathLike[str], store: str | os.PathLike[str], *, client: Any, shards: int | None = None,
        jobs: int = 1) -> Results:
    """Makes a study on a Dask cluster: `client` is a distributed.Client, each task one of so many shards of the study
    (four a thread of the cluster if not given), `jobs` the runs at a time of each.

    Workers need the package, the program hilda and a file system that all share: shards lie in a folder next to the store
    until they are joined. A task whose worker is lost continues with what its shard has, and so does a call after one that
    was interrupted. A store that is there stays as it is.
    """
    study = study if isinstance(study, Study) else Study(study)
    store = Path(store).resolve()
    if store.exists():
        raise Error(f"{store} exists already; Study.run continues with it")
    study.check()
    if shards is None:
        shards = max(4 * sum(client.nthreads().values()), 1)
    folder = store.with_name(store.stem + "_shards")
    folder.mkdir(exist_ok=True)
    file = os.fspath(study.file.resolve())
    plugins = [word if word == "--plugins" else os.path.abspath(word) for word in study._plugins]
    futures = [client.submit(_make_part, file, os.fspath(folder / f"part{k}of{shards}.sqlite"), (k, shards), plugins,
                             jobs, pure=False) for k in range(1, shards + 1)]
    try:
        parts = client.gather(futures)
    finally:
        client.cancel(futures)
    results = merge(parts, store)
    shutil.rmtree(folder)
    return results
