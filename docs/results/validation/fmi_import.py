#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""FMUs of others in a diagram, judged: by closed forms, by the importer in tests/fmi, which shares no code with hilda's, and by tables of others.

    docs/results/validation/fmi_import.py --build build --write FMU...      docs/results/validation/fmi_import.md

Each FMU is a file; nothing is fetched. The page is of the Reference-FMUs of the Modelica Association (2.0 and 3.0, co-simulation); the closed
forms here are theirs. Other FMUs are compared with the importer alone.

    --tables FOLDER      of NAME/NAME_out.csv, as the tree of Reference-FMUs has it: what its own program computed
"""
import argparse
import csv
import datetime
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "tests/fmi"))
import importer  # noqa: E402

STEPS = 300


def dahlquist(count, _):
    return {"x": [0.9 ** k for k in range(count)]}


def bouncing_ball(count, h):
    """Forward Euler with steps of 1 ms, up to the first contact."""
    inner = 0.001
    ball, velocity, all_of_it = 1.0, 0.0, {"h": [], "v": []}
    for _ in range(count):
        all_of_it["h"].append(ball), all_of_it["v"].append(velocity)
        for _ in range(round(h / inner)):
            ball, velocity = ball + inner * velocity, velocity - inner * 9.81
    return all_of_it


def van_der_pol(count, h):
    x0, x1, all_of_it = 2.0, 0.0, {"x0": [], "x1": []}
    for _ in range(count):
        all_of_it["x0"].append(x0), all_of_it["x1"].append(x1)
        x0, x1 = x0 + h * x1, x1 + h * ((1 - x0 * x0) * x1 - x0)
    return all_of_it


def stair(count, h):
    return {"counter": [min(1 + int(k * h + 1e-9), 10) for k in range(count)]}


def resource(count, _):
    return {"y": [97.0] * count}


CLOSED = {"Dahlquist": dahlquist, "VanDerPol": van_der_pol, "Stair": stair, "Resource": resource, "BouncingBall": bouncing_ball}
SECONDS = {"Stair": 9.0, "BouncingBall": 0.4}  # before it ends the simulation; before the first contact


def hilda_table(hilda, fmu, folder):
    """The outputs by their names in the FMU, a row a step."""
    shutil.copy(fmu, folder / "plant.fmu")
    said = subprocess.run([hilda, "import-fmu", folder / "plant.fmu", "-o", folder / "plant.xml"], check=True, capture_output=True, text=True).stdout
    text = (folder / "plant.xml").read_text()
    step = re.search(r'name="communication_step" value="([^"]*) s"', text)
    step = float(step.group(1)) if step else 0.1
    text = text.replace("<input name=", "<input optional=\"true\" name=")
    body, block = text.split("<block", 1)
    (folder / "plant.xml").write_text(body + "<block" + block.replace("<input optional=\"true\" name=", "<input name="))
    name = fmu.stem
    seconds = SECONDS.get(re.sub(r"\d*$", "", name), STEPS * step)
    (folder / "loop.xml").write_text(f"""<diagram format="1" name="loop" period="{step} s">
  <subsystem name="plant" src="plant.xml"/>
  <log signals="*"/>
</diagram>
""")
    begin = time.perf_counter()
    done = subprocess.run([hilda, "run", "loop.xml", "--for", f"{seconds}s"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    used = time.perf_counter() - begin
    subprocess.run([hilda, "export", "out/loop.mcap", "--csv", "-o", "table.csv"], cwd=folder, check=True, capture_output=True)
    with open(folder / "table.csv") as file:
        rows = list(csv.reader(file))
    columns = [re.sub(r" \[.*?\]$", "", each) for each in rows[0]]
    values = {column: [float(row[i]) for row in rows[1:]] for i, column in enumerate(columns)}
    inside = dict(re.findall(r'<output name="([^"]*)"(?: variable="([^"]*)")?', block))

    def column_of(port):
        """Of an array a list a step."""
        parts = [values[each] for each in values if each.startswith(f"plant.fmu.{port}[")]
        return values.get(f"plant.fmu.{port}") or [list(row) for row in zip(*parts)]
    return step, {(variable or name): column_of(name) for name, variable in inside.items()}, values, used, said


def by_importer(fmu, folder, step, table):
    """Equal bits? And the largest difference."""
    count = len(next(iter(each for each in table.values() if each)))
    largest, numbers = 0.0, 0
    with importer.Fmu(fmu, folder / "unpacked") as unpacked:
        one = unpacked.instance()
        one.start()
        for k in range(count):
            for name, column in table.items():
                here, there = column[k], one.get(name)
                for mine, other in zip(here, there) if isinstance(here, list) else [(here, there)]:
                    largest, numbers = max(largest, abs(mine - other)), numbers + 1
            if k + 1 < count and not one.step(step, round(k * step, 9)):
                break
        one.free()
    return numbers, largest


def judge(hilda, fmu, tables, folder):
    step, table, _, used, said = hilda_table(hilda, fmu, folder)
    numbers, largest = by_importer(fmu, folder, step, table)
    version = re.search(r"FMI (\d)", said).group(1)
    name = re.sub(r"\d*$", "", fmu.stem)
    count = len(next(iter(each for each in table.values() if each)))
    closed = "no closed form here"
    if name in CLOSED:
        expected = CLOSED[name](count, step)
        closed = f"{max(abs(a - b) for key, column in expected.items() for a, b in zip(table[key], column)):.1e}"
    theirs = "not here"
    file = tables / name / f"{name}_out.csv" if tables else None
    if file is not None and file.exists():
        with open(file) as opened:
            rows = list(csv.DictReader(opened))
        worst, found = 0.0, 0
        for row in rows:
            k = round(float(row["time"]) / step)
            if abs(k * step - float(row["time"])) > 1e-9 or k >= count:
                continue
            for key, column in table.items():
                if key not in row or row[key] in ("true", "false"):
                    continue
                here = column[k] if isinstance(column[k], list) else [column[k]]
                for mine, other in zip(here, row[key].split()):
                    worst, found = max(worst, abs(mine - float(other))), found + 1
        theirs = f"{worst:.1e} of {found} numbers" if found else "no number in common"
    return {"name": name, "version": version, "steps": count, "numbers": numbers, "importer": largest, "closed": closed, "theirs": theirs,
            "used": used}


def page(results):
    lines = ["# FMUs of others in a diagram, judged", "",
             "After reading this page you can say with what imported FMUs were compared. [FMI](../../fmi.md#an-fmu-in-a-diagram) shows how to import one.", "",
             f"Written by `docs/results/validation/fmi_import.py` on {datetime.date.today():%-d %B %Y}, {platform.machine()}. The FMUs are "
             "Reference-FMUs of the Modelica Association, built for co-simulation. Each was imported by `hilda import-fmu` and run with its own step.", "",
             "The importer of `tests/fmi` is a separate program in Python. The closed form is computed step by step in the script. The published table is "
             "the one in the source tree of the Reference-FMUs; it belongs to an input file where the FMU has inputs, and is compared where the "
             "FMU has none. Each column is the largest absolute difference.", "",
             "| FMU | FMI | steps | importer of ours | closed form | published table |", "|---|---|---|---|---|---|"]
    for each in results:
        lines.append(f"| {each['name']} | {each['version']}.0 | {each['steps']} | {each['importer']:.1e} of {each['numbers']} numbers | {each['closed']} | {each['theirs']} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fmus", nargs="+", type=pathlib.Path, metavar="FMU")
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--tables", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="docs/results/validation/fmi_import.md; else the page is printed")
    arguments = parser.parse_args()
    hilda = (arguments.build / "bin/hilda").resolve()
    results = []
    for fmu in arguments.fmus:
        with tempfile.TemporaryDirectory() as folder:
            results.append(judge(hilda, fmu.resolve(), arguments.tables, pathlib.Path(folder)))
            print(results[-1], file=sys.stderr)
    text = page(results)
    if arguments.write:
        (SOURCE / "docs/results/validation/fmi_import.md").write_text(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
