# SPDX-License-Identifier: BSD-3-Clause
"""Attacks by plugins: every way of ending the program in every phase, damaged libraries, and blocks that lie."""
import collections
import concurrent.futures
import itertools
import os
import random
import shutil
import signal

from bench import Row, ends_with_parent

TITLE = "Plugins"

DIAGRAM = """<diagram format="1" name="ways" period="1 ms">
  <parameter name="duration" value="20 ms"/>
  <block name="one" type="ways/Misbehaves"/>
  <block name="it" type="ways/Misbehaves" way="{way}" in="{phase}"/>
  <block name="three" type="ways/Misbehaves"/>
</diagram>
"""
WAYS = ["segv", "fpe", "ill", "bus", "abort", "overflow", "exit", "quick_exit", "_exit", "_Exit", "throw", "throw int",
        "thread exit", "hang", "round"]
BEFORE = ["feeds_through", "infer", "configure", "prepare", "initialize"]
PHASES = BEFORE + ["output", "update", "summarize"]
# What of the phases a command goes through.
COMMANDS = {"run ways.xml --no-log": PHASES, "run ways.xml --log l.mcap": PHASES, "check ways.xml": BEFORE,
            "plan ways.xml": ["feeds_through", "infer"], "check --audit ways.xml": BEFORE + ["output", "update"]}


def outcome_of(result):
    if result.exit < 0:
        return f"named, then {signal.Signals(-result.exit).name}"
    return {2: "named, exit 2", 3: "named, exit 3"}.get(result.exit, f"exit {result.exit}")


def at_once(one, bench, cases):
    """What `one` gives for each case, an outcome and what failed: several have their turn, for some wait until a limit."""
    with concurrent.futures.ProcessPoolExecutor(4, initializer=ends_with_parent()) as pool:
        done = list(pool.map(one, itertools.repeat(bench), cases))
    outcomes = collections.Counter(outcome for outcome, failure in done if not failure)
    return len(done), outcomes, [failure for _, failure in done if failure]


def one_way(bench, case):
    command, way, phase = case
    folder = bench.folder()
    (folder / "ways.xml").write_text(DIAGRAM.format(way=way, phase=phase))
    plugins = bench.build / "tests" / "cli" / "ways_plugins"
    result = bench.run([*command.split(), "--plugins", plugins], folder, timeout=60)
    bench.clear()
    named = "it (ways/Misbehaves)" in result.err or "block it" in result.err
    if result.exit in (0, 1, 130) or not named or "took too long" in result.err:
        return None, f"{command}, {way} in {phase}: exit {result.exit}: {result.err[-300:]!r}"
    return outcome_of(result), None


def ways(bench, _scale):
    for command, phases in COMMANDS.items():
        cases = [(command, way, phase) for way in WAYS for phase in phases]
        yield Row(f"{len(WAYS)} ways to end hilda in each phase of `hilda {command.split()[0]}"
                  f"{' --audit' if '--audit' in command else ''}{' --log' if '--log' in command else ''}`",
                  *at_once(one_way, bench, cases))


def damaged(bench, scale):
    """Libraries with bytes changed, each loaded in its own process: refused, taken, or named; never silent."""
    chance = random.Random(5)
    whole = (bench.build / "tests" / "cli" / "ways_plugins" / "ways.so").read_bytes()
    outcomes, failures, count = collections.Counter(), [], 0
    for _ in range(max(1, int(60 * scale))):
        folder = bench.folder()
        data = bytearray(whole)
        for _ in range(chance.choice([1, 1, 4, 64])):
            # the first kilobytes hold what the dynamic linker reads
            data[chance.randrange(min(len(data), chance.choice([64, 4096, len(data)])))] = chance.randrange(256)
        if chance.random() < 0.3:
            data = data[:chance.randrange(len(data))]
        (folder / "p").mkdir()
        (folder / "p" / "ways.so").write_bytes(data)
        (folder / "ways.xml").write_text(DIAGRAM.format(way="", phase=""))
        result = bench.run(["run", "ways.xml", "--no-log", "--plugins", "p"], folder, timeout=60)
        count += 1
        if result.exit == 0:
            outcomes["the change does no harm"] += 1
        elif result.exit > 0 and "took too long" not in result.err and result.err.strip():
            outcomes["refused or failed, in words"] += 1
        elif result.exit < 0 and "ways.so" in result.err:
            outcomes["crashes, the plugin is named"] += 1
        else:
            failures.append(f"damaged library: exit {result.exit}: {result.err[-300:]!r}")
        bench.clear()
    yield Row("a plugin's file with bytes changed or cut", count, outcomes, failures)


def one_liar(bench, file):
    result = bench.run(["test-plugin", file, "--time-limit", "2"], bench.folder(), timeout=120)
    bench.clear()
    honest = file.stem in ("liar_honest", "liar_offending")  # the second offends where its parameter says so
    if (result.exit == 0) == honest and result.exit in (0, 3):
        return "passes" if honest else "found", None
    if not honest and result.exit == 2 and "error[plugin-descriptor]" in result.err:  # a table that is wrong in itself
        return "refused", None
    return None, f"test-plugin {file.name}: exit {result.exit}: {result.out[-300:]!r}"


def liars(bench, _scale):
    folder = bench.build / "tests" / "author" / "plugins"
    files = sorted(folder.glob("liar_*.so")) if folder.is_dir() else []
    if files:
        yield Row("blocks that lie, to `hilda test-plugin`", *at_once(one_liar, bench, files))


def permissions(bench, _scale):
    outcomes, failures, count = collections.Counter(), [], 0
    for where in ("file", "folder"):
        for mode in (0o002, 0o022, 0o020):
            folder = bench.folder()
            own = folder / "own"
            own.mkdir()
            shutil.copy(bench.build / "tests" / "cli" / "ways_plugins" / "ways.so", own / "ways.so")
            target = own if where == "folder" else own / "ways.so"
            os.chmod(target, target.stat().st_mode & 0o777 & ~0o022 | mode)
            (folder / "ways.xml").write_text(DIAGRAM.format(way="", phase=""))
            result = bench.run(["check", "ways.xml", "--plugins", "own"], folder)
            count += 1
            refused = result.exit == 2 and "plugin-writable" in result.err
            if refused == bool(mode & 0o002):
                outcomes["refused" if refused else "loaded (owner and group alone may write)"] += 1
            else:
                failures.append(f"{where} {mode:o}: exit {result.exit}: {result.err[-200:]!r}")
            bench.clear()
    yield Row("plugin folders and files that others may write", count, outcomes, failures)


def attacks(bench, scale):
    os.environ["HILDA_CALL_LIMIT"] = "0.5"  # hangs end by themselves, with words
    try:
        yield from ways(bench, scale)
        yield from damaged(bench, scale)
        yield from liars(bench, scale)
        yield from permissions(bench, scale)
    finally:
        del os.environ["HILDA_CALL_LIMIT"]
