# SPDX-License-Identifier: BSD-3-Clause
"""The wheel contains what it needs, its check finds wheels that do not, and what cannot work is reported in words."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

BUILD = pathlib.Path.cwd()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
CHECK = SOURCE / "tools" / "check_wheel.py"
sys.path.insert(0, str(SOURCE / "python"))

import hilda_build
from hilda_build import archive, bill, libraries, manylinux, source_archive
from hilda_build.elf import Elf, is_elf

NEEDED = "hilda/lib/hilda/needed/"


class Folder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="hilda_wheel_test_")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def run_in(self, *words, **named):
        """Without what the developer's shell says of hilda and Python."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("HILDA", "PYTHON", "LD_"))}
        return subprocess.run([str(each) for each in words], capture_output=True, text=True, cwd=self.folder, env=environment, **named)


class Whole(Folder):
    """One wheel for all of it: it takes some seconds to make."""

    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory(prefix="hilda_wheel_")
        cls.addClassCleanup(cls.kept.cleanup)
        place = pathlib.Path(cls.kept.name)
        cls.wheel = place / hilda_build.build_wheel(place, {"build": str(BUILD)})
        cls.unpacked = place / "site"
        with zipfile.ZipFile(cls.wheel) as opened:
            opened.extractall(cls.unpacked)
        for name in ("hilda/bin/hilda", f"hilda-{cls.version()}.data/scripts/hilda"):
            (cls.unpacked / name).chmod(0o755)

    @classmethod
    def version(cls):
        return cls.wheel.name.split("-")[1]

    def changed(self, name=None, drop=(), more=None):
        """The wheel as another one, with a right RECORD."""
        name = name or self.wheel.name
        wheel = archive.Wheel(self.folder / name, f"hilda-{self.version()}.dist-info", level=1)
        with zipfile.ZipFile(self.wheel) as opened:
            for entry in opened.infolist():
                if entry.filename not in drop and entry.filename not in (more or {}) and not entry.filename.endswith("/RECORD"):
                    wheel.add(entry.filename, opened.read(entry))
        for inside, data in (more or {}).items():
            wheel.add(inside, data)
        wheel.close()
        return self.folder / name

    def faults(self, wheel):
        done = self.run_in(sys.executable, CHECK, wheel)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(wheel.name, done.stderr)
        return done.stderr

    def test_passes_its_check(self):
        done = self.run_in(sys.executable, CHECK, self.wheel)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("hldfmt.so.", done.stdout)

    def test_has_the_program_and_what_it_reads(self):
        with zipfile.ZipFile(self.wheel) as opened:
            names = set(opened.namelist())
        for name in ("bin/hilda", "lib/hilda/plugins/math.so", "lib/hilda/fmu/libhilda_fmu.so", "share/hilda/diagrams/pida.xml",
                     "share/hilda/diagram.xsd", "share/hilda/template/c++/CMakeLists.txt", "include/hilda/block.h",
                     "lib/cmake/hilda/hildaConfig.cmake", "share/doc/hilda/THIRD_PARTY.md", "share/doc/hilda/LICENSE"):
            self.assertIn(f"hilda/{name}", names)
        plugins = {each.name for each in (BUILD / "lib/hilda/plugins").glob("*.so")}
        self.assertEqual(plugins, {pathlib.Path(name).name for name in names if name.startswith("hilda/lib/hilda/plugins/")})

    def test_each_library_inside_has_its_licence(self):
        inside = [each for each in (self.unpacked / NEEDED).iterdir()]
        texts = list((self.unpacked / "hilda/share/doc/hilda").glob("lib*-copyright.txt"))
        self.assertEqual(len(inside), len(texts))
        self.assertTrue(all(each.stat().st_size > 300 for each in texts))

    def test_the_sbom_and_the_page_name_what_is_inside(self):
        done = self.run_in(self.unpacked / "hilda/bin/hilda", "--version", "--sbom")
        bill = json.loads(done.stdout)
        said = {name: part for part in bill["packages"] if part.get("comment", "").startswith("in the wheel: ")
                for name in part["comment"].partition(": ")[2].split(", ")}
        self.assertEqual({pathlib.Path(name).name for name in said}, {each.name for each in (self.unpacked / NEEDED).iterdir()})
        contained = {each["relatedSpdxElement"] for each in bill["relationships"] if each["relationshipType"] == "CONTAINS"}
        page = (self.unpacked / "hilda/share/doc/hilda/THIRD_PARTY.md").read_text()
        for name, part in said.items():
            self.assertIn(part["SPDXID"], contained)
            self.assertIn(f"| {part['licenseConcluded']} |", page)
            self.assertTrue((self.unpacked / "hilda/share/doc/hilda" / f"{part['name']}-copyright.txt").is_file(), name)
        outside = [part["name"] for part in bill["packages"] if part["name"].startswith("libc6")]
        self.assertEqual(outside, ["libc6"])
        self.assertNotIn("SPDXRef-libc6", contained)

    def test_a_library_that_no_sbom_names_stops_the_build(self):
        file = self.folder / "sbom.spdx.json"
        shutil.copyfile(self.unpacked / "hilda/share/hilda/sbom.spdx.json", file)
        with self.assertRaisesRegex(SystemExit, "would contain libother1, which the SBOM does not name"):
            bill.contained(file, {"libother1": ["a.so"]})

    def test_the_program_loads_its_own_libraries(self):
        done = self.run_in("ldd", self.unpacked / "hilda/lib/hilda/libhilda.so.1")
        ours = [line for line in done.stdout.splitlines() if "hld" in line]
        self.assertGreater(len(ours), 5)
        self.assertEqual([line for line in ours if str(self.unpacked) not in line], [])
        self.assertNotIn("libfmt", done.stdout)

    def test_the_command_runs_the_program(self):
        command = self.unpacked / f"hilda-{self.version()}.data/scripts/hilda"
        self.assertTrue(command.read_text().startswith("#!python\n"))
        done = self.run_in(sys.executable, "-c", START, command, self.unpacked, "check",
                           self.unpacked / "hilda/share/hilda/diagrams/pida.xml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sound", done.stdout)
        done = self.run_in(sys.executable, "-c", START, command, self.unpacked, "check", "missing.xml")
        self.assertIn("error[file-unreadable]", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_an_fmu_takes_the_libraries_along(self):
        out = self.folder / "p.fmu"
        done = self.run_in(self.unpacked / "hilda/bin/hilda", "export-fmu", self.unpacked / "hilda/share/hilda/diagrams/pida.xml", "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        with zipfile.ZipFile(out) as opened:
            names = {pathlib.Path(name).name for name in opened.namelist()}
            opened.extractall(self.folder / "fmu")
        self.assertIn("hldfmt.so.9", names)
        library = next((self.folder / "fmu/binaries").glob("*/pida.so"))
        lacking = [line for line in self.run_in("ldd", library).stdout.splitlines() if "not found" in line or str(self.unpacked) in line]
        self.assertEqual(lacking, [])

    # Wheels that are wrong on purpose.
    def test_a_library_left_out_is_named(self):
        said = self.faults(self.changed(drop=[NEEDED + "hldfmt.so.9"]))
        self.assertIn("hilda/lib/hilda/libhilda.so.1 needs hldfmt.so.9, which is neither on the list of manylinux nor in the wheel", said)

    def test_a_library_of_the_system_is_named(self):
        said = self.faults(self.changed(more={"hilda/lib/hilda/plugins/math.so": (BUILD / "lib/hilda/plugins/math.so").read_bytes()}))
        self.assertIn("hilda/lib/hilda/plugins/math.so needs libmuparser.so.2", said)

    def test_a_name_that_promises_too_much_is_refused(self):
        older = self.wheel.name.replace(self.wheel.name.split("manylinux_")[1][:4], "2_17")
        self.assertRegex(self.faults(self.changed(older)), r"its name says manylinux_2_17_\w+, and its binaries need manylinux_2_\d+")

    def test_a_wheel_for_this_system_alone_is_refused(self):
        local = self.wheel.name.split("manylinux")[0] + "linux_x86_64.whl"
        self.assertIn("runs on the system alone that it was built on", self.faults(self.changed(local)))

    def test_another_pythons_name_is_refused(self):
        ours = hilda_build.python_tag()
        self.assertIn("its name says cp399", self.faults(self.changed(self.wheel.name.replace(f"{ours}-{ours}", "cp399-cp399"))))

    def test_the_systems_name_of_a_library_is_refused(self):
        copy = self.folder / "copy.so"
        shutil.copyfile(self.unpacked / NEEDED / "hldlz4.so.1", copy)
        libraries.renamed_inside(copy, {"hldlz4.so.1": "liblz4.so.1"})
        said = self.faults(self.changed(more={NEEDED + "hldlz4.so.1": copy.read_bytes()}))
        self.assertIn("has the name liblz4.so.1, by which a process may have the system's library", said)

    def test_a_changed_file_is_noticed(self):
        with zipfile.ZipFile(self.wheel) as opened, zipfile.ZipFile(self.folder / self.wheel.name, "w") as other:
            for name in opened.namelist():
                other.writestr(name, opened.read(name) + (b" " if name.endswith("pida.xml") else b""))
        self.assertIn("hilda/share/hilda/diagrams/pida.xml has another hash than RECORD says", self.faults(self.folder / self.wheel.name))

    def test_what_is_no_wheel_is_said(self):
        done = self.run_in(sys.executable, CHECK, "missing.whl")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "error: missing.whl is not a wheel: it is missing, or no zip file\n")

    # What a user reads whose installation is not whole.
    def site(self):
        """A copy that may be spoilt; large files are links."""
        place = self.folder / "site"
        shutil.copytree(self.unpacked, place, copy_function=os.link)
        return place

    def imported(self, place):
        done = self.run_in(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(place)!r}); import hilda")
        self.assertNotEqual(done.returncode, 0)
        last = done.stderr.split("ImportError: ")
        self.assertEqual(len(last), 2, done.stderr)  # one exception, and none behind it
        return last[1]

    def test_a_missing_library_is_named(self):
        place = self.site()
        (place / NEEDED / "hldnlopt.so.0").unlink()
        said = self.imported(place)
        self.assertIn("the library hldnlopt.so.0 is missing, which belongs to hilda in ", said)
        self.assertIn("\nhelp: install hilda again: pip install --force-reinstall", said)
        done = self.run_in(place / "hilda/bin/hilda", "--version")
        self.assertIn("error: hldnlopt.so.0: cannot open shared object file", done.stderr)
        self.assertIn("help: hilda is installed as a whole", done.stderr)

    def test_another_pythons_module_is_named(self):
        place = self.site()
        module = next((place / "hilda").glob("_engine*.so"))
        module.rename(module.with_name("_engine.cpython-399-aarch64-linux-gnu.so"))
        said = self.imported(place)
        self.assertIn("this hilda is for Python 3.99 on aarch64, and this is Python 3.", said)
        self.assertIn("help: install the wheel for this one, hilda-*-cp3", said)

    def test_no_module_at_all_is_said(self):
        place = self.site()
        next((place / "hilda").glob("_engine*.so")).unlink()
        self.assertIn("has no module _engine, which is the compiled half of hilda", self.imported(place))

    def test_numpy_is_asked_for(self):
        place = self.site()
        (self.folder / "numpy.py").write_text("raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')\n")
        done = self.run_in(sys.executable, "-c", f"import sys; sys.path[:0] = [{str(self.folder)!r}, {str(place)!r}]; import hilda")
        self.assertIn("ImportError: hilda needs NumPy, and this Python has none\nhelp: pip install numpy", done.stderr)

    def started(self, place, *words):
        command = self.unpacked / f"hilda-{self.version()}.data/scripts/hilda"
        done = self.run_in(sys.executable, "-c", START, command, place, *words)
        self.assertEqual(done.returncode, 3)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def test_the_command_without_its_package_says_so(self):
        self.assertRegex(self.started(self.folder), r"^error: the package hilda is not found by \S+\nhelp: pip install")

    def test_the_command_names_another_processor(self):
        place = self.site()
        program = place / "hilda/bin/hilda"
        data = bytearray(program.read_bytes())
        data[18:20] = (0x2A).to_bytes(2, "little")  # EM_SH
        program.unlink()
        program.write_bytes(data)
        program.chmod(0o755)
        self.assertRegex(self.started(place), r"is for another processor than this one \(\w+\)\nhelp: install the wheel whose name ends")

    def test_the_command_names_a_missing_loader(self):
        place = self.site()
        program = place / "hilda/bin/hilda"
        data = program.read_bytes().replace(b"/ld-linux", b"/no-linux")
        program.unlink()
        program.write_bytes(data)
        program.chmod(0o755)
        self.assertIn("needs the GNU C library, and this system has none", self.started(place))

    def test_the_command_names_a_program_that_may_not_run(self):
        place = self.site()
        program = place / "hilda/bin/hilda"
        data = program.read_bytes()
        program.unlink()
        program.write_bytes(data)
        self.assertIn("may not be executed\nhelp: look whether its folder is mounted noexec", self.started(place))


# Runs the command as pip installs it: its folder and the package's are on the path.
START = """
import runpy, sys
command, place = sys.argv[1:3]
sys.path[:] = [each for each in sys.path if "site-packages" not in each and "dist-packages" not in each] + [place]
sys.argv = ["hilda", *sys.argv[3:]]
runpy.run_path(command, run_name="__main__")
"""


class Tag(unittest.TestCase):
    def test_is_that_of_the_newest_version_of_symbols(self):
        for version, glibc in (("GLIBC_2.2.5", 17), ("GLIBC_2.34", 34), ("GLIBC_ABI_DT_RELR", 36), ("GLIBCXX_3.4.30", 35),
                               ("GLIBCXX_3.4.19", 17), ("CXXABI_1.3.13", 34), ("GCC_3.0", 17), ("ZLIB_1.2.9", 27)):
            self.assertEqual(manylinux.glibc_of(version), glibc, version)

    def test_is_none_for_what_no_system_promises(self):
        for version in ("GLIBC_PRIVATE", "GLIBCXX_3.4.99", "OTHER_1.0", "ZLIB_9.9"):
            self.assertIsNone(manylinux.glibc_of(version), version)

    def test_a_folder_outside_is_a_fault(self):
        elf = Elf(BUILD / "lib/hilda/plugins/sinks.so")
        elf.search = ["/opt/lib"]
        self.assertEqual(list(manylinux.faults_of("a.so", elf, elf.processor, {"a.so"})),
                         ["a.so looks for libraries in /opt/lib, which is outside of the wheel"])
        self.assertIn("a.so is for x86_64, and the wheel for s390x", manylinux.faults_of("a.so", elf, "s390x", {"a.so"}))


class Backend(Folder):
    def refused(self, words, settings):
        with self.assertRaises(SystemExit) as caught:
            hilda_build.build_wheel(self.folder, settings)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(list(self.folder.glob("*.whl")), [])

    def test_refuses_settings_that_it_does_not_know(self):
        self.refused("no setting is called bild; there are build, libraries", {"bild": "x"})
        self.refused("libraries=none: it is inside or system", {"libraries": "none"})

    def test_refuses_a_folder_without_a_build(self):
        self.refused("is not a build folder of hilda", {"build": str(self.folder)})

    def test_without_libraries_says_so_by_its_tag(self):
        name = hilda_build.build_wheel(self.folder, {"build": str(BUILD), "libraries": "system"})
        self.assertRegex(name, r"-linux_\w+\.whl$")
        with zipfile.ZipFile(self.folder / name) as opened:
            self.assertEqual([each for each in opened.namelist() if each.startswith(NEEDED)], [])

    def test_names_patchelf_where_it_is_missing(self):
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        tools = self.folder / "tools"
        tools.mkdir()
        for tool in ("cmake", "readelf", "strip", "ldd"):
            (tools / tool).symlink_to(shutil.which(tool))
        os.environ["PATH"] = str(tools)
        self.refused("patchelf is not found, and the wheel needs it to contain its libraries; apt-get install patchelf",
                     {"build": str(BUILD)})


class SourceArchive(Folder):
    def write(self, tree):
        source_archive.write(tree, self.folder / "a.tar.gz", "hilda-1", "Name: hilda\n")
        with tarfile.open(self.folder / "a.tar.gz") as opened:
            opened.extractall(self.folder / "out", filter="data") if hasattr(tarfile, "data_filter") else opened.extractall(self.folder / "out")
        return self.folder / "out" / "hilda-1"

    def test_has_the_files_of_the_repository_and_its_revision(self):
        place = self.write(SOURCE)
        listed = subprocess.run(["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True)
        if listed.returncode == 0:
            wanted = {name for name in listed.stdout.splitlines() if (SOURCE / name).exists()}
            found = {str(each.relative_to(place)) for each in place.rglob("*") if each.is_file() or each.is_symlink()}
            self.assertEqual({name for name in wanted if '"' not in name} - found, set())
            self.assertEqual(found - wanted - {"PKG-INFO", "revision.txt"}, set())
        for name in ("run", "CMakeLists.txt", "python/hilda_build/launcher.py"):
            self.assertEqual((place / name).read_bytes(), (SOURCE / name).read_bytes())
        self.assertTrue(os.access(place / "run", os.X_OK))
        self.assertRegex((place / "revision.txt").read_text(), r"^\S+ \d+\n$")

    def test_of_an_archive_is_the_same(self):
        first = self.write(SOURCE)
        before = (self.folder / "a.tar.gz").read_bytes()
        (first / "build-other").mkdir()
        (first / "build-other" / "made").touch()
        source_archive.write(first, self.folder / "b.tar.gz", "hilda-1", "Name: hilda\n")
        self.assertEqual(before, (self.folder / "b.tar.gz").read_bytes())

    def test_its_revision_is_the_programs(self):
        (self.folder / "revision.txt").write_text("0123456789ab 1700000000\n")
        out = self.folder / "version.cpp"
        subprocess.run(["cmake", f"-DSOURCE_DIR={self.folder}", "-DVERSION=1.2.3", f"-DOUTPUT={out}", "-P",
                        SOURCE / "cmake/write_version.cmake"], check=True)
        self.assertIn('revision = "0123456789ab"', out.read_text())


if __name__ == "__main__":
    missing = [tool for tool in ("patchelf", "readelf", "ldd", "dpkg") if shutil.which(tool) is None]
    if missing:
        print(f"not run: {', '.join(missing)} is missing (patchelf, binutils, dpkg)")
        sys.exit(77)  # ctest says that it was skipped
    unittest.main()
