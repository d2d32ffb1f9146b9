# SPDX-License-Identifier: BSD-3-Clause
"""What FMUs are compared with: `hilda run`, and the C API of libhilda.so."""

import contextlib
import csv
import ctypes
import pathlib
import re
import subprocess

import importer

SIZE = ctypes.c_size_t


def export_fmu(hilda, diagram, out, *more):
    """Exports a diagram; what the program prints."""
    ended = subprocess.run([hilda, "export-fmu", diagram, "-o", out, *more], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def run_table(hilda, diagram, folder, seconds, *more):
    """The log of `hilda run`: for each column its numbers, exact (CSV has the shortest decimals that give the same bits)."""
    log = pathlib.Path(folder) / "run.mcap"
    table = log.with_suffix(".csv")
    run = [hilda, "run", diagram, "--for", f"{seconds} s", "--log", log, *more]
    for command in (run, [hilda, "export", log, "--csv", "-o", table]):
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert ended.returncode == 0, ended.stderr
    with table.open(newline="") as text:
        rows = list(csv.reader(text))
    names = [re.sub(r" \[[^\[\]]*\]$", "", name) for name in rows[0]]
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}


def parts_of(table, signal):
    """The columns of a signal, element by element."""
    return [name for name in table if name == signal or name.startswith((signal + ".", signal + "["))]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("diagram", ctypes.c_char_p),
                ("text", ctypes.c_char_p), ("mode", ctypes.c_char_p), ("rig", ctypes.c_char_p), ("solver", ctypes.c_char_p),
                ("settings", ctypes.POINTER(ctypes.c_char_p)), ("setting_count", SIZE),
                ("overlays", ctypes.POINTER(ctypes.c_char_p)), ("overlay_count", SIZE),
                ("plugins", ctypes.POINTER(ctypes.c_char_p)), ("plugin_count", SIZE),
                ("message", ctypes.c_void_p), ("context", ctypes.c_void_p)]


class Handle(ctypes.Structure):
    _fields_ = [("number", ctypes.c_uint64)]


class Shape(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("element", ctypes.c_int32), ("rows", ctypes.c_int32), ("cols", ctypes.c_int32),
                ("count", ctypes.c_uint64), ("unit", ctypes.c_char_p)]


class Simulation:
    """A diagram in the C API."""

    def __init__(self, library, diagram, settings=()):
        self.library = ctypes.CDLL(str(library))
        self.library.hilda_sim_error.restype = ctypes.c_char_p
        texts = (ctypes.c_char_p * max(len(settings), 1))(*[each.encode() for each in settings])
        options = Options(size=ctypes.sizeof(Options), diagram=str(diagram).encode(), settings=texts, setting_count=len(settings))
        self.at = ctypes.c_void_p()
        self.call("load", ctypes.byref(options), ctypes.byref(self.at))
        self.call("start", self.at)

    def call(self, name, *arguments):
        if getattr(self.library, "hilda_sim_" + name)(*arguments) != 0:
            raise AssertionError(self.library.hilda_sim_error().decode())

    def step(self, ticks=1):
        self.call("step", self.at, ctypes.c_int64(ticks))

    def _find(self, what, path):
        handle, shape = Handle(), Shape(size=ctypes.sizeof(Shape))
        self.call("find_" + what, self.at, path.encode(), ctypes.byref(handle), ctypes.byref(shape))
        return handle, shape.count

    def write(self, path, values):
        handle, count = self._find("input", path)
        values = values if isinstance(values, (list, tuple)) else [values]
        self.call("write", self.at, handle, (ctypes.c_double * count)(*values), SIZE(count))

    def read(self, path):
        handle, count = self._find("output", path)
        cells = (ctypes.c_double * count)()
        self.call("read", self.at, handle, cells, SIZE(count))
        return list(cells)

    def close(self):
        self.call("close", self.at)


@contextlib.contextmanager
def instance_of(fmu, values=None, **more):
    """A started instance of an FMU."""
    one = importer.Instance(fmu, **more)
    try:
        yield one.start(values)
    finally:
        one.free()
