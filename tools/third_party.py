#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What binaries of hilda contain of others: the page THIRD_PARTY.md and the SBOM (SPDX JSON), from a build.

    tools/third_party.py --build build                  writes THIRD_PARTY.md
    tools/third_party.py --build build --check          fails where the page does not name what the build contains
    tools/third_party.py --build build --sbom FILE      writes the SBOM of this build

The packages of a build for another processor are those in its HILDA_ARM64_ROOT (tools/arm64.sh).

Shared libraries are read from the binaries, static ones from the link commands, headers from the sources' includes. Debian's
copyright file of each package must state the licence that this script knows of it.
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parents[1]
PAGE = HERE / "THIRD_PARTY.md"

# Name, packages of Debian (as patterns), licence (SPDX), what Debian's copyright file says of it, what a reader should know.
KNOWN = [
    ("Eigen", r"libeigen3-dev", "MPL-2.0", "License: MPL-2", "compiled into libhilda.so, plugins and the Python module"),
    ("Boost (Graph, Math, Beast, Asio)", r"libboost.*-dev", "BSL-1.0", "License: BSL-1.0", "compiled into libhilda.so"),
    ("CLI11", r"libcli11-dev", "BSD-3-Clause", "License: BSD-3-clause", "compiled into libhilda.so"),
    ("nlohmann/json", r"nlohmann-json3-dev", "MIT", "License: Expat", "compiled into libhilda.so and the Python module"),
    ("pybind11", r"pybind11-dev", "BSD-3-Clause", "BSD-3-Clause", "compiled into the Python module"),
    ("musl, mathematical functions alone", r"musl-dev", "MIT", "License: MIT", "`share/doc/hilda/musl-copyright.txt`"),
    ("SUNDIALS CVODE", r"libsundials-dev", "BSD-3-Clause", "License: BSD-3-clause",
     "where libsundials-dev was installed; `share/doc/hilda/sundials-copyright.txt`"),
    ("fmt", r"libfmt(\d+|-dev)", "MIT", "License: Expat", ""),
    ("TinyXML-2", r"libtinyxml2-.*", "Zlib", "License: zlib", ""),
    ("UDUNITS-2", r"libudunits2-.*", "UCAR", "University Corporation for Atmospheric Research", ""),
    ("muParser", r"libmuparser.*", "MIT", "License: Expat", ""),
    ("zlib", r"zlib1g(-dev)?", "Zlib", "License: Zlib", ""),
    ("libdeflate", r"libdeflate.*", "MIT", "License: Expat", ""),
    ("LZ4", r"liblz4-.*", "BSD-2-Clause", "License: BSD-2-clause", ""),
    ("SQLite", r"libsqlite3-.*", "blessing", "License: public-domain", "public domain"),
    ("NLopt", r"libnlopt.*", "MIT AND LGPL-2.1-or-later", "License: LGPL-2.1+",
     "can be replaced, as the LGPL asks"),
    ("libedit", r"libedit.*", "BSD-3-Clause", "License: BSD-3-clause", "where libedit-dev was installed"),
    ("libstdc++ and libgcc", r"libstdc\+\+.*|libgcc-s1", "GPL-3.0-or-later WITH GCC-exception-3.1",
     "GCC Runtime Library Exception", ""),
    ("GNU C library", r"libc6(-dev)?", "LGPL-2.1-or-later", "GNU Lesser General Public", ""),
    ("matio", r"libmatio.*", "BSD-2-Clause", "License: BSD-2-clause", "where libmatio-dev was installed"),
    ("Expat", r"libexpat1", "MIT", "License: MIT", "UDUNITS-2 needs it"),
    ("libtinfo of ncurses", r"libtinfo6", "X11", "License: X11", "libedit needs it"),
    ("libbsd", r"libbsd0", "BSD-3-Clause AND BSD-2-Clause AND ISC AND MIT", "License: BSD-3-clause", "libedit needs it"),
    ("libmd", r"libmd0", "BSD-3-Clause AND BSD-2-Clause AND ISC AND Beerware", "License: BSD-3-clause", "libbsd needs it"),
    ("libgomp", r"libgomp1", "GPL-3.0-or-later WITH GCC-exception-3.1", "GCC Runtime Library Exception", "muParser needs it"),
    ("CPython", r"(lib)?python3.*", "PSF-2.0", "PSF LICENSE AGREEMENT", "its headers, in the Python module"),
]
HOW = {"headers": "headers", "static": "linked statically", "shared": "shared library",
       "beneath": "shared library, by another one", "opened": "not linked: opened when a MAT file is read",
       "npm": "JavaScript in pages"}
RELATIONS = {"headers": "CONTAINS", "npm": "CONTAINS", "static": "STATIC_LINK", "shared": "DYNAMIC_LINK",
             "beneath": "DEPENDS_ON", "opened": "OPTIONAL_DEPENDENCY_OF"}


def output(*command):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True).stdout


class System:
    """Where the packages of a build lie: this system's, or those of another processor in a folder."""

    def __init__(self, build):
        self.root = cached(build, "HILDA_ARM64_ROOT") or ""
        self.admin = [f"--admindir={self.root}/var/lib/dpkg"] if self.root else []
        self.architecture = "arm64" if self.root else output("dpkg", "--print-architecture").strip()

    def version(self, package):
        for name in ([f"{package}:{self.architecture}"] if self.root else []) + [package]:
            if said := output("dpkg-query", *self.admin, "-W", "-f=${Version}", name):
                return said
        return ""

    def linked(self, file):
        """Paths of the shared libraries that are loaded with the file, by name."""
        if not self.root:
            return dict(re.findall(r"(\S+) => (/\S+)", output("ldd", file)))
        found, waiting = {}, needed(file)
        while waiting:
            name = waiting.pop()
            places = [path for folder in ("usr/lib", "lib") for path in pathlib.Path(self.root, folder).glob(f"*-linux-gnu/{name}")]
            if name not in found and places:
                found[name] = str(places[0])
                waiting += needed(places[0])
        return found


def needed(file):
    """Names of the shared libraries that the file itself names."""
    return re.findall(r"NEEDED\S*\s+Shared library: \[([^\]]+)\]", output("readelf", "-d", "-W", file))


def owners(paths, system):
    """The Debian package that has each file: {path: package}."""
    names = {path: [str(path), str(path).replace(f"{system.root}/usr", system.root, 1), os.path.realpath(path)] for path in paths}
    said = output("dpkg", *system.admin, "-S", *sorted({name for each in names.values() for name in each})) if names else ""
    known = {}
    for line in said.splitlines():
        package, _, file = line.partition(": ")
        known[file] = package.split(",")[0].split(":")[0]
    return {path: known[name] for path, each in names.items() for name in each if name in known}


def binaries(build):
    yield from (file for file in (build / "bin" / "hilda", build / "lib" / "hilda" / "libhilda.so") if file.is_file())
    yield from sorted((build / "lib" / "hilda" / "plugins").glob("*.so"))
    yield from sorted((build / "python" / "hilda").glob("_engine*.so"))


def shared_files(files, system, named=True):
    """Paths of the libraries that the files name themselves; or of those that these need in turn."""
    for file in files:
        own = needed(file)
        for name, path in system.linked(file).items():
            if (name in own) == named and not name.startswith("libhilda"):
                yield path


def static_files(build):
    """Archives outside of the build that a link takes in, and the one that the mathematical functions come from."""
    rules = (build / "build.ninja").read_text()
    for lines in re.findall(r"LINK_LIBRARIES = (.*)", rules):
        yield from (word for word in lines.split() if word.startswith("/") and word.endswith(".a")
                    and not word.startswith(str(build)) and "gtest" not in word and "gmock" not in word)
    musl = cached(build, "HILDA_MUSL_LIBC")
    if musl and (build / "lib" / "hilda" / "libhilda_math.a").is_file():
        yield musl


def cached(build, name):
    found = re.search(rf"^{name}:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.M)
    return found[1] if found and not found[1].endswith("NOTFOUND") else None


def header_files(system):
    folders = [f"{system.root}/usr/include", f"{system.root}/usr/include/eigen3"]
    names = set()
    for room in ("engine", "tools", "blocks", "drivers", "plugins", "python"):
        for file in (HERE / room).rglob("*"):
            if file.suffix in (".h", ".cpp", ".c") and "template" not in file.parts:
                names.update(re.findall(r"#\s*include <([^>]+/[^>]+|Python\.h)>", file.read_text(errors="replace")))
    names.discard("gtest/gtest.h")  # is in a text that is written for an author's test
    for name in sorted(names):
        yield from (f"{folder}/{name}" for folder in folders if pathlib.Path(folder, name).is_file())


def npm_packages():
    for lock in sorted(HERE.glob("tools/*/page/package-lock.json")):
        for name, package in json.loads(lock.read_text())["packages"].items():
            if name and not package.get("dev") and not package.get("optional"):
                yield name.removeprefix("node_modules/"), package["version"], package["license"]


def contents(build):
    """Of each part: name, how, licence, note, package, version; the strongest way a package comes in counts."""
    matio, system = cached(build, "matio_file"), System(build)
    files = {"headers": header_files(system), "opened": [matio] if matio else [],
             "shared": shared_files(binaries(build), system),
             "beneath": shared_files(binaries(build), system, named=False),
             "static": static_files(build)}
    files = {how: sorted(set(each)) for how, each in files.items()}
    files["beneath"] = sorted(set(files["beneath"]) - set(files["shared"]))
    package_of = owners({file for each in files.values() for file in each}, system)
    ways = {}
    for how, each in files.items():
        for file in each:
            if file not in package_of:
                sys.exit(f"third_party: no Debian package has {file}")
            ways[package_of[file]] = how
    parts = {}
    for package, how in sorted(ways.items(), key=lambda each: each[1] == "headers"):
        if package in ("libc6-dev", "linux-libc-dev"):
            continue
        known = [each for each in KNOWN if re.fullmatch(each[1], package)]
        if len(known) != 1:
            sys.exit(f"third_party: {package} is in the binaries ({how}), and no line of KNOWN says what its licence is")
        name, _, licence, words, note = known[0]
        # A library's headers are not a separate part.
        if how == "headers" and any(part["name"] == name for part in parts.values()):
            continue
        text = pathlib.Path(f"{system.root}/usr/share/doc", package, "copyright")
        if text.is_file() and words not in text.read_text(errors="replace"):
            sys.exit(f"third_party: {text} does not say '{words}': is {name} still {licence}?")
        version = system.version(package)
        parts[package] = {"name": name, "how": how, "licence": licence, "note": note, "package": package, "version": version}
    for name, version, licence in npm_packages():
        parts[name] = {"name": name, "how": "npm", "licence": licence, "package": None, "version": version,
                       "note": "of `hilda report` and `hilda studio`; `share/doc/hilda/page-licences.txt`"}
    order = list(HOW)
    return sorted(parts.values(), key=lambda part: (order.index(part["how"]), part["name"].lower()))


def page(parts):
    lines = ["# What binaries of hilda contain of others", "",
             "Written by `tools/third_party.py` from a build; do not edit it. The source tree contains no code of others. A build",
             "contains or opens what is listed here. All these licences allow hilda's own (BSD-3-Clause). Debian's copyright file",
             "of each package states the licence. [docs/dependencies.md](docs/dependencies.md) says what each is for;",
             "`hilda --version --sbom` prints the versions of your own build.", "",
             "| Library | Licence (SPDX) | In a binary | Note |", "|---|---|---|---|"]
    rows = [f"| {part['name']} | {part['licence']} | {HOW[part['how']]} | {part['note']} |" for part in parts]
    lines += dict.fromkeys(rows)  # a library may be of two packages
    lines += ["", "Programs that hilda starts where they are installed (rsvg-convert, python3, sbatch) are not part of it.", "",
              "## In a wheel",
              "A wheel for pip contains the shared libraries too, but not those that manylinux leaves to the system: the GNU C library,",
              "libstdc++ and libgcc, zlib and Expat. Its SBOM says which, and `share/doc/hilda` has the copyright file of each.", ""]
    return "\n".join(lines)


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")


def moment():
    """Of the sources: equal builds have equal bytes."""
    of_archive = HERE / "revision.txt"  # a source distribution has no repository
    seconds = (os.environ.get("SOURCE_DATE_EPOCH") or (of_archive.read_text().split()[1] if of_archive.is_file() else
                                                       output("git", "-C", HERE, "log", "-1", "--format=%ct").strip()) or "0")
    return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def sbom(parts, build, version):
    architecture = System(build).architecture
    packages = [{"name": "hilda", "SPDXID": "SPDXRef-hilda", "versionInfo": version, "downloadLocation": "NOASSERTION",
                 "filesAnalyzed": False, "licenseConcluded": "BSD-3-Clause", "licenseDeclared": "BSD-3-Clause",
                 "copyrightText": "the hilda authors", "primaryPackagePurpose": "APPLICATION"}]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-hilda"}]
    for part in parts:
        purl = (f"pkg:deb/debian/{part['package'].replace('+', '%2B')}@{part['version'].replace('+', '%2B')}"
                f"?arch={architecture}" if part["package"] else f"pkg:npm/{part['name'].lower()}@{part['version']}")
        packages.append({"name": part["package"] or part["name"], "SPDXID": identifier(part["package"] or part["name"]),
                         "versionInfo": part["version"], "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                         "licenseConcluded": part["licence"], "licenseDeclared": part["licence"],
                         "copyrightText": "NOASSERTION", "comment": HOW[part["how"]],
                         "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                           "referenceLocator": purl}]})
        ends = ["SPDXRef-hilda", identifier(part["package"] or part["name"])]
        if part["how"] == "opened":
            ends.reverse()
        relations.append({"spdxElementId": ends[0], "relationshipType": RELATIONS[part["how"]], "relatedSpdxElement": ends[1]})
    digest = hashlib.sha256(json.dumps([packages, relations]).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"hilda-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/hilda-{version}-{digest[:32]}",
            "creationInfo": {"created": moment(), "creators": ["Tool: hilda-third_party"]},
            "packages": packages, "relationships": relations}


def check(parts):
    """A build without an optional library has less; none has more than the page."""
    listed = PAGE.read_text().splitlines()
    missing = [line for line in page(parts).splitlines() if line not in listed]
    for line in missing:
        print(f"THIRD_PARTY.md does not have: {line}")
    if missing:
        sys.exit("help: tools/third_party.py --build BUILD writes it")
    print(f"{len(parts)} parts, all of them in THIRD_PARTY.md")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path, default=HERE / "build")
    options.add_argument("--check", action="store_true")
    options.add_argument("--sbom", type=pathlib.Path)
    given = options.parse_args()
    build = given.build.resolve()
    if not (build / "build.ninja").is_file() or not any(binaries(build)):
        sys.exit(f"third_party: {build} holds no binaries of hilda: build them first")
    parts = contents(build)
    if given.check:
        check(parts)
    elif given.sbom:
        version = re.search(r"project\(hilda VERSION ([0-9.]+)", (HERE / "CMakeLists.txt").read_text())[1]
        given.sbom.parent.mkdir(parents=True, exist_ok=True)
        given.sbom.write_text(json.dumps(sbom(parts, build, version), indent=1) + "\n")
    else:
        PAGE.write_text(page(parts))


if __name__ == "__main__":
    main()
