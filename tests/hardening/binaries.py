# SPDX-License-Identifier: BSD-3-Clause
"""What is shipped is hardened: binaries.py FILE... looks at programs and shared libraries with readelf.

Position independent, addresses read-only after linking (RELRO with BIND_NOW), no executable stack, no segment that is
writable and executable, no text relocations, its own libraries next to itself, and of the tree's own code: stack canaries and checked copies.
"""
import re
import subprocess
import sys


def readelf(option, file):
    return subprocess.run(["readelf", "--wide", option, file], capture_output=True, text=True, check=True).stdout


def faults(file):
    header, segments, dynamic = readelf("-h", file), readelf("-l", file), readelf("-d", file)
    symbols = readelf("--dyn-syms", file)
    if not re.search(r"Type:\s+DYN", header):
        yield "is not position independent"
    if "GNU_RELRO" not in segments:
        yield "has no RELRO"
    if not re.search(r"\(FLAGS_1\).*\bNOW\b", dynamic) and "BIND_NOW" not in dynamic:
        yield "is not bound now"
    stack = re.search(r"GNU_STACK.*", segments)
    if stack is None or "E" in stack[0].split()[-2]:
        yield "has an executable stack"
    if re.search(r"LOAD.*\bRWE\b", segments):
        yield "has a segment that can be written and run"
    if "TEXTREL" in dynamic:
        yield "has text relocations"
    for path in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic):
        if not all(re.match(r"\$ORIGIN(/|$)", folder) for folder in path.split(":")):
            yield f"looks for libraries elsewhere than beside itself: {path}"
    if "/libhilda.so" in file:  # large enough to need all of them; a plugin may have nothing to protect
        if "__stack_chk_fail" not in symbols:
            yield "has no stack canaries"
        if not re.search(r"__\w+_chk\b(?<!__stack_chk)", symbols):
            yield "has no checked copies (_FORTIFY_SOURCE)"


def main():
    failed = 0
    for file in sys.argv[1:]:
        for fault in faults(file):
            print(f"{file}: {fault}")
            failed += 1
    print(f"{len(sys.argv) - 1} files, {failed} faults")
    return 1 if failed or len(sys.argv) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
