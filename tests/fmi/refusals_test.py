# SPDX-License-Identifier: BSD-3-Clause
"""What an FMU refuses: each wrong call returns an error and logs a message with a code, and the instance works on.

refusals_test.py HILDA TREE VERSION
"""

import ctypes
import math
import pathlib
import re
import shutil
import struct
import sys
import tempfile
import unittest

import hilda_run
import importer
from importer import POINTER, REFERENCE, SIZE

HILDA, TREE, VERSION = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
DIAGRAM = TREE / "tests/fmi/servo.xml"
THREE = VERSION == 3
REAL = "Float64" if THREE else "Real"
TEN = (ctypes.c_double * 10)()


def references(*all_of_them):
    return (REFERENCE * len(all_of_them))(*all_of_them)


def sized(count):
    return (SIZE(count),) if THREE else ()


def of(one, name):
    return one.fmu.variables[name].reference


def get(one, *asked, room=1, kind=REAL):
    one.call("Get" + kind, references(*asked), SIZE(len(asked)), TEN, *sized(room))


def packed_with(one, change):
    return one.unpack(change(one.pack(one.save())))


def foreign(packed, token):
    """The same state as if another FMU had written it: its checksum fits."""
    body = packed[:-8].replace(token.encode(), token.replace("hilda", "other").encode())
    value = 14695981039346656037
    for byte in body:
        value = ((value ^ byte) * 1099511628211) & (2**64 - 1)
    return body + struct.pack("<Q", value)


def use_after_free(one):
    state = one.save()
    kept = POINTER(state.value)
    one.drop(state)
    one.restore(kept, 0)


def step_after_terminate(one):
    one.call("Terminate")
    one.step()


STATE = "FMUState" if THREE else "FMUstate"
# Of a running instance: the mistake, the code, words that the message has, and the call.
CALLS = [
    ("unknown reference", "fmi-reference", "999", lambda one: get(one, 999)),
    ("largest reference", "fmi-reference", "4294967295", lambda one: get(one, 0xFFFFFFFF)),
    ("wrong type", "fmi-type", "'law'", lambda one: get(one, of(one, "law"))),
    ("text of a number", "fmi-type", "'push'", lambda one: get(one, of(one, "push"), kind="String")),
    ("whole number of a real", "fmi-type", "'push'", lambda one: get(one, of(one, "push"), kind="Int64" if THREE else "Integer")),
    ("null references", "fmi-null", "null", lambda one: one.call("Get" + REAL, None, SIZE(1), TEN, *sized(1))),
    ("null values", "fmi-null", "null", lambda one: one.call("Get" + REAL, references(0), SIZE(1), None, *sized(1))),
    ("nan", "fmi-value", "push", lambda one: one.set("push", math.nan)),
    ("infinite", "fmi-value", "push", lambda one: one.set("push", -math.inf)),
    ("nan for a parameter", "fmi-value", "stiffness", lambda one: one.set("stiffness", math.nan)),
    ("fixed while it runs", "fmi-fixed", "'mass'", lambda one: one.set("mass", 3.0)),
    ("text while it runs", "fmi-order", "running", lambda one: one.set("law", "u")),
    ("an output is set", "fmi-read-only", "an output", lambda one: one.set("place", 1.0)),
    ("a local is set", "fmi-read-only", "computed by the diagram", lambda one: one.set("spring.y", 1.0)),
    ("the time is set", "fmi-read-only", "the time", lambda one: one.set("time", 1.0)),
    ("a formula is set", "fmi-read-only", "--set", lambda one: one.set("mobility", 1.0)),
    ("step off the grid", "fmi-step", "0.0015 s, and a tick of the diagram takes 0.001 s", lambda one: one.step(0.0015)),
    ("step of 0", "fmi-step", "0 s", lambda one: one.step(0.0)),
    ("step back", "fmi-step", "-0.001 s", lambda one: one.step(-0.001)),
    ("step of nan", "fmi-step", "nan", lambda one: one.step(math.nan)),
    ("endless step", "fmi-step", "inf", lambda one: one.step(math.inf)),
    ("other communication point", "fmi-time", "0.5 s, and the instance is at 0.001 s", lambda one: one.step(time=0.5)),
    ("communication point nan", "fmi-time", "nan", lambda one: one.step(time=math.nan)),
    ("initialised twice", "fmi-order", "running", lambda one: one.call("EnterInitializationMode", *(
        (ctypes.c_bool(False), ctypes.c_double(0), ctypes.c_double(0), ctypes.c_bool(False), ctypes.c_double(0)) if THREE else ()))),
    ("initialisation ends twice", "fmi-order", "running", lambda one: one.call("ExitInitializationMode")),
    ("step after the end", "fmi-order", "terminated", step_after_terminate),
    ("garbage as a state", "fmi-state", "not a state", lambda one: one.unpack(b"garbage" * 100)),
    ("no bytes", "fmi-state", "0 are left", lambda one: one.unpack(b"")),
    ("one byte", "fmi-state", "1 are left", lambda one: one.unpack(b"x")),
    ("a state cut", "fmi-state", "checksum", lambda one: packed_with(one, lambda bytes_: bytes_[:-3])),
    ("a state longer", "fmi-state", "checksum", lambda one: packed_with(one, lambda bytes_: bytes_ + b"\0")),
    ("the state of another", "fmi-state", "{other-", lambda one: one.restore(
        packed_with(one, lambda bytes_: foreign(bytes_, one.fmu.token)), 0)),
    ("a state that was freed", "fmi-state", "freed", use_after_free),
    ("a state that never was", "fmi-state", "pointer", lambda one: one.restore(POINTER(8), 0)),
    ("no state", "fmi-state", "pointer", lambda one: one.restore(POINTER(), 0)),
    ("too little room for a state", "fmi-count", "room for 4", lambda one: one.call(
        f"Serialize{STATE}", one.save(), (ctypes.c_ubyte * 4)(), SIZE(4))),
    ("model exchange", "fmi-not-offered", "co-simulation", lambda one: one.call("SetTime", ctypes.c_double(0))),
    ("a derivative", "fmi-not-offered", "co-simulation", lambda one: one.call("GetDirectionalDerivative", *(
        (references(16), SIZE(1), references(12), SIZE(1), TEN, *sized(1), TEN, *sized(1))))),
]
if THREE:
    CALLS += [
        ("array too long", "fmi-count", "the array has 2 values", lambda one: get(one, of(one, "push"), room=2)),
        ("array too short", "fmi-count", "have 3", lambda one: get(one, of(one, "wind"), room=2)),
        ("middle of an array", "fmi-reference", "'wind'", lambda one: get(one, of(one, "wind") + 1)),
        ("a type that no variable has", "fmi-type", "Float32", lambda one: get(one, of(one, "push"), kind="Float32")),
        ("clocks", "fmi-type", "Clock", lambda one: one.call("GetClock", references(0), SIZE(1), TEN)),
        ("event mode", "fmi-not-offered", "without events", lambda one: one.call("EnterEventMode")),
        ("step mode", "fmi-not-offered", "without events", lambda one: one.call("EnterStepMode")),
    ]
else:
    CALLS += [
        ("a pending step", "fmi-not-offered", "co-simulation", lambda one: one.call("CancelStep")),
        ("a status of text", "fmi-not-offered", "", lambda one: one.call("GetStringStatus", 1, ctypes.byref(POINTER()))),
        ("input derivatives", "fmi-not-offered", "", lambda one: one.call("SetRealInputDerivatives", references(12), SIZE(1), TEN, TEN)),
    ]
# Before the start.
EARLY = [
    ("step before the start", "fmi-order", "instantiated", lambda one: one.step()),
    ("initialisation ends before it begins", "fmi-order", "instantiated", lambda one: one.call("ExitInitializationMode")),
    ("terminated before the start", "fmi-order", "instantiated", lambda one: one.call("Terminate")),
    ("start at nan", "fmi-value", "nan", lambda one: one.enter(math.nan)),
    ("choice that is none", "fmi-value", "1 to 3", lambda one: one.set("method", 4)),
    ("law that cannot be read", "block-configure", "servo.xml:19", lambda one: one.start({"law": "u^^"})),
    ("text that is not UTF-8", "fmi-value", "at its byte 1", lambda one: one.set("law", b"u\xff")),
    ("mass of nothing", "fmi-value", "mass", lambda one: one.set("mass", math.nan)),
]
# Instances that do not come to be.
UNBORN = [
    ("wrong token", "fmi-token", "{other}", {"token": "{other}"}),
    ("no token", "fmi-token", "(none)", {"token": ""}),
    ("no name", "fmi-name", "no name", {"name": ""}),
    ("no resources", "fmi-resources", "/nowhere", {"resources": "/nowhere"}),
]
if THREE:
    UNBORN.append(("event mode used", "fmi-not-offered", "without events", {"events": True}))
else:
    UNBORN.append(("model exchange", "fmi-not-offered", "co-simulation", {"kind": 0}))
    UNBORN.append(("resources of no file", "fmi-resources", "/no where", {"resources": "file:///no%20where"}))


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.file = pathlib.Path(cls.place.name) / "servo.fmu"
        hilda_run.export_fmu(HILDA, DIAGRAM, cls.file, "--fmi", str(VERSION))
        cls.fmu = importer.Fmu(cls.file, pathlib.Path(cls.place.name) / "unpacked")
        cls.codes = set()

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def refused(self, what, code, words, call):
        with self.assertRaises(importer.Refused, msg=what) as caught:
            call()
        said = str(caught.exception)
        self.codes.add(code)
        self.assertIn(f"error[{code}]", said, what)
        self.assertIn(words, said, what)
        self.assertIn("\n  help: ", said, what)
        self.assertTrue(said.startswith(f"fmi{VERSION}"), said)

    def works(self, one):
        one.call("Reset")
        one.start()
        one.step(0.003)
        self.assertEqual(one.get("time"), 0.003)

    def test_calls(self):
        one = self.fmu.instance()
        for what, code, words, call in CALLS:
            one.call("Reset")
            one.start()
            one.step()
            self.refused(what, code, words, lambda call=call: call(one))
        self.works(one)
        one.free()

    def test_calls_before_the_start(self):
        for what, code, words, call in EARLY:
            one = self.fmu.instance()
            self.refused(what, code, words, lambda one=one, call=call: call(one))
            self.works(one)
            one.free()

    def test_instances_that_do_not_come_to_be(self):
        for what, code, words, more in UNBORN:
            self.refused(what, code, words, lambda more=more: self.fmu.instance(**{"name": "one", **more}))

    def test_resources_that_were_changed(self):
        diagram = "sources/0_servo.xml"
        changes = [
            ("a broken diagram", diagram, lambda text: text.replace('type="math/Sum"', 'type="math/Zum"'), "unknown-type",
             "servo.xml:13"),
            ("a cut diagram", diagram, lambda text: text[:400], "xml-syntax", "servo.xml"),
            ("another diagram", diagram, lambda text: text.replace("sails", "jibs"), "fmi-variables", self.fmu.token),
            ("a list that is none", "hilda.json", lambda text: text[1:], "fmi-resources", "hilda.json"),
            ("a list of nothing", "hilda.json", lambda _: "{}", "fmi-resources", "hilda.json"),
            ("a list of numbers", "hilda.json", lambda text: text.replace('"mode": "', '"mode": 1, "x": "'), "fmi-resources", "hilda.json"),
        ]
        for number, (what, file, change, code, words) in enumerate(changes):
            folder = pathlib.Path(self.place.name) / f"resources{number}"
            shutil.copytree(self.fmu.folder / "resources", folder)
            before = (folder / file).read_text()
            self.assertNotEqual(change(before), before, what)
            (folder / file).write_text(change(before))
            place = folder.as_uri() if VERSION == 2 else str(folder)
            self.refused(what, code, words, lambda place=place: self.fmu.instance(resources=place))

    def test_any_byte_of_a_state_may_be_wrong(self):
        one = self.fmu.instance()
        one.start()
        packed = one.pack(one.save())
        for at in [*range(0, 64), *range(64, len(packed), max(1, len(packed) // 200))]:
            bad = bytearray(packed)
            bad[at] ^= 0x81
            self.refused(f"byte {at}", "fmi-state", "", lambda bad=bad: one.unpack(bytes(bad)))
        self.works(one)
        one.free()

    def test_null_instances_and_loggers(self):
        for name in ("Terminate", "Reset", "ExitInitializationMode"):
            self.assertEqual(self.fmu.function(name)(POINTER()), importer.ERROR)
        self.fmu.function("FreeInstance", None)(POINTER())
        if THREE:
            made = self.fmu.function("InstantiateCoSimulation", POINTER)
            no = ctypes.c_bool(False)
            self.assertIsNone(made(b"one", self.fmu.token.encode(), b"", no, no, no, no, None, SIZE(0), None, None, None))
        else:
            self.assertIsNone(self.fmu.function("Instantiate", POINTER)(b"one", 1, self.fmu.token.encode(), b"", None, 0, 0))

    def test_zz_every_code_was_seen(self):
        source = "".join(file.read_text() for file in (TREE / "tools/fmi").rglob("*.cpp")) + \
                 "".join(file.read_text() for file in (TREE / "tools/fmi").rglob("*.h"))
        codes = set(re.findall(r'refusal\(\s*"([a-z-]+)"', source))
        self.assertGreater(len(codes), 12)
        unseen = {"fmi-shape", "fmi-no-state", "fmi-ended"}  # package_test.py
        self.assertEqual(codes - unseen - self.codes, set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
