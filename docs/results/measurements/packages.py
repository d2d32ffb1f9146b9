#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Installs the Debian packages in an empty Debian 12, does there what docs/install.md says, upgrades and purges them.

    docs/results/measurements/packages.py --packages build/packages --root FOLDER            as a test; needs root and debootstrap
    docs/results/measurements/packages.py --packages build/packages --root FOLDER --write    docs/results/measurements/packages.md

FOLDER holds the empty system; it is made where it is not there, and is as before after a trial that passed. Commands of
docs/install.md are read from the page itself. `--quick` leaves out the compiler: no plugin is built.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[3]
PAGE = pathlib.Path(__file__).with_suffix(".md")
WHEEL = "\n## The wheel\n"
NAMES = ["hilda", "hilda-dev", "python3-hilda", "hilda-doc"]
TRIAL = "root/trial"  # in the empty Debian: a folder of its user
INSIDE = ["/usr/bin/env", "-i", "HOME=/root", "TERM=dumb", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
          "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
# Mounts in a separate name space, which are gone with the command.
MOUNTS = 'for m in proc sys dev; do mount --rbind "/$m" "$0/$m"; done; exec chroot "$0" "$@"'


class Root:
    """An empty Debian 12."""

    def __init__(self, folder):
        self.folder = folder
        if not (folder / "bin" / "bash").exists():
            self.make()
        self.work = folder / TRIAL
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def make(self):
        sources = pathlib.Path("/etc/apt/sources.list.d/debian.sources")
        mirror = re.search(r"^URIs:\s*(\S+)", sources.read_text(), re.M)[1] if sources.is_file() else "http://deb.debian.org/debian"
        self.folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", self.folder, mirror], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"no empty Debian could be made: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        if sources.is_file():
            (self.folder / "etc/apt/sources.list").unlink(missing_ok=True)
            shutil.copy(sources, self.folder / "etc/apt/sources.list.d")
        for pattern in ("99*", "*proxy*"):
            for file in pathlib.Path("/etc/apt/apt.conf.d").glob(pattern):
                shutil.copy(file, self.folder / "etc/apt/apt.conf.d")
        (self.folder / "etc/apt/apt.conf.d/00lean").write_text('APT::Install-Recommends "false";\n')
        for file in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{file}", self.folder / "etc")
        self.run("apt-get update -qq")

    def words(self, script, folder=f"/{TRIAL}"):
        return ["unshare", "--mount", "bash", "-c", MOUNTS, str(self.folder), *INSIDE, "bash", "-ec", f"cd {folder}\n{script}"]

    def run(self, script, folder=f"/{TRIAL}", fails=False):
        """What it prints; a script that ends with another code than expected ends the trial."""
        done = subprocess.run(self.words(script, "/" if not hasattr(self, "work") else folder), capture_output=True, text=True)
        if (done.returncode != 0) != fails:
            raise SystemExit(f"FAILED with {done.returncode}:\n{script}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout + done.stderr if fails else done.stdout

    def files(self):
        found = set()
        for place, folders, names in os.walk(self.folder):
            inside = "/" + os.path.relpath(place, self.folder) if place != str(self.folder) else ""
            folders[:] = [each for each in folders if f"{inside}/{each}" not in ("/proc", "/sys", "/dev")]
            found.update(f"{inside}/{name}" for name in [*names, *folders])
        return found

    def packages(self):
        lines = self.run("dpkg-query -W -f='${Package} ${Installed-Size}\\n'").splitlines()
        return {name: int(size or 0) for name, _, size in (line.partition(" ") for line in lines)}


def commands(title):
    """The block ```sh TITLE of docs/install.md."""
    found = re.search(rf"^```sh {title}\n(.*?)^```", (SOURCE / "docs/install.md").read_text(), re.M | re.S)
    return found[1]


def field(package, name):
    return subprocess.run(["dpkg-deb", "-f", package, name], capture_output=True, text=True, check=True).stdout.strip()


def older(package, folder):
    """The same files in a package of version 0.0.1."""
    with tempfile.TemporaryDirectory() as work:
        place = pathlib.Path(work, "files")
        subprocess.run(["dpkg-deb", "-R", package, place], check=True)
        control = place / "DEBIAN" / "control"
        control.write_text(control.read_text().replace(field(package, "Version"), "0.0.1-1"))
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "-b", place, folder / f"{field(package, 'Package')}_0.0.1.deb"],
                       check=True, stdout=subprocess.DEVNULL)


def processor_ms(words):
    """The least of many: what other work on the machine adds is not the program's."""
    times = []
    for _ in range(40):
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{words} ends with {process.returncode}")
        times.append(1e3 * (usage.ru_utime + usage.ru_stime))
    return min(times)


def studio_answers(root, command="hilda studio /usr/share/hilda/diagrams/pida.xml"):
    """Bytes of its page and script, which come over the loopback to who has its address."""
    words = root.words(f"exec {command} --no-open")
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = next(line.split()[1] for line in process.stdout if line.startswith("page "))
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            browser.open(address, timeout=20).close()  # gives the browser the token, and sends it on
            with browser.open(urllib.parse.urljoin(address, "/"), timeout=20) as answer:
                text = answer.read().decode()
            script = re.search(r'<script src="([^"]+)"', text)
            if "<title>hilda studio</title>" not in text or script is None:
                raise SystemExit(f"the studio answers: {text[:300]}")
            with browser.open(urllib.parse.urljoin(address, script[1]), timeout=20) as answer:
                size = len(text) + len(answer.read())
        finally:
            process.terminate()
    return size


def plugin_folders(root):
    """Of the user and of the machine, without --plugins, and refused where others may write."""
    for folder in ("/root/.local/share/hilda/plugins", "/usr/local/lib/hilda/plugins"):
        root.run(f"mkdir -p {folder} && cp my_filters/build/lib/hilda/plugins/my_filters.so {folder}/ && "
                 "hilda run my_filters/my_filters.xml --for 0.2s --no-log")
        root.run(f"chmod 777 {folder}")
        said = root.run("hilda run my_filters/my_filters.xml --for 0.2s --no-log", fails=True)
        if "plugin-writable" not in said or folder not in said:
            raise SystemExit(f"a folder that all may write to is not refused in words: {said}")
        root.run(f"rm -r {folder.partition('/hilda')[0]}/hilda")
    said = root.run("hilda run my_filters/my_filters.xml --for 0.2s --no-log", fails=True)
    if "unknown-type" not in said:
        raise SystemExit(f"the plugin is still found: {said}")


def what_is_left(root, packages, before):
    """Files and folders of ours, by their packages or by name, and what names them elsewhere. Debian's own leave a few."""
    ours = {"/" + line.split(maxsplit=5)[5].partition(" -> ")[0].strip("./") for package in packages.values()
            for line in listing(package)}
    new = root.files() - before
    left = {each for each in new if each in ours or "hilda" in each.lower()}
    said = subprocess.run(["grep", "-rlI", "hilda", *(root.folder / each for each in ("etc", "usr/share/applications", "usr/share/mime",
                                                                                     "var/lib/dpkg/info", "usr/lib/python3"))],
                          capture_output=True, text=True).stdout
    return sorted(left) + said.splitlines()


def trial(packages, root, quick):
    """Figures of what was done, as (what, how it came out)."""
    done = []
    before, base = root.files(), root.packages()
    for package in packages.values():
        shutil.copy(package, root.work)

    root.run(commands("program"))
    added = {name: size for name, size in root.packages().items() if name not in base}
    needed = sum(added.values()) - added["hilda"]
    done.append(("`apt-get install ./hilda_*.deb` in an empty Debian 12",
                 f"{len(added) - 1} packages of Debian come with it, {needed / 1e3:.0f} MB"))
    parts = json.loads((root.work / "sbom.json").read_text())["packages"]
    done.append(("`hilda --version --sbom`", f"SPDX 2.3, {len(parts)} packages"))
    if len(parts) < 10:
        raise SystemExit("the SBOM is nearly empty")
    contacts = root.run("hilda info pida.mcap")
    done.append(("PIDA with 20 ms of delay", "runs; its log is whole" if "pida" in contacts else "its log names no diagram"))
    done.append(("`hilda studio`", f"its page and script ({studio_answers(root) / 1e3:.0f} kB) come over the loopback"))
    root.run("test -s /usr/share/man/man1/hilda-run.1.gz && bash -n /usr/share/bash-completion/completions/hilda")
    idle = processor_ms(root.words("exec /bin/true"))
    start = processor_ms(root.words("exec hilda --version")) - idle
    check = processor_ms(root.words("exec hilda check /usr/share/hilda/diagrams/pida.xml")) - idle
    done.append(("`hilda --version`", f"{start:.1f} ms of processor time (goal 8)"))
    done.append(("`hilda check pida.xml`", f"{check:.1f} ms of processor time"))

    if not quick:
        # Of what a plugin is built with; apt-get takes what hilda-dev recommends unless it is configured otherwise.
        root.run("apt-get install -y -qq cmake g++ libgtest-dev make && apt-mark auto cmake g++ libgtest-dev make")
        root.run(commands("dev"))
        plugin_folders(root)
        done.append(("`hilda new-plugin`, built, tested and run; found in the folders of the user and of the machine",
                     "passes; refused where others may write"))
    root.run(commands("python"))
    done.append(("Python", "`import hilda` runs PIDA"))

    root.run(commands("purge") + "apt-get autoremove -y --purge")
    (root.work / "old").mkdir()
    for package in packages.values():
        older(package, root.work / "old")
    root.run("apt-get install -y ./old/hilda_*.deb ./old/python3-hilda_*.deb")
    root.run("apt-get install -y ./hilda_*.deb ./python3-hilda_*.deb")
    version = root.run("dpkg-query -W -f='${Version}' hilda && hilda check /usr/share/hilda/diagrams/pida.xml >/dev/null")
    if version != field(packages["hilda"], "Version"):
        raise SystemExit(f"after the upgrade the version is {version}")
    done.append(("upgrade from an older package", f"to {version}; the program runs"))
    root.run("apt-get purge -y hilda python3-hilda && apt-get autoremove -y --purge")
    shutil.rmtree(root.work)
    left = what_is_left(root, packages, before)
    if left:
        raise SystemExit("after the purge there are still:\n" + "\n".join(left[:40]))
    done.append(("`apt-get purge`", "leaves no file"))
    return done


def listing(package):
    return subprocess.run(["dpkg-deb", "-c", package], capture_output=True, text=True, check=True).stdout.splitlines()


def contents(package):
    kinds = {}
    for line in listing(package):
        name = line.split(maxsplit=5)[5].partition(" -> ")[0].lstrip(".")
        if line.startswith("d"):
            continue
        kind = next((shown for start, shown in KINDS if name.startswith(start)), name)
        number, size = kinds.get(kind, (0, 0))
        kinds[kind] = number + 1, size + int(line.split()[2])
    return kinds


KINDS = [("/usr/bin/", "program"), ("/usr/lib/hilda/plugins/", "plugins"), ("/usr/lib/hilda/libhilda_math", "mathematical functions"),
         ("/usr/lib/hilda/", "library"), ("/usr/lib/python3/", "Python module"), ("/usr/lib/cmake/", "CMake files"),
         ("/usr/include/", "headers"), ("/usr/share/man/", "man pages"), ("/usr/share/hilda/diagrams/", "diagrams"),
         ("/usr/share/hilda/template/", "templates"), ("/usr/share/hilda/python/", "pip's files"),
         ("/usr/share/hilda/", "schemas, SBOM"), ("/usr/share/doc/", "texts"), ("/usr/share/pkgconfig/", "pkg-config"),
         ("/usr/share/", "completion, desktop")]


def page(packages, done):
    lines = ["# Packages", "",
             f"Written by docs/results/measurements/packages.py on {datetime.date.today()}, from packages for "
             f"{field(packages['hilda'], 'Architecture')} of Debian 12. [install.md](../../install.md) says how to make and use them.",
             f"Processor times are the least of 40 starts; the machine had a load of {os.getloadavg()[1]:.0f}.", "",
             "| package | file, MB | installed, MB | files |", "|---|---|---|---|"]
    texts = []
    for name, package in packages.items():
        kinds = contents(package)
        size, number = sum(size for _, size in kinds.values()), sum(number for number, _ in kinds.values())
        lines.append(f"| {name} | {package.stat().st_size / 1e6:.1f} | {size / 1e6:.1f} | {number} |")
        rows = sorted(kinds.items(), key=lambda each: -each[1][1])
        texts.append(f"- **{name}**: " + ", ".join(f"{kind} ({number}, {size / 1e6:.2f} MB)" for kind, (number, size) in rows))
    size = sum(size for _, size in contents(packages["hilda"]).values()) / 1e6
    lines += ["", f"The goal for `hilda` is 12 MB installed: {'met' if size < 12 else '**missed**'}.", "", *texts, "",
              "## In an empty Debian 12", "",
              "A system of debootstrap (minbase) without hilda, a compiler or Python gets the packages and runs the commands of",
              "install.md. lintian finds no error in the packages.", "", "| done | outcome |", "|---|---|"]
    lines += [f"| {what} | {outcome} |" for what, outcome in done]
    lines += ["", "To run it again: `tools/packages.sh && docs/results/measurements/packages.py --packages build/packages --root FOLDER --write`", ""]
    PAGE.write_text("\n".join(lines) + wheel_section())


def wheel_section():
    """What docs/results/measurements/wheel.py has written into the page."""
    _, mark, rest = PAGE.read_text().partition(WHEEL)
    return mark + rest


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--packages", type=pathlib.Path, required=True)
    options.add_argument("--root", type=pathlib.Path, required=True)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    if given.quick and given.write:
        raise SystemExit("--write needs the whole trial: leave --quick out")
    found = {field(each, "Package"): each.resolve() for each in given.packages.glob("*.deb")}
    packages = {name: found[name] for name in NAMES if name in found}
    if list(packages) != NAMES:
        raise SystemExit(f"{given.packages} holds {', '.join(found) or 'no package'}: tools/packages.sh makes them")
    for tool in ("debootstrap", "unshare", "chroot"):
        if shutil.which(tool) is None or os.geteuid() != 0:
            raise SystemExit(f"this needs root and {tool}")
    done = trial(packages, Root(given.root.resolve()), given.quick)
    for what, outcome in done:
        print(f"{what}: {outcome}")
    if given.write:
        page(packages, done)
    return 0


if __name__ == "__main__":
    sys.exit(main())
