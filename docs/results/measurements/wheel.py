#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Installs the wheel in an empty Debian 12 that has Python's venv and neither a compiler nor a network, and uses it there.

    docs/results/measurements/wheel.py --wheel FILE.whl --root FOLDER            as a test; needs root and debootstrap
    docs/results/measurements/wheel.py --wheel FILE.whl --root FOLDER --write    the section "The wheel" of docs/results/measurements/packages.md

`--sdist FILE.tar.gz` also lets pip make a wheel of the source distribution, on this machine, and compares it byte by byte with
the other; that compiles all of hilda, unless the compiler's cache has it.

FOLDER holds the empty system; it is made where it is not there, and packages.py may use the same one. Commands of
docs/install.md and the first lines of docs/python.md are read from the pages themselves. `--quick` leaves out the compiler
that is installed last, to build a plugin.
"""
import argparse
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from packages import PAGE, SOURCE, TRIAL, WHEEL, Root, commands, processor_ms, studio_answers

GOAL = 8.0
HOME = f"/{TRIAL}"
PACKAGE = f"{HOME}/venv/lib/python3.11/site-packages/hilda"
PIDA = f"{PACKAGE}/share/hilda/diagrams/pida.xml"
COMPILERS = ["gcc", "g++", "cc", "c++", "clang", "cmake", "make", "ld"]
KINDS = [("hilda/lib/hilda/fmu/", "library of FMUs"), ("hilda/lib/hilda/needed/", "libraries of others"),
         ("hilda/lib/hilda/plugins/", "plugins"), ("hilda/lib/hilda/libhilda_math", "for plugins of your own"),
         ("hilda/include/", "for plugins of your own"), ("hilda/lib/cmake/", "for plugins of your own"),
         ("hilda/share/hilda/template/", "for plugins of your own"), ("hilda/lib/", "library"), ("hilda/bin/", "program"),
         ("hilda/share/hilda/diagrams/", "diagrams"), ("hilda/share/hilda/", "schemas, SBOM"),
         ("hilda/share/doc/", "licences"), ("hilda/", "Python module"), ("", "texts of the wheel, command")]


class Offline(Root):
    """Commands see no network but their own loopback."""

    def words(self, script, folder=HOME):
        return ["unshare", "--net", *super().words(script, folder)]


def example():
    """The first lines of docs/python.md."""
    return re.search(r"^```python\n(.*?)^```", (SOURCE / "docs/python.md").read_text(), re.M | re.S)[1]


def kinds(wheel):
    """{kind: (files, bytes in the wheel, bytes installed)}"""
    found = {}
    with zipfile.ZipFile(wheel) as opened:
        for entry in opened.infolist():
            kind = next(shown for start, shown in KINDS if entry.filename.startswith(start))
            number, packed, size = found.get(kind, (0, 0, 0))
            found[kind] = number + 1, packed + entry.compress_size, size + entry.file_size
    return found


def bare(online, offline):
    """Python's venv comes in; what would build or replace a part of the wheel is not there."""
    online.run("apt-get install -y -qq python3-venv")
    said = online.run("for each in " + " ".join(COMPILERS) + "; do command -v $each || true; done; ls /usr/lib/*/libfmt.so* "
                      "/usr/lib/*/libudunits2.so* /usr/lib/python3/dist-packages/numpy 2>/dev/null || true")
    if said:
        raise SystemExit(f"the system is not empty, it has: {said}")
    offline.run("! timeout 5 bash -c '</dev/tcp/deb.debian.org/80' 2>/dev/null")


def program(offline, online):
    """(what, how it came out) of the command `hilda` in a venv that has nothing else."""
    offline.run(commands("wheel"))
    offline.run(f"cmp <(venv/bin/hilda --version) <({PACKAGE}/bin/hilda --version)")
    yield "`pip install` of the wheel and PIDA with 20 ms of delay, without a network", "runs; `hilda plot` draws its log"
    offline.run(f"venv/bin/hilda info pida.mcap >info && grep -q pida info && grep -q '<svg' pida.svg && venv/bin/hilda export-fmu {PIDA} -o p.fmu")
    yield "`hilda check`, `info`, `export-fmu`, `--version --sbom`", "work"
    size = studio_answers(online, f"venv/bin/hilda studio {PIDA}")
    yield "`hilda studio`", f"its page and script ({size / 1e3:.0f} kB) come over the loopback"
    yield "`hilda new-plugin`", "writes a plugin's folder: " + offline.run(
        "venv/bin/hilda new-plugin my_filters >said && ls my_filters | tr '\\n' ' '").strip()
    linked = offline.run(f"find {PACKAGE} -name '*.so*' -exec /usr/bin/ldd {{}} + | grep -E 'not found|hld'")
    outside = [line for line in linked.splitlines() if "not found" in line or PACKAGE not in line]
    if outside or "hldfmt" not in linked:
        raise SystemExit(f"libraries are not those of the wheel: {outside[:10]}")
    yield "the libraries that it contains", "are the ones that are loaded, from its own folder"


def from_python(online, offline):
    said = offline.run("venv/bin/python -c 'import hilda'", fails=True)
    if "hilda needs NumPy" not in said:
        raise SystemExit(f"without NumPy it does not say so: {said}")
    yield "`import hilda` without NumPy", "says that NumPy is missing, and how to get it"
    online.run("apt-get install -y -qq python3-numpy")
    offline.run("rm -r venv\n" + commands("wheel-python"))
    (offline.work / "example.py").write_text(example() + "print(run, run.time[-1], simulation.summary['contacts'][0]['cov'])\n")
    said = offline.run("venv/bin/python example.py")
    if "hilda.Run" not in said:
        raise SystemExit(f"the example prints {said}")
    yield "the first lines of python.md, with Debian's NumPy", "run: " + said.split(">")[0].strip("<").strip()


def broken(offline):
    """What a user reads whose installation is not whole, or another machine's."""
    cases = [(f"mv {PACKAGE}/lib/hilda/needed/hldfmt.so.9 kept", f"mv kept {PACKAGE}/lib/hilda/needed/hldfmt.so.9",
              "hldfmt.so.9", "a library is missing"),
             (f"mv {PACKAGE}/_engine.cpython-311-x86_64-linux-gnu.so {PACKAGE}/_engine.cpython-312-x86_64-linux-gnu.so",
              f"mv {PACKAGE}/_engine.cpython-312-x86_64-linux-gnu.so {PACKAGE}/_engine.cpython-311-x86_64-linux-gnu.so",
              "this hilda is for Python 3.12", "the module is another Python's")]
    for spoil, mend, words, what in cases:
        offline.run(spoil)
        said = offline.run("venv/bin/python -c 'import hilda'", fails=True)
        if words not in said or "help: " not in said:
            raise SystemExit(f"{what}: it does not say so: {said}")
        offline.run(mend)
        yield f"`import hilda` where {what}", "says so, and what to do"
    wheel = next(offline.work.glob("hilda-*.whl"))
    other = wheel.name.replace("cp311-cp311", "cp312-cp312")
    said = offline.run(f"cp {wheel.name} {other}; venv/bin/pip install --no-index --no-deps ./{other}; code=$?; rm {other}; exit $code",
                       fails=True)
    if "is not a supported wheel on this platform" not in said:
        raise SystemExit(f"pip says of another Python's wheel: {said}")
    yield "`pip install` of another Python's wheel", "pip refuses it: not a supported wheel on this platform"


def plugin(online):
    """With a compiler: what `hilda new-plugin` of the wheel writes builds, passes its tests and runs."""
    online.run("apt-get install -y -qq cmake g++ libeigen3-dev libgtest-dev make")
    option = re.search(r"-Dhilda_DIR=\S+", (online.work / "said").read_text())
    if option is None:
        raise SystemExit(f"new-plugin does not say where hilda is: {(online.work / 'said').read_text()}")
    online.run(f"cmake -S my_filters -B built {option[0]} && cmake --build built && ctest --test-dir built --output-on-failure && "
               "venv/bin/hilda run my_filters/my_filters.xml --plugins built/lib/hilda/plugins --for 0.2s --no-log")
    yield "that plugin, once a compiler is installed", "builds, passes its tests and runs"


def times(offline):
    idle = processor_ms(offline.words("exec /bin/true"))
    for what, command in (("`hilda --version`, by the command in the venv", "venv/bin/hilda --version"),
                          ("`hilda --version`, the program alone", f"{PACKAGE}/bin/hilda --version"),
                          ("`hilda check pida.xml`", f"venv/bin/hilda check {PIDA}"),
                          ("`import hilda` in Python", "venv/bin/python -c 'import hilda'"),
                          ("`import numpy` alone, which is a part of it", "venv/bin/python -c 'import numpy'")):
        yield what, f"{processor_ms(offline.words('exec ' + command)) - idle:.0f} ms of processor time"


def trial(wheel, folder, quick):
    online, offline = Root(folder), Offline(folder)
    before = online.packages()
    shutil.copy(wheel, offline.work)
    try:
        bare(online, offline)
        done = [*program(offline, online), *from_python(online, offline), *broken(offline), *times(offline)]
        return done + list(() if quick else plugin(online))
    finally:
        added = [each for each in online.packages() if each not in before]
        online.run("apt-get purge -y -qq " + " ".join(added))
        shutil.rmtree(offline.work)


def from_sources(wheel, sdist):
    """pip makes the wheel again, of the source distribution."""
    with tempfile.TemporaryDirectory(prefix="hilda_sdist_") as folder:
        subprocess.run(["/usr/bin/python3", "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--no-cache-dir",
                        "--disable-pip-version-check", "-w", folder, sdist.resolve()], check=True, stdout=subprocess.DEVNULL)
        other = next(pathlib.Path(folder).glob("*.whl"))
        if other.name != wheel.name or other.read_bytes() != wheel.read_bytes():
            raise SystemExit(f"the wheel {other.name} of {sdist.name} has other bytes than {wheel.name}: is it of the same revision?")
    yield f"`pip wheel` of the source distribution ({sdist.stat().st_size / 1e6:.1f} MB)", "gives the same wheel, byte for byte"


def section(wheel, done):
    found = kinds(wheel)
    size, installed = wheel.stat().st_size / 1e6, sum(each[2] for each in found.values()) / 1e6
    lines = [f"Written by docs/results/measurements/wheel.py on {datetime.date.today()}, from `{wheel.name}`; the machine had a load of "
             f"{os.getloadavg()[1]:.0f}.", "",
             f"The wheel has {size:.1f} MB and takes {installed:.1f} MB when it is installed. The goal is {GOAL:.0f} MB: "
             f"{'met' if size < GOAL else '**missed**'}.", "",
             "| contents | files | in the wheel, MB | installed, MB |", "|---|---|---|---|"]
    for kind, (number, packed, whole) in sorted(found.items(), key=lambda each: -each[1][1]):
        lines.append(f"| {kind} | {number} | {packed / 1e6:.2f} | {whole / 1e6:.2f} |")
    lines += ["", "An empty Debian 12 gets `python3-venv`, and neither a compiler nor a network. There the wheel is installed and used:", "",
              "| done | outcome |", "|---|---|"]
    lines += [f"| {what} | {outcome} |" for what, outcome in done]
    lines += ["", "To run it again: `docs/results/measurements/wheel.py --wheel FILE.whl --sdist FILE.tar.gz --root FOLDER --write`", ""]
    return WHEEL + "\n" + "\n".join(lines)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wheel", type=pathlib.Path, required=True)
    options.add_argument("--root", type=pathlib.Path, required=True)
    options.add_argument("--sdist", type=pathlib.Path)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    if given.quick and given.write:
        raise SystemExit("--write needs the whole trial: leave --quick out")
    if not zipfile.is_zipfile(given.wheel):
        raise SystemExit(f"{given.wheel} is no wheel: tools/wheel.sh makes one")
    for tool in ("debootstrap", "unshare", "chroot"):
        if shutil.which(tool) is None or os.geteuid() != 0:
            raise SystemExit(f"this needs root and {tool}")
    subprocess.run([SOURCE / "tools/check_wheel.py", given.wheel], check=True)
    done = trial(given.wheel.resolve(), given.root.resolve(), given.quick)
    if given.sdist:
        done += from_sources(given.wheel, given.sdist)
    for what, outcome in done:
        print(f"{what}: {outcome}")
    if given.write:
        PAGE.write_text(PAGE.read_text().partition(WHEEL)[0] + section(given.wheel, done))
    return 0


if __name__ == "__main__":
    sys.exit(main())
