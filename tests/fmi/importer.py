# SPDX-License-Identifier: BSD-3-Clause
"""A small importer of FMUs for co-simulation, FMI 2.0 and 3.0, on Python's own library alone (ctypes, zipfile, ElementTree).

  with Fmu("pida.fmu", folder) as fmu:
      one = fmu.instance()
      one.start({"speed": 0.03})
      one.step(0.001)
      one.get("rig.wrench")
"""

import ctypes
import pathlib
import platform
import xml.etree.ElementTree as ElementTree
import zipfile

OK, WARNING, DISCARD, ERROR = 0, 1, 2, 3
POINTER = ctypes.c_void_p
REFERENCE = ctypes.c_uint32
SIZE = ctypes.c_size_t
LOGGER_2 = ctypes.CFUNCTYPE(None, POINTER, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)
LOGGER_3 = ctypes.CFUNCTYPE(None, POINTER, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
CELL = {"Real": ctypes.c_double, "Integer": ctypes.c_int, "Enumeration": ctypes.c_int, "Float64": ctypes.c_double,
        "Float32": ctypes.c_float, "Int8": ctypes.c_int8, "UInt8": ctypes.c_uint8, "Int16": ctypes.c_int16, "UInt16": ctypes.c_uint16,
        "Int32": ctypes.c_int32, "UInt32": ctypes.c_uint32, "Int64": ctypes.c_int64, "UInt64": ctypes.c_uint64, "String": ctypes.c_char_p}


class Refused(Exception):
    """A function of the FMU returned an error; the text is what the FMU logged."""


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOGGER_2), ("allocate", POINTER), ("release", POINTER), ("finished", POINTER), ("environment", POINTER)]


class Variable:
    def __init__(self, element, version, sizes):
        inner = element[0] if version == 2 else element
        self.name = element.get("name")
        self.reference = int(element.get("valueReference"))
        self.type = inner.tag
        self.causality = element.get("causality", "local")
        self.variability = element.get("variability")
        self.unit = inner.get("unit")
        self.shape = [int(each.get("start") or sizes[each.get("valueReference")]) for each in element.findall("Dimension")]
        self.count = 1
        for each in self.shape:
            self.count *= each
        start = inner.find("Start")
        self.start = start.get("value") if start is not None else inner.get("start")


class Fmu:
    """An FMU, unpacked into a folder and loaded."""

    def __init__(self, file, folder):
        self.folder = pathlib.Path(folder)
        with zipfile.ZipFile(file) as archive:
            assert archive.testzip() is None
            archive.extractall(self.folder)
        self.root = ElementTree.parse(self.folder / "modelDescription.xml").getroot()
        self.version = int(self.root.get("fmiVersion")[0])
        self.kind = self.root.find("CoSimulation")
        self.token = self.root.get("guid" if self.version == 2 else "instantiationToken")
        self.step = float(self.root.find("DefaultExperiment").get("stepSize") or 0.1)  # 0.1: other tools may leave it out
        listed = self.root.find("ModelVariables")
        sizes = {each.get("valueReference"): each.get("start") for each in listed if each.get("causality") == "structuralParameter"}
        self.variables = {each.get("name"): Variable(each, self.version, sizes) for each in listed}
        place = "linux64" if self.version == 2 else f"{platform.machine()}-linux"
        self.library = self.folder / "binaries" / place / (self.kind.get("modelIdentifier") + ".so")
        self.loaded = ctypes.CDLL(str(self.library))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass  # the library stays: its instances may be anywhere

    def function(self, name, result=ctypes.c_int):
        found = getattr(self.loaded, f"fmi{self.version}{name}")
        found.restype = result
        return found

    def outputs(self):
        """Of numbers that the diagram computes."""
        return [each for each in self.variables.values() if each.causality in ("output", "local")]

    def instance(self, name="one", **more):
        return Instance(self, name, **more)


class Instance:
    fine = (OK,)  # statuses of a step; a warning is one where a test expects it

    def __init__(self, fmu, name="one", token=None, resources=None, kind=1, events=False):
        self.fmu, self.log = fmu, []
        token = fmu.token if token is None else token
        if fmu.version == 2:
            self.logger = LOGGER_2(lambda _, who, status, category, form, text: self.log.append((status, text.decode())))
            self.callbacks = Callbacks(self.logger)
            resources = (fmu.folder / "resources").as_uri() if resources is None else resources
            made = fmu.function("Instantiate", POINTER)
            self.at = made(name.encode(), kind, token.encode(), resources.encode(), ctypes.byref(self.callbacks), 0, 1)
        else:
            self.logger = LOGGER_3(lambda _, status, category, text: self.log.append((status, text.decode())))
            resources = f"{fmu.folder / 'resources'}/" if resources is None else resources
            made = fmu.function("InstantiateCoSimulation", POINTER)
            self.at = made(name.encode(), token.encode(), resources.encode(), ctypes.c_bool(False), ctypes.c_bool(True),
                           ctypes.c_bool(events), ctypes.c_bool(False), None, SIZE(0), None, self.logger, None)
        if not self.at:
            raise Refused("\n".join(text for _, text in self.log))
        self.time = 0.0

    def call(self, name, *arguments, good=(OK,)):
        before = len(self.log)
        status = self.fmu.function(name)(POINTER(self.at), *arguments)
        if status not in good:
            raise Refused("\n".join(text for _, text in self.log[before:]) or f"{name} returned {status} and no word")
        return status

    def enter(self, begin=0.0):
        if self.fmu.version == 2:
            self.call("SetupExperiment", 0, ctypes.c_double(0), ctypes.c_double(begin), 0, ctypes.c_double(0))
            self.call("EnterInitializationMode")
        else:
            self.call("EnterInitializationMode", ctypes.c_bool(False), ctypes.c_double(0), ctypes.c_double(begin),
                      ctypes.c_bool(False), ctypes.c_double(0))
        self.time = begin

    def start(self, values=None, begin=0.0):
        for name, value in (values or {}).items():
            self.set(name, value)
        self.enter(begin)
        self.call("ExitInitializationMode")
        return self

    def step(self, size=None, time=None):
        """False where a block has ended the run."""
        size = self.fmu.step if size is None else size
        at = self.time if time is None else time
        if self.fmu.version == 2:
            goes = self.call("DoStep", ctypes.c_double(at), ctypes.c_double(size), 1, good=(*self.fine, DISCARD)) != DISCARD
        else:
            event, ends, early, last = ctypes.c_bool(), ctypes.c_bool(), ctypes.c_bool(), ctypes.c_double()
            self.call("DoStep", ctypes.c_double(at), ctypes.c_double(size), ctypes.c_bool(True), ctypes.byref(event),
                      ctypes.byref(ends), ctypes.byref(early), ctypes.byref(last), good=self.fine)
            goes = not ends.value
        if goes:
            self.time = at + size
        return goes

    def _typed(self, variable):
        if variable.type == "Boolean":
            return ctypes.c_int if self.fmu.version == 2 else ctypes.c_bool
        return ctypes.c_int64 if variable.type == "Enumeration" and self.fmu.version == 3 else CELL[variable.type]

    def _function(self, verb, variable):
        kind = variable.type
        if kind == "Enumeration":
            kind = "Integer" if self.fmu.version == 2 else "Int64"
        return verb + kind

    def _exchange(self, verb, variable, cells):
        reference = (REFERENCE * 1)(variable.reference)
        more = () if self.fmu.version == 2 else (SIZE(len(cells)),)
        self.call(self._function(verb, variable), reference, SIZE(1), cells, *more)

    def get(self, name):
        """A number or a text; a list of numbers where FMI 3.0 has an array."""
        variable = self.fmu.variables[name]
        cells = (self._typed(variable) * variable.count)()
        self._exchange("Get", variable, cells)
        values = list(cells)
        if variable.type == "String":
            values = [each.decode() for each in values]
        return values if variable.shape else values[0]

    def set(self, name, value):
        variable = self.fmu.variables[name]
        values = value if isinstance(value, (list, tuple)) else [value]
        values = [each.encode() if isinstance(each, str) else each for each in values]
        self._exchange("Set", variable, (self._typed(variable) * len(values))(*values))

    def read_all(self, variables):
        """Numbers of many variables of one type in one call, as bytes."""
        references = (REFERENCE * len(variables))(*[each.reference for each in variables])
        count = sum(each.count for each in variables)
        cells = (self._typed(variables[0]) * count)()
        more = () if self.fmu.version == 2 else (SIZE(count),)
        self.call(self._function("Get", variables[0]), references, SIZE(len(variables)), cells, *more)
        return bytes(cells)

    # the standard's spelling differs
    def _state(self, before, after=""):
        return f"{before}FMU{'s' if self.fmu.version == 2 else 'S'}tate{after}"

    def save(self, into=None):
        state = into or POINTER()
        self.call(self._state("Get"), ctypes.byref(state))
        return state

    def restore(self, state, time):
        self.call(self._state("Set"), state)
        self.time = time

    def drop(self, state):
        self.call(self._state("Free"), ctypes.byref(state))

    def pack(self, state):
        size = SIZE()
        self.call(self._state("Serialized", "Size"), state, ctypes.byref(size))
        room = (ctypes.c_ubyte * size.value)()
        self.call(self._state("Serialize"), state, room, size)
        return bytes(room)

    def unpack(self, packed):
        state = POINTER()
        room = (ctypes.c_ubyte * max(len(packed), 1)).from_buffer_copy(packed or b"\0")
        self.call(self._state("DeSerialize" if self.fmu.version == 2 else "Deserialize"), room, SIZE(len(packed)),
                  ctypes.byref(state))
        return state

    def free(self):
        if self.at:
            self.fmu.function("FreeInstance", None)(POINTER(self.at))
            self.at = None
