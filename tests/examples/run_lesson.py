# SPDX-License-Identifier: BSD-3-Clause
"""Does what a lesson's page says, in a copy of its folder: run_lesson.py LESSON PREFIX WORK [--write]

Blocks marked sh are run one after the other in one shell, with the hilda that is installed in PREFIX; each must succeed,
or end with the code behind exit= in its mark. A block marked text behind it is what comes out: `...` stands for any
text in its line, and alone in a line for any lines. A block marked with another language and file=NAME is a part of that
file of the lesson. With --write, texts that do not match are replaced by what came out.

LESSON may also be a page alone: its parts of files are whole files then, and made before anything is run.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys

BLOCK = re.compile(r"^```(\S+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHANGING = [(r"in [0-9.e+-]+ s, [0-9.e+-]+ times real time", "in ..."), (r"\([0-9.]+ [kM]B", "(..."),
            (r"/\S+/(lib|share)/hilda", r".../\1/hilda")]


class Shell:
    """One bash for all blocks of a page, so that variables stay."""

    END = "--- end of the block:"

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(
            ["bash"], cwd=folder, env=environment, text=True, errors="replace",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.script = folder.parent / ("." + folder.name + ".sh")

    def run(self, block):
        """What came out, and the first exit code that was not 0."""
        self.script.write_text(block)
        self.process.stdin.write(
            f"status=0; trap 'code=$?; [ $status -ne 0 ] || status=$code' ERR; . '{self.script}' </dev/null\n"
            f"trap - ERR; printf '\\n%s %s\\n' '{self.END}' $status\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.startswith(self.END):
                return "".join(lines)[:-1], int(line.split()[-1])
            lines.append(line)
        return "".join(lines), self.process.wait()

    def end(self):
        """Also of what a page left running."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def choose_ports(folder):
    """Puts free UDP ports in the place of the lessons' own, 47100 to 47199, so that nothing else is disturbed."""
    sockets = {}
    for file in folder.rglob("*.xml"):
        def free(match):
            if match.group() not in sockets:
                sockets[match.group()] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                sockets[match.group()].bind(("127.0.0.1", 0))
            return str(sockets[match.group()].getsockname()[1])
        file.write_text(re.sub(r"\b471\d\d\b", free, file.read_text()))
    for each in sockets.values():
        each.close()


def lines_of(text):
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def matches(expected, actual):
    """Whether a page's text stands for what came out."""
    pattern = ""
    for line in lines_of(expected):
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += r"[^\n]*".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.fullmatch(pattern, "\n".join(lines_of(actual)) + "\n") is not None


def environment_with(prefix):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HILDA_")}
    stand_ins = os.environ.get("HILDA_STAND_INS", "")  # programs that come before the system's
    environment["PATH"] = f"{prefix}/bin:{stand_ins + ':' if stand_ins else ''}/usr/bin:/bin:{environment['PATH']}"
    environment["PYTHONPATH"] = f"{prefix}/lib/python3/dist-packages"
    environment["LC_ALL"] = "C.UTF-8"
    if shutil.which("ccache"):
        for language in ("C", "CXX"):
            environment[f"CMAKE_{language}_COMPILER_LAUNCHER"] = "ccache"
    return environment


def quoted_faults(lesson, page):
    """Parts of files that the page shows and the lesson does not have."""
    faults = []
    if lesson.is_file():
        return faults
    for language, mark, text in BLOCK.findall(page):
        name = re.search(r"file=(\S+)", mark)
        if name and text not in (lesson / name.group(1)).read_text():
            faults.append(f"the part of {name.group(1)} that is shown is not in it:\n{text}")
    return faults


def main():
    arguments = argparse.ArgumentParser()
    for name in ("lesson", "prefix", "work"):
        arguments.add_argument(name, type=pathlib.Path)
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()

    alone = given.lesson.is_file()
    page_file = given.lesson if alone else given.lesson / "README.md"
    page = page_file.read_text()
    folder = given.work.resolve() / given.lesson.resolve().stem
    shutil.rmtree(folder, ignore_errors=True)
    if alone:
        folder.mkdir()
        for _, mark, text in BLOCK.findall(page):
            if name := re.search(r"file=(\S+)", mark):
                (folder / name.group(1)).write_text(text)
    else:
        shutil.copytree(given.lesson, folder)
    choose_ports(folder)
    shell = Shell(folder, environment_with(given.prefix.resolve()))

    faults = quoted_faults(given.lesson, page)
    output, commands, compared, corrections = None, 0, 0, []
    for block in BLOCK.finditer(page):
        language, mark, text = block.groups()
        if language == "sh":
            commands += 1
            output, code = shell.run(text)
            wanted = int((re.search(r"exit=(\d+)", mark) or [0, 0])[1])
            if code != wanted:
                faults.append(f"{text}ended with {code} in place of {wanted}:\n{output}")
        elif language == "text" and output is not None:
            compared += 1
            if not matches(text, output):
                faults.append(f"the page says\n{text}and what came out is\n{output}")
                corrections.append((block.span(3), output))
            output = None
    shell.end()
    if given.write:
        for (begin, end), text in reversed(corrections):
            for pattern, mark in CHANGING:
                text = re.sub(pattern, mark, text)
            page = page[:begin] + "\n".join(lines_of(text)) + "\n" + page[end:]
        page_file.write_text(page)
    print("\n\n".join(faults))
    print(f"{given.lesson.name}: {commands} blocks run, {compared} texts compared, {len(faults)} faults")
    if commands == 0:
        print("the page has nothing to run")
    return 1 if faults or commands == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
