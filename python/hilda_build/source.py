# SPDX-License-Identifier: BSD-3-Clause
"""Where hilda comes from: the project's tree, which is built and installed into a folder, or a prefix where it is installed."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent
COMPONENTS = ("program", "dev", "python", "licence")


class Sources:
    """The project's tree: this folder is python/hilda_build of it."""

    def __init__(self, root, settings):
        self.root = root
        self.build = pathlib.Path(settings.get("build", root / f"build-{sysconfig.get_config_var('SOABI')}"))
        self.ready = "build" in settings

    def version(self):
        return re.search(r"project\(hilda VERSION ([0-9.]+)", (self.root / "CMakeLists.txt").read_text())[1]

    def make(self):
        if self.ready:
            if not (self.build / "build.ninja").is_file():
                raise SystemExit(f"hilda: {self.build} (--config-settings=build=...) is not a build folder of hilda: it has no "
                                 "build.ninja; name one that cmake made, or leave the setting out")
            return
        for needed in ("cmake", "ninja"):
            if shutil.which(needed) is None:
                raise SystemExit(f"hilda: {needed} is not found; tools/setup.sh lists the Debian packages that hilda needs")
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
        self.run("cmake", "-S", self.root, "-B", self.build, "-G", "Ninja", f"-DHILDA_PYTHON={sys.executable}",
                 "-DHILDA_TESTS=OFF", "-DHILDA_BENCHMARKS=OFF", "-DHILDA_BY_FOLDER=ON")
        targets = ["hilda", "hilda_plugins", "hilda_python_package", "hilda_schema"]
        if shutil.which("dpkg") is not None:  # an SBOM names packages
            targets.append("hilda_sbom")
        self.run("cmake", "--build", self.build, "--parallel", jobs, "--target", *targets)

    def run(self, *words, quietly=False):
        if subprocess.run([str(each) for each in words], stdout=subprocess.DEVNULL if quietly else None).returncode != 0:
            raise SystemExit(f"hilda: {words[0]} failed; its output above says why. It needs the Debian packages that "
                             "tools/setup.sh lists under `run`")

    def installed(self, folder):
        """A prefix in this folder; what a later `uninstall` removes is not touched (each component has its own list)."""
        for component in COMPONENTS:
            self.run("cmake", "--install", self.build, "--prefix", folder, "--component", component, quietly=True)
        return folder


class Prefix:
    """An installed hilda: this folder is share/hilda/python/hilda_build of it."""

    def __init__(self, root, _settings):
        self.root = root

    def version(self):
        return (HERE.parent / "version.txt").read_text().strip()

    def make(self):
        if not (self.root / "lib/python3/dist-packages/hilda").is_dir():
            raise SystemExit(f"hilda: {self.root} was installed without the Python module "
                             "(pybind11-dev and python3-dev were not there when it was built)")

    def installed(self, _folder):
        return self.root


def source(settings):
    """Where this file lies decides."""
    tree = HERE.parent.parent
    if (tree / "CMakeLists.txt").is_file() and (HERE.parent / "module.cpp").is_file():
        return Sources(tree, settings)
    return Prefix(tree.parent.parent, settings)
