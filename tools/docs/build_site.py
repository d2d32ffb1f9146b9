#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the documentation as a site with a sidebar and search: BUILD/docs/site/index.html.

    tools/docs/build_site.py BUILD [--hilda PROGRAM]

The pages lie in BUILD/docs/pages as in the tree, so that their links work there, too. The sidebar follows docs/README.md. The
reference of blocks is written from `hilda describe`, that of Python from its stub, those of C and C++ from the headers. It needs a
built hilda and mkdocs (Debian's package of that name); without mkdocs the exit code is 77.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

import block_reference
import header_reference
import python_reference
from site_pages import BLOCKS, PYTHON, TREE, copied, navigation

HERE = pathlib.Path(__file__).resolve().parent


def mkdocs():
    """The command, as a program or as a module of this Python."""
    if program := shutil.which("mkdocs"):
        return [program]
    if subprocess.run([sys.executable, "-c", "import mkdocs"], capture_output=True, check=False).returncode == 0:
        return [sys.executable, "-m", "mkdocs"]
    print("mkdocs is not installed: apt-get install mkdocs", file=sys.stderr)
    sys.exit(77)


def build(out, program):
    command = mkdocs()
    pages = out / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    names = copied(pages)
    libraries = block_reference.write(program, pages / BLOCKS)
    (pages / PYTHON).write_text(python_reference.page(TREE / "python/hilda/_engine.pyi"))
    headers = header_reference.write(TREE, (pages / PYTHON).parent)
    for name in ("site.css", "site_menu.js", "site_search.js"):
        shutil.copyfile(HERE / name, pages / name)
    settings = {"INHERIT": str(HERE / "mkdocs.yml"), "docs_dir": str(pages), "site_dir": str(out / "site"), "theme": {"custom_dir": str(HERE / "theme")},
                "nav": navigation(names, libraries, headers)}
    (out / "mkdocs.yml").write_text(json.dumps(settings, indent=1))  # JSON is YAML, too
    subprocess.run([*command, "build", "--quiet", "--strict", "--clean", "--config-file", str(out / "mkdocs.yml")], check=True)
    for name in ("sitemap.xml", "sitemap.xml.gz"):  # of no use without a server, and with the time of the build in them
        (out / "site" / name).unlink(missing_ok=True)
    shutil.rmtree(out / "site/js", ignore_errors=True)  # the theme's scripts, which theme/main.html does not load
    index = (out / "site/search/search_index.json").read_text()
    (out / "site/search/search_index.js").write_text(f"window.site_index = {index};\n")
    print(f"{len(names)} pages and {len(libraries) + len(headers) + 1} of reference: {out / 'site/index.html'}")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build", type=pathlib.Path, help="folder of the build")
    arguments.add_argument("--hilda", type=pathlib.Path, help="the program; BUILD/bin/hilda if not given")
    given = arguments.parse_args()
    build(given.build.resolve() / "docs", given.hilda or given.build / "bin/hilda")
