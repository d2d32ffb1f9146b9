"""What is installed is small: installed.py CMAKE BUILD. No file holds debug information, and all together are below 29 MB."""
import pathlib
import subprocess
import sys
import tempfile

MOST = 29_000_000  # bytes; 27.8 MB in November 2026 (the program 12.3, Python's module 5.5), 107 MB with debug information


def sections(file):
    return subprocess.run(["readelf", "--wide", "-S", file], capture_output=True, text=True).stdout


def main():
    cmake, build = sys.argv[1:3]
    with tempfile.TemporaryDirectory(prefix="hilda_installed_") as prefix:
        subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        files = [file for file in pathlib.Path(prefix).rglob("*") if file.is_file()]
        code = [file for file in files if file.suffix == ".so" or file == pathlib.Path(prefix, "bin/hilda")]
        heavy = [file for file in code if ".debug_info" in sections(file)]
        size = sum(file.stat().st_size for file in files)
        version = subprocess.run([pathlib.Path(prefix, "bin/hilda"), "--version"], capture_output=True, text=True)
    for file in heavy:
        print(f"{file} holds debug information")
    print(f"{len(files)} files, {len(code)} of them code, {size / 1e6:.1f} MB")
    return 1 if heavy or size > MOST or len(code) < 10 or version.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
