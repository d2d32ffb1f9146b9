#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Diagrams as FMUs, judged by importers of others and by one of ours: numbers, sizes, times.

    docs/results/validation/fmi.py --build build --write      docs/results/validation/fmi.md

Judges are used where a path is given; nothing is fetched:

    --fmpy FOLDER        the folder src of FMPy's source tree; requires python3-attr, -lark, -msgpack, -lxml, -jinja2, -numpy
    --fmusim PROGRAM     fmusim 0.0.39, the C program of Reference-FMUs before July 2026
    --schema-2 FILE      fmi2ModelDescription.xsd, and --schema-3 FILE fmi3ModelDescription.xsd: read by xmllint
    --bare ROOT          a bare Debian with python3-minimal and libpython3-stdlib: by chroot, as root
"""
import argparse
import csv
import datetime
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "tests/fmi"))
import hilda_run  # noqa: E402
import importer  # noqa: E402

DIAGRAMS = {"diagrams/pida.xml": 2.0, "diagrams/dac.xml": 1.0, "diagrams/tdpa.xml": 1.0, "diagrams/passive_integrator.xml": 1.0,
            "diagrams/emulation_two_link.xml": 0.2, "tests/fmi/servo.xml": 1.0}
ABSENT = "not here"


def scalars(fmu):
    return [each for each in fmu.outputs() if each.type in ("Real", "Float64") and each.count == 1]


def columns_of(fmu, table):
    """Variables of real numbers that the log has, and its columns in the FMU's order of elements."""
    variables, columns = [], []
    for each in fmu.outputs():
        if each.type not in ("Real", "Float64"):
            continue
        parts = [each.name] if fmu.version == 2 and each.name in table else hilda_run.parts_of(table, each.name)
        if len(each.shape) == 2:
            parts = [parts[col * each.shape[0] + row] for row in range(each.shape[0]) for col in range(each.shape[1])]
        if len(parts) == each.count and "" not in (table[part][0] for part in parts):
            variables.append(each)
            columns += parts
    return variables, columns


def by_ours(fmu, table):
    """Steps, whether all bits are those of the log, and microseconds a step: alone, and with every variable read."""
    variables, columns = columns_of(fmu, table)
    steps = len(table["time"])
    rows = [struct.pack(f"{len(columns)}d", *[table[column][k] for column in columns]) for k in range(steps)]
    one = fmu.instance().start()
    equal, used = 0, 0.0
    for k in range(steps):
        begin = time.perf_counter()
        if k > 0:
            one.step()
        seen = one.read_all(variables)
        used += time.perf_counter() - begin
        equal += seen == rows[k]
    one.free()
    one = fmu.instance().start()
    begin = time.perf_counter()
    for _ in range(steps - 1):
        one.step()
    alone = time.perf_counter() - begin
    one.free()
    return {"numbers": len(columns), "steps": steps, "equal": equal == steps, "step": 1e6 * alone / steps, "read": 1e6 * used / steps}


def by_fmpy(folder, file, fmu, table, seconds):
    sys.path.insert(0, str(folder))
    from fmpy import simulate_fmu
    from fmpy.validation import validate_fmu
    problems = validate_fmu(str(file))
    variables, columns = columns_of(fmu, table)
    begin = time.perf_counter()
    result = simulate_fmu(str(file), stop_time=seconds - fmu.step, output_interval=fmu.step, output=[each.name for each in variables])
    used = time.perf_counter() - begin
    seen = [[float(number) for name in result.dtype.names[1:] for number in row[name].ravel()] for row in result]
    equal = seen == [[table[column][k] for column in columns] for k in range(len(table["time"]))]
    return f"{len(problems)} problems, {len(seen)} steps of {len(columns)} numbers {'equal' if equal else 'DIFFERENT'}", used


def by_fmusim(program, file, fmu, table, seconds, folder):
    names = [each.name for each in scalars(fmu) if each.name in table]
    if not names:
        return "the diagram has no scalars", None
    out = pathlib.Path(folder) / "fmusim.csv"
    chosen = [word for name in names for word in ("--output-variable", name)]
    begin = time.perf_counter()
    ended = subprocess.run([program, "--interface-type", "cs", "--stop-time", str(seconds - fmu.step), "--output-interval", str(fmu.step),
                            *chosen, "--output-file", out, file], capture_output=True, text=True, timeout=300)
    used = time.perf_counter() - begin
    if ended.returncode != 0:
        return f"FAILED: {ended.stdout[-200:]}{ended.stderr[-200:]}", used
    with out.open(newline="") as text:
        rows = list(csv.reader(text))
    worst = 0.0
    for i, name in enumerate(rows[0][1:], 1):
        for k, row in enumerate(rows[1:]):
            there, here = float(row[i]), table[name][k]
            worst = max(worst, abs(there - here) / max(abs(here), 1e-300) if there != here else 0.0)
    return f"{len(rows) - 1} steps of {len(names)} variables, largest relative difference {worst:.1e}", used


def by_xmllint(schema, fmu):
    ended = subprocess.run(["xmllint", "--noout", "--schema", schema, fmu.folder / "modelDescription.xml"], capture_output=True, text=True)
    return "valid" if ended.returncode == 0 else "INVALID"


def by_bare(root, file, version):
    place = pathlib.Path(root) / "srv/fmi"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for each in (SOURCE / "tests/fmi/importer.py", SOURCE / "tests/fmi/drive.py", file):
        shutil.copy(each, place)
    inside = ["chroot", root, "python3", "/srv/fmi/drive.py", f"/srv/fmi/{file.name}", "/srv/fmi/unpacked", "2000"]
    here = [sys.executable, SOURCE / "tests/fmi/drive.py", file, place / "here", "2000"]
    bits = [subprocess.run(command, capture_output=True, text=True, timeout=300).stdout.split()[-1:] for command in (inside, here)]
    return "equal bits" if bits[0] and bits[0] == bits[1] else "FAILED"


def run_time(hilda, diagram, seconds):
    """Microseconds a step that `hilda run` prints."""
    said = subprocess.run([hilda, "run", diagram, "--for", f"{seconds} s"], capture_output=True, text=True, timeout=300).stdout
    found = re.search(r"(\d+) steps in ([\d.]+) (ms|s)", said)
    return 1e6 * float(found[2]) * (1e-3 if found[3] == "ms" else 1) / int(found[1])


def judge(arguments, hilda, diagram, seconds, version, folder):
    file = pathlib.Path(folder) / f"{pathlib.Path(diagram).stem}{version}.fmu"
    said = hilda_run.export_fmu(hilda, SOURCE / diagram, file, "--fmi", str(version))
    table = hilda_run.run_table(hilda, SOURCE / diagram, folder, seconds)
    begin = time.perf_counter()
    fmu = importer.Fmu(file, pathlib.Path(folder) / f"{file.stem}")
    unpacked = time.perf_counter()
    fmu.instance().free()
    first = time.perf_counter()
    fmu.instance().free()
    second = time.perf_counter()
    binaries = sum(each.stat().st_size for each in fmu.library.parent.rglob("*") if each.is_file())
    schema = arguments.schema_2 if version == 2 else arguments.schema_3
    fmpy = by_fmpy(arguments.fmpy, file, fmu, table, seconds) if arguments.fmpy else (ABSENT, None)
    fmusim = by_fmusim(arguments.fmusim, file, fmu, table, seconds, folder) if arguments.fmusim else (ABSENT, None)
    return {"diagram": pathlib.Path(diagram).stem, "version": version, "packed": file.stat().st_size, "binaries": binaries,
            "needs": re.search(r"needs (.*) of the host", said)[1], "unpack": unpacked - begin, "first": first - unpacked,
            "second": second - first, "ours": by_ours(fmu, table), "fmpy": fmpy, "fmusim": fmusim,
            "xmllint": by_xmllint(schema, fmu) if schema else ABSENT,
            "bare": by_bare(arguments.bare, file, version) if arguments.bare else ABSENT,
            "run": run_time(hilda, SOURCE / diagram, seconds)}


def page(results):
    lines = ["# Diagrams as FMUs, judged", "",
             "After reading this page you can say what an FMU of hilda was compared with, how large it is and how fast. "
             "[FMI](../../fmi.md) shows how to export one.", "",
             f"Written by `docs/results/validation/fmi.py` on {datetime.date.today():%-d %B %Y}, {platform.machine()}, Python {platform.python_version()}; "
             "other work ran at the same time, so times are upper bounds.", "",
             "## Numbers", "",
             "The importer of `tests/fmi` steps each FMU tick by tick and compares every real number with the log of `hilda run`, bit by "
             "bit. What FMPy computes is compared in the same way, array by array. fmusim writes scalars in 16 digits, so that a difference of 1e-15 "
             "is its rounding.", "",
             "| diagram | FMI | importer of ours | FMPy | fmusim 0.0.39 | xmllint | bare Debian 12 |", "|---|---|---|---|---|---|---|"]
    for each in results:
        ours = each["ours"]
        lines.append(f"| {each['diagram']} | {each['version']}.0 | {ours['steps']} steps of {ours['numbers']} numbers "
                     f"{'equal' if ours['equal'] else 'DIFFERENT'} | {each['fmpy'][0]} | {each['fmusim'][0]} | {each['xmllint']} | {each['bare']} |")
    lines += ["", "## Size and times", "",
              "Packed: the file. Libraries: unpacked, without what debuggers want. The first instance loads engine and plugins, a later one the "
              "diagram alone. A step is through ctypes, which takes a part of it; `hilda run` steps without it.", "",
              "| diagram | FMI | packed | libraries | first instance | later instance | step | step, all read | step of `hilda run` | needs |",
              "|---|---|---|---|---|---|---|---|---|---|"]
    for each in results:
        ours = each["ours"]
        lines.append(f"| {each['diagram']} | {each['version']}.0 | {each['packed'] / 1e6:.2f} MB | {each['binaries'] / 1e6:.2f} MB | "
                     f"{1e3 * each['first']:.0f} ms | {1e3 * each['second']:.0f} ms | {ours['step']:.0f} us | {ours['read']:.0f} us | "
                     f"{each['run']:.0f} us | {each['needs']} |")
    timed = [each for each in results if each["fmusim"][1] is not None and each["fmpy"][1] is not None]
    if timed:
        lines += ["", "A whole simulation by others, from the file to the last step:", "", "| diagram | FMI | fmusim | FMPy |", "|---|---|---|---|"]
        lines += [f"| {each['diagram']} | {each['version']}.0 | {each['fmusim'][1]:.2f} s | {each['fmpy'][1]:.2f} s |" for each in timed]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--fmpy", type=pathlib.Path)
    parser.add_argument("--fmusim", type=pathlib.Path)
    parser.add_argument("--schema-2", type=pathlib.Path)
    parser.add_argument("--schema-3", type=pathlib.Path)
    parser.add_argument("--bare", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="docs/results/validation/fmi.md; else the page is printed")
    arguments = parser.parse_args()
    hilda = (arguments.build / "bin/hilda").resolve()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for diagram, seconds in DIAGRAMS.items():
            for version in (2, 3):
                results.append(judge(arguments, hilda, diagram, seconds, version, folder))
                print(results[-1], file=sys.stderr)
    text = page(results)
    if arguments.write:
        (SOURCE / "docs/results/validation/fmi.md").write_text(text)
    else:
        print(text)
    bad = [each for each in results if not each["ours"]["equal"] or any(word in str(each) for word in ("DIFFERENT", "INVALID", "FAILED"))]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
