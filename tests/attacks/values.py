# SPDX-License-Identifier: BSD-3-Clause
"""Attacks on values: the cases are derived from the catalogue by tests/values, a test that prints how many there were."""
import os
import subprocess

from bench import Row

TITLE = "Values"


def attacks(bench, _scale):
    counts = bench.folder() / "counts.tsv"
    done = subprocess.run([bench.build / "tests" / "tests_values"], capture_output=True, text=True,
                          env={**os.environ, "HILDA_ATTACK_COUNTS": str(counts)})
    failures = [line for line in done.stdout.splitlines() if "nothing at line" in line or "is not told" in line]
    if done.returncode != 0 and not failures:
        failures = [done.stdout[-500:] + done.stderr[-500:]]
    for line in counts.read_text().splitlines() if counts.exists() else []:
        attack, count = line.split("\t")
        yield Row(attack, int(count), {"reported at the right line": int(count) - (len(failures))} if not failures else {},
                  failures)
        failures = []
    if failures:
        yield Row("wrong values", 0, {}, failures)
