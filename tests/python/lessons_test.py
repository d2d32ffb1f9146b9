# SPDX-License-Identifier: BSD-3-Clause
"""The lessons in the percent format: they are scripts, become notebooks of Jupyter, and run cell by cell; and the first lines of python.md run."""

import ast
import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
LESSONS = PROJECT / "examples" / "24-notebooks"
MARK = re.compile(r"^# %%(?: \[(markdown)\])?$", re.M)


def notebook(text):
    """As jupytext reads the percent format: nbformat 4.5."""
    begin, *parts = MARK.split(text)
    if begin.strip():
        raise ValueError("a line is before the first cell")
    cells = []
    for kind, body in zip(parts[::2], parts[1::2]):
        source = body.strip("\n")
        if kind == "markdown":
            source = "\n".join(re.fullmatch(r"#(?: (.*))?", line)[1] or "" for line in source.split("\n"))
            cells.append({"cell_type": "markdown", "metadata": {}, "source": source})
        else:
            cells.append({"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source})
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}}, "cells": cells}


def run_cell(source, space, name):
    """Shows its last expression as a notebook does: as HTML where it has it."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), space)
    if last is None:
        return ""
    value = eval(compile(ast.Expression(last.value), name, "eval"), space)
    html = getattr(value, "_repr_html_", None)
    return html() if html else "" if value is None else repr(value)


class Lessons(unittest.TestCase):
    def test_each_is_a_notebook_whose_cells_run_in_order(self):
        files = sorted(LESSONS.glob("*.py"))
        self.assertGreaterEqual(len(files), 3)
        page = (LESSONS / "README.md").read_text()
        for file in files:
            with self.subTest(file.name):
                self.assertIn(f"`{file.name}`", page)
                book = json.loads(json.dumps(notebook(file.read_text())))
                kinds = [cell["cell_type"] for cell in book["cells"]]
                self.assertEqual(kinds[0], "markdown")
                self.assertTrue(book["cells"][0]["source"].startswith("# "))
                self.assertGreaterEqual(kinds.count("code"), 3)
                space, shown = {"__name__": "__main__"}, io.StringIO()
                with contextlib.redirect_stdout(shown):
                    for number, cell in enumerate(book["cells"]):
                        if cell["cell_type"] == "code":
                            print(run_cell(cell["source"], space, f"{file.name}[{number}]"))
                self.assertGreater(len(shown.getvalue().strip()), 40)

    def test_a_run_shows_itself_as_a_table(self):
        cells = [cell["source"] for cell in notebook((LESSONS / "first_run.py").read_text())["cells"] if cell["cell_type"] == "code"]
        space = {}
        shown = [run_cell(cell, space, "cell") for cell in cells[:2]]
        self.assertIn("<table", shown[0])
        self.assertIn("velocity.y", shown[1])

    def test_what_is_no_lesson_is_refused(self):
        with self.assertRaises(ValueError):
            notebook("import hilda\n# %%\nhilda\n")
        with self.assertRaises(TypeError):  # a line of code in a cell of text
            notebook("# %% [markdown]\n# text\nx = 1\n")


class Page(unittest.TestCase):
    def test_begins_with_ten_lines_that_work(self):
        page = (PROJECT / "docs" / "python.md").read_text()
        first = re.search(r"^```python\n(.*?)^```$", page, re.M | re.S)
        self.assertLess(page[: first.start()].count("\n"), 6)
        self.assertEqual(len([line for line in first[1].splitlines() if line.strip()]), 10)
        space = {}
        lines = [line for line in first[1].splitlines() if "plot" not in line]
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            exec("\n".join(lines), space)
        self.assertAlmostEqual(space["run"]["velocity.y"][-1], 2 * (space["run"].time[-1] - 0.1), delta=2e-3)


if __name__ == "__main__":
    sys.path.insert(0, str(LESSONS))
    unittest.main()
