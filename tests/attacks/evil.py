# SPDX-License-Identifier: BSD-3-Clause
"""Attacks by plugins that do one thing that none may, each to `hilda run`, `check --audit` and `test-plugin`."""
import collections
import concurrent.futures
import itertools
import os
import re
import resource
import signal

from bench import Row, ends_with_parent

TITLE = "Evil plugins"

NOTE = """A row says what `hilda run`, `hilda check --audit` and `hilda test-plugin --diagram` do with a block that does one
thing. Where none of them notices it, the row says why. "sent to --audit": the crash or the failure shows in another
block, and the message names `check --audit`, which names the right one. Blocks that break a promise of the table
of [checks](../author.md#what-every-block-promises) are under "Plugins" (blocks that lie).

What the guards cost, measured on 2026-11-27 with `diagrams/pida.xml`, by hand and by no script, this build next to one of
the same sources in which four of its seven plugins (passivity, kinematics, contact, dynamics) compare no shapes and ask for no fault
after a phase: in the loop 3.0 % more instructions (valgrind, 7431 ticks,
two runs each that differ by 0.3 %); in time no difference that a busy machine shows (25 pairs of runs: the fastest 9 %
quicker with guards). At load 11,800 system calls of 0.65 us, 8 ms of the 120 ms of `hilda check`.
Since 2026-11-28 views and their parts compare, too: 7 s of the same diagram less 1 s take 47.99 million instructions, and 48.23
million in the build before, which is within what two runs differ by."""

DIAGRAM = """<diagram format="1" name="evil" period="1 ms">
  <parameter name="duration" value="20 ms"/>
  <block name="source" type="sources/Sine" amplitude="1" frequency="3 Hz"/>
  <block name="guest" type="evil/Block" way="{way}"/>
  <block name="neighbour" type="math/Gain" gain="2"/>
  <connect from="source.y" to="guest.u"/>
  <connect from="guest.y" to="neighbour.u"/>
</diagram>
"""
COMMANDS = {"run": ["run", "evil.xml", "--no-log"], "audit": ["check", "--audit", "evil.xml"],
            "test-plugin": ["test-plugin", "evil.so", "--diagram", "evil.xml", "--time-limit", "2"]}
# What none of the three commands notices, and why. A way that is in here and is noticed fails the test too.
UNNOTICED = {
    "limit descriptors to none": "hilda opens its files before the loop; what a plugin opens later fails there",
    "empty the environment": "hilda has read what it needs from it",
    "leave at exit with 0": "a handler of exit() runs after hilda has done its work, and the code is 0 either way",
    "leave its output as it is": "an output begins at 0, the same in each run",
    "give infinity": "infinity is a number; the signal is drawn and compared as such"}


# What must not end with another code than this, whatever the block does at the end.
EXITS = {"fail, and leave at exit with 0": 3, "fail, and exit again with 0": 3}


def ways(bench):
    source = (bench.source / "tests" / "attacks" / "evil" / "evil.c").read_text()
    return re.findall(r'\bis\(r, "([^"]+)"\)', source)


def outcome_of(command, result):
    """In words, whether the block is named, and whether that is as it must be."""
    text = result.err + result.out
    named = any(name in text for name in ("guest (evil/Block)", "block guest", "guest: ", "evil.so", "FAILED evil/Block"))
    if "took too long" in result.err:
        return "hangs", False, False
    if command == "test-plugin" and result.exit in (0, 3):
        if "FAILED the diagram: " in result.out:
            return "found when the diagram is run", True, True
        checks = re.findall(r"^FAILED evil/Block: (\w+):", result.out, re.M)
        return (f"found by {', '.join(dict.fromkeys(checks))}", True, True) if checks else ("passes", False, True)
    if "--audit" in text and not named:
        ended = signal.Signals(-result.exit).name if result.exit < 0 else f"exit {result.exit}"
        return f"sent to --audit, then {ended}" if result.exit < 0 else f"sent to --audit, {ended}", False, True
    if result.exit < 0:
        return f"named, then {signal.Signals(-result.exit).name}", named, named
    if result.exit == 0:
        return ("a warning that names it" if named else "continues"), named, True
    return f"named, exit {result.exit}", named, named


def one_way(bench, way):
    folder = bench.folder()
    (folder / "evil.xml").write_text(DIAGRAM.format(way=way))
    plugins = bench.build / "tests" / "attacks" / "evil"
    outcomes, failures, noticed = {}, [], False
    limits = [(resource.RLIMIT_AS, 8 << 30)] if way == "take all memory" else []
    for command, arguments in COMMANDS.items():
        file = [plugins / "evil.so" if each == "evil.so" else each for each in arguments]
        result = bench.run([*file, "--plugins", plugins], folder, limits=limits, timeout=60)
        said, named, sound = outcome_of(command, result)
        outcomes[f"{command}: {said}"] = 1
        noticed = noticed or named
        if command != "test-plugin" and result.exit != EXITS.get(way, result.exit):
            failures.append(f"{way}, {command}: exit {result.exit}, not {EXITS[way]}: {result.err[-300:]!r}")
        if not sound:
            failures.append(f"{way}, {command}: exit {result.exit}: {(result.err + result.out)[-300:]!r}")
    if not noticed and way not in UNNOTICED:
        failures.append(f"{way}: nobody notices")
    if noticed and way in UNNOTICED:
        failures.append(f"{way}: is noticed, so it is no longer one of UNNOTICED")
    if way in UNNOTICED:
        outcomes[f"not noticed: {UNNOTICED[way]}"] = 1
    bench.clear()
    return Row(way, len(COMMANDS), outcomes, failures)


def attacks(bench, _scale):
    os.environ["HILDA_CALL_LIMIT"] = "0.5"  # hangs end by themselves, with words
    try:
        with concurrent.futures.ProcessPoolExecutor(4, initializer=ends_with_parent()) as pool:
            yield from pool.map(one_way, itertools.repeat(bench), ways(bench))
    finally:
        del os.environ["HILDA_CALL_LIMIT"]
