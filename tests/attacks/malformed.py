# SPDX-License-Identifier: BSD-3-Clause
"""Attacks by libraries that are not plugins, or whose table of blocks is wrong in one place: loaded by `hilda run` and
`hilda test-plugin`. All are refused, or the file is named where it crashes."""
import collections
import os
import pathlib
import re
import shutil
import signal
import struct
import tempfile

from bench import Row

TITLE = "Malformed plugins"

DIAGRAM = """<diagram format="1" name="m" period="1 ms">
  <parameter name="duration" value="5 ms"/>
  <block name="it" type="{type}"/>
</diagram>
"""
# Faults of a library's file: name, and what is written where (offset in the ELF header, format, value).
HEADER = {"another magic number": (0, "4s", b"\x7fELG"), "32 bits": (4, "B", 1), "big-endian": (5, "B", 2),
          "another version": (6, "B", 9), "another system": (7, "B", 99), "a program": (16, "<H", 2),
          "an object": (16, "<H", 1), "a core": (16, "<H", 4), "another processor": (18, "<H", 40),
          "segments beyond its end": (32, "<Q", 1 << 40), "segments at an odd place": (32, "<Q", 65),
          "segments of no size": (54, "<H", 0), "no segments": (56, "<H", 0), "65535 segments": (56, "<H", 65535)}


def spoilt(whole):
    """Files that are not a sound library, by name."""
    for name, (offset, form, value) in HEADER.items():
        data = bytearray(whole)
        struct.pack_into(form, data, offset, value)
        yield name, bytes(data)
    yield "nothing", b""
    yield "its header alone", whole[:64]
    yield "its first half", whole[:len(whole) // 2]
    yield "a text", b"no library\n" * 100


def tables(bench):
    """What tests/abi/plugins/malformed.c can have wrong."""
    source = (bench.source / "tests" / "abi" / "plugins" / "malformed.c").read_text()
    return list(dict.fromkeys(re.findall(r'\bis\("([^"]+)"\)', source)))


def tried(bench, file, kind, more):
    """How `run` and `test-plugin` end, in words, and what failed."""
    folder = bench.folder()
    (folder / "p").mkdir()
    shutil.copy(file, folder / "p" / file.name)
    (folder / "m.xml").write_text(DIAGRAM.format(type=f"{file.stem}/{kind}"))
    os.environ.update(more)
    said, failures = [], []
    for arguments in (["run", "m.xml", "--no-log", "--plugins", "p"], ["test-plugin", "p/" + file.name]):
        result = bench.run(arguments, folder, timeout=60)
        code = re.search(r"error\[(plugin-[\w-]+)\]", result.err)
        named = file.name in result.err + result.out
        if result.exit == 2 and code and named:
            said.append(f"refused ({code[1]})")
        elif result.exit in (2, 3) and named and "took too long" not in result.err:
            said.append("refused in words")
        elif result.exit < 0 and named:
            said.append(f"named, then {signal.Signals(-result.exit).name}")
        else:
            failures.append(f"{file.name} {more or ''}, {arguments[0]}: exit {result.exit}: {result.err[-200:]!r}")
    for name in more:
        del os.environ[name]
    bench.clear()
    return said, failures


def row(bench, title, cases):
    outcomes, failures, names = collections.Counter(), [], []
    for name, file, kind, more in cases:
        said, failed = tried(bench, file, kind, more)
        outcomes.update(said)
        failures += failed
        names.append(name)
    return Row(f"{title}: {', '.join(names)}", len(names), outcomes, failures)


def attacks(bench, _scale):
    abi = bench.build / "tests" / "abi" / "plugins"
    yield row(bench, "a table that is wrong in one place",
              [(name, abi / "malformed.so", "Sound", {"HILDA_MALFORMED": name}) for name in tables(bench)])
    yield row(bench, "a table that leads nowhere",
              [(name, bench.build / "tests" / "guests" / "dangling" / "dangling.so", "Block", {"HILDA_DANGLES": name})
               for name in ("name", "slots", "table")])
    yield row(bench, "a library that does wrong when it is loaded",
              [(name, abi / f"{name}.so", "Block", {})
               for name in ("no_entry", "no_table", "unresolved", "throwing_entry", "throwing_static",
                            "rounding_entry")])
    with tempfile.TemporaryDirectory(prefix="hilda_attack_") as folder:
        cases = []
        for number, (name, data) in enumerate(spoilt((abi / "malformed.so").read_bytes())):
            file = pathlib.Path(folder) / f"spoilt{number}.so"
            file.write_bytes(data)
            cases.append((name, file, "Sound", {}))
        yield row(bench, "a file that is", cases)
