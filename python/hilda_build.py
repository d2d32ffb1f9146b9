# SPDX-License-Identifier: BSD-3-Clause
"""Makes the wheel of the package hilda, for pip: from the sources, or from an installed hilda.

A backend of our own (PEP 517): a wheel is a zip file with three texts in it, and all the rest is CMake's work. From an
installed prefix nothing is compiled: what lies there is packed, for the Python that it was built for.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
NAME = "hilda"
OLDEST = (3, 9)


class Sources:
    """The project's tree: HERE is its folder python/."""

    def __init__(self, root, settings):
        self.root = root
        self.build = pathlib.Path(settings.get("build", root / "build" / f"pip-{sysconfig.get_config_var('SOABI')}"))
        self.ready = "build" in settings

    def version(self):
        return re.search(r"project\(hilda VERSION ([0-9.]+)", (self.root / "CMakeLists.txt").read_text())[1]

    def make(self):
        if self.ready:
            return
        for needed in ("cmake", "ninja"):
            if shutil.which(needed) is None:
                raise SystemExit(f"hilda: {needed} is not there; tools/setup.sh lists the Debian packages")
        if subprocess.run([sys.executable, "-c", "import numpy"]).returncode != 0:
            raise SystemExit("hilda: numpy is not there for " + sys.executable)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
        subprocess.run(["cmake", "-S", self.root, "-B", self.build, "-G", "Ninja", f"-DHILDA_PYTHON={sys.executable}",
                        "-DHILDA_TESTS=OFF", "-DHILDA_BENCHMARKS=OFF"], check=True)
        subprocess.run(["cmake", "--build", self.build, "--parallel", jobs, "--target", "hilda_plugins",
                        "hilda_python_package"], check=True)

    def package(self):
        return self.build / "python" / NAME

    def plugins(self):
        return self.build / "lib" / NAME / "plugins"

    def diagrams(self):
        return self.root / "diagrams"


class Prefix:
    """An installed hilda: HERE is its folder share/hilda/python."""

    def __init__(self, root, _settings):
        self.root = root

    def version(self):
        return (HERE / "version.txt").read_text().strip()

    def make(self):
        if not self.package().is_dir():
            raise SystemExit(f"hilda: {self.root} was installed without the Python module "
                             "(pybind11-dev and python3-dev were not there when it was built)")

    def package(self):
        return self.root / "lib" / "python3" / "dist-packages" / NAME

    def plugins(self):
        return self.root / "lib" / NAME / "plugins"

    def diagrams(self):
        return self.root / "share" / NAME / "diagrams"


def place(settings):
    """Where this file lies decides."""
    if (HERE.parent / "CMakeLists.txt").is_file() and (HERE / "module.cpp").is_file():
        return Sources(HERE.parent, settings)
    return Prefix(HERE.parent.parent.parent, settings)


def check_python():
    if sys.version_info < OLDEST:
        raise SystemExit("hilda: Python %d.%d or newer is needed" % OLDEST)


def module_file(package):
    """The module for this very Python; another one's would not be found by `import`."""
    module = package / ("_engine" + sysconfig.get_config_var("EXT_SUFFIX"))
    if module.is_file():
        return module
    others = ", ".join(sorted(each.name for each in package.glob("_engine*.so"))) or "none"
    raise SystemExit(f"hilda: no module for {sys.executable} (Python {sysconfig.get_python_version()}): "
                     f"{module.name} is wanted, {others} is there. Install from hilda's sources with this Python, or "
                     "build them with -DHILDA_PYTHON=" + sys.executable)


def tag():
    interpreter = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{interpreter}-{interpreter}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def metadata(version):
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n"
            "Summary: Block diagrams in closed loop with robots and force sensors\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\n")


def contents(source):
    """(name in the wheel, file)"""
    package = source.package()
    yield f"{NAME}/{module_file(package).name}", module_file(package)
    for file in sorted(package.iterdir()):
        if file.suffix in (".py", ".pyi", ".typed"):
            yield f"{NAME}/{file.name}", file
    for file in sorted(source.plugins().parent.glob("libhilda.so.*")):  # by its soname; a wheel has no links
        yield f"{NAME}/lib/{NAME}/{file.name}", file
    for file in sorted(source.plugins().glob("*.so")):
        yield f"{NAME}/lib/{NAME}/plugins/{file.name}", file
    for file in sorted((source.plugins().parent / "languages").glob("python.*")):
        yield f"{NAME}/lib/{NAME}/languages/{file.name}", file
    for file in sorted(source.diagrams().rglob("*")):
        if file.is_file():
            yield f"{NAME}/share/{NAME}/diagrams/{file.relative_to(source.diagrams())}", file


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    check_python()
    source = place(config_settings or {})
    source.make()
    version = source.version()
    info = f"{NAME}-{version}.dist-info"
    name = f"{NAME}-{version}-{tag()}.whl"
    record = []

    def add(wheel, inside, data, executable=False):
        entry = zipfile.ZipInfo(inside, (1980, 1, 1, 0, 0, 0))  # equal contents, equal bytes
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        wheel.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{inside},sha256={digest},{len(data)}")

    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w") as wheel:
        for inside, file in contents(source):
            add(wheel, inside, file.read_bytes(), file.suffix == ".so")
        add(wheel, f"{info}/METADATA", metadata(version).encode())
        add(wheel, f"{info}/WHEEL",
            f"Wheel-Version: 1.0\nGenerator: hilda_build\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode())
        record.append(f"{info}/RECORD,,")
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD", (1980, 1, 1, 0, 0, 0)), "\n".join(record) + "\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("hilda: a source distribution is the repository itself; pip installs from its folder")


def get_requires_for_build_wheel(config_settings=None):
    return []
