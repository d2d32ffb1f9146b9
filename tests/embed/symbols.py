# SPDX-License-Identifier: BSD-3-Clause
"""libhilda.so shows embedders the C API of hilda/embed.h, whole, under the version HILDA_1, and marks all else private.

symbols.py LIBRARY HEADER
"""
import pathlib
import re
import subprocess
import sys
import unittest

library, header = sys.argv[1:]
MOST_PRIVATE = 339  # C++ names that are shown today; where there are fewer, lower it
LINE = re.compile(r"^[0-9a-f]* +([A-Za-z]) (\S+?)@@?(\S+)$")


def shown():
    """Names by version, as the linker has them."""
    listed = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library], capture_output=True,
                            text=True, check=True).stdout
    names = {}
    for line in listed.splitlines():
        found = LINE.match(line)
        if found:
            names.setdefault(found[3], set()).add(found[2])
        else:
            unversioned = line.split()
            if unversioned[-2] != "A":  # the versions themselves
                names.setdefault("", set()).add(unversioned[-1])
    return names


class Symbols(unittest.TestCase):
    def test_the_c_api_is_public_and_whole(self):
        text = pathlib.Path(header).read_text(encoding="utf-8")
        declared = set(re.findall(r"^\w[\w *]*[ *](hilda_sim_\w+)\(", text, re.M))
        self.assertGreater(len(declared), 25)
        self.assertEqual(shown()["HILDA_1"], declared)

    def test_all_else_is_private(self):
        names = shown()
        self.assertEqual(set(names), {"HILDA_1", "HILDA_PRIVATE"}, names.get(""))
        private = names["HILDA_PRIVATE"]
        self.assertEqual({name for name in private if not name.startswith("_Z")}, {"hilda_run", "hilda_refuse_exit"})

    def test_private_names_become_no_more(self):
        private = {name for name in shown()["HILDA_PRIVATE"] if name.startswith("_Z")}
        self.assertLessEqual(len(private), MOST_PRIVATE, "show fewer names in cmake/hilda.exports, or use the C API")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
