#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes claims.md: every claim with a number or a comparison in the five papers, some of later methods, and what the diagrams give.

    docs/results/validation/claims.py [ID...]      prints the rows of these claims instead
    HILDA=path                          another program than build/bin/hilda

The quotes are in claims.json, and citations.py holds them against the papers' text.
"""
import datetime
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import claims_arm
import claims_contact
import claims_emulation
import claims_field
import claims_tdpa
from runs import here

MEASURES = {"hybrid": claims_contact, "compliance": claims_contact, "passivity": claims_tdpa, "emulation": claims_emulation, "arm": claims_arm,
            "field": claims_field}


def row(claim):
    ours, verdict, reason = getattr(MEASURES[claim["paper"]], claim["measure"])()
    return f"| {claim['id']} | \"{claim['quote']}\" ({claim['place']}) | {ours} | {verdict} | {reason} |", verdict


def main():
    book = json.loads((here / "claims.json").read_text())
    claims = [c for c in book["claims"] if len(sys.argv) < 2 or c["id"] in sys.argv[1:]]
    started = time.time()
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(row, claims))
    if len(sys.argv) > 1:
        print("\n".join(text for text, _ in rows))
        return
    verdicts = [verdict for _, verdict in rows]
    count = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(sorted(verdicts, key=verdicts.count, reverse=True)))
    out = ["<!-- written by claims.py from runs of the diagrams; do not edit -->", "# Every claim of the papers", "",
           "Each sentence of the five papers that states a number or a comparison, quoted, and what the diagrams give for it. Of the later",
           "methods only public abstracts and notes were read, and some of their sentences are here. Contact",
           "claims are run with symplectic, zoh and rk4 at 0.5, 1 and 2 ms, and a range is over all of these unless the row says",
           "otherwise. `citations.py` finds each quote of the five in the paper's text.", "",
           f"{len(rows)} claims: {count}. Measured on {datetime.date.today()}, {time.time() - started:.0f} s.", ""]
    for key, paper in book["papers"].items():
        out += [f"## {paper['title']}", "", "| | the paper | ours | verdict | why |", "|---|---|---|---|---|"]
        out += [text for claim, (text, _) in zip(claims, rows) if claim["paper"] == key] + [""]
    (here / "claims.md").write_text("\n".join(out))


main()
