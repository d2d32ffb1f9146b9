# SPDX-License-Identifier: BSD-3-Clause
"""Attacks on memory and time: diagrams and logs that ask for more than there is."""
import collections
import json
import os
import random
import re
import resource
import struct
import time

from bench import Row

TITLE = "Memory and time"

HEAD = '<diagram format="1" name="hungry" period="1 ms">\n'
TAIL = "</diagram>\n"
MEMORY = "1GB"  # what the attacked program may take


def many_attributes(folder):
    pairs = " ".join(f'a{i}="1"' for i in range(50_000))
    (folder / "d.xml").write_text(f'{HEAD}<block name="x" type="math/Gain" {pairs}/>\n{TAIL}')


def many_unknown_attributes(folder):
    blocks = "\n".join('<block name="b%d" type="math/Gain" gain="1" %s/>' %
                       (i, " ".join(f'gaim{i}_{k}="1"' for k in range(400))) for i in range(100))
    (folder / "d.xml").write_text(HEAD + blocks + TAIL)


def long_names(folder):
    names = [f"{'n' * 150}{i:06d}" for i in range(20_000)]
    blocks = "\n".join(f'<block name="{name}" type="sources/Clock"/>' for name in names)
    wires = "\n".join(f'<connect from="{"m" * 150}{i:06d}.y" to="{"o" * 150}{i:06d}.u"/>' for i in range(20_000))
    (folder / "d.xml").write_text(HEAD + blocks + wires + TAIL)


def wrong_settings(folder):
    names = [f"{'n' * 150}{i:06d}" for i in range(20_000)]
    (folder / "d.xml").write_text(HEAD + "\n".join(f'<block name="{n}" type="math/Gain" gian="1"/>' for n in names) + TAIL)


def sum_of_delays(folder):
    lines = "\n".join(f'<block name="d{i}" type="discrete/Delay" samples="1e7"/><connect from="c.y" to="d{i}.u"/>'
                      for i in range(100))
    (folder / "d.xml").write_text(f'{HEAD}<block name="c" type="sources/Constant" value="1"/>\n{lines}{TAIL}')


def long_list(folder):
    (folder / "d.xml").write_text(f'{HEAD}<block name="c" type="sources/Constant"\n value="' + "1 " * 30_000_000 + f'"/>{TAIL}')


def deep_nesting(folder):
    deep = 100_000
    (folder / "d.xml").write_text(HEAD + '<subsystem name="s">' * deep + "</subsystem>" * deep + TAIL)


def laughs(folder):
    (folder / "s0.xml").write_text(HEAD + '<block name="c" type="sources/Clock"/>' + TAIL)
    for level in range(1, 12):
        parts = "".join(f'<subsystem name="s{i}" src="s{level - 1}.xml"/>' for i in range(10))
        (folder / f"s{level}.xml").write_text(HEAD + parts + TAIL)
    os.rename(folder / "s11.xml", folder / "d.xml")


def includes_itself(folder):
    (folder / "d.xml").write_text(HEAD + '<subsystem name="again" src="d.xml"/>' + TAIL)


def long_chains(folder):
    chain = "".join(f'<parameter name="p{i}" value="${{p{i + 1}}}"/>\n' for i in range(50_000))
    (folder / "d.xml").write_text(f'{HEAD}{chain}<parameter name="p50000" value="1"/>\n'
                                  f'<block name="c" type="sources/Constant" value="${{p0}}"/>{TAIL}')


def doubling_texts(folder):
    chain = "".join(f'<parameter name="p{i}" value="${{p{i + 1}}} ${{p{i + 1}}}"/>\n' for i in range(40))
    (folder / "d.xml").write_text(f'{HEAD}{chain}<parameter name="p40" value="text"/>\n'
                                  f'<block name="c" type="math/Function" expression="${{p0}}"/>{TAIL}')


def deep_expression(folder):
    (folder / "d.xml").write_text(f'{HEAD}<block name="c" type="sources/Constant" value="${{{"(" * 100_000}1'
                                  f'{")" * 100_000}}}"/>{TAIL}')


def huge_dimensions(folder):
    # signal-size; what it says of the budget depends on the machine, so it has no golden text
    (folder / "d.xml").write_text(f'{HEAD}<block name="c" type="sources/Constant" value="1"/>\n'
                                  '<block name="r" type="math/Reshape" rows="100000" cols="100000"/>\n'
                                  '<connect from="c.y" to="r.u"/>' + TAIL)


DIAGRAMS = [("50,000 attributes in one element", many_attributes), ("40,000 unknown attributes", many_unknown_attributes),
            ("20,000 long names with 20,000 bad wires", long_names), ("20,000 misspelt parameters", wrong_settings),
            ("100 delay lines of 80 MB", sum_of_delays), ("a list of 30 million numbers", long_list),
            ("100,000 nested subsystems", deep_nesting), ("subsystems that hold ten of the next, 11 levels", laughs),
            ("a diagram that includes itself", includes_itself), ("a chain of 50,000 ${}", long_chains),
            ("texts that double 40 times", doubling_texts), ("an expression of 100,000 parentheses", deep_expression),
            ("a matrix of 100,000 by 100,000", huge_dimensions)]


def record(opcode, content_bytes):
    return struct.pack("<BQ", opcode, content_bytes)


def sparse_log(folder, opcode):
    """40 GB of which nothing is on the disk: a record that says it is as long as the file."""
    with open(folder / "l.mcap", "wb") as file:
        file.write(b"\x89MCAP0\r\n" + record(opcode, 40_000_000_000 - 17))
        file.truncate(40_000_000_000)


def many_records(folder):
    with open(folder / "l.mcap", "wb") as file:
        file.write(b"\x89MCAP0\r\n" + record(0x05, 0) * 5_000_000)


def spent(bench):
    """What only the watch over the whole process sees ends with its own words."""
    outcomes, failures = {}, []
    for option, amount, words in (("--budget-memory", "300MB", "the budget of memory, 300 MB, is spent"),
                                  ("--budget-time", "1", "the budget of time, 1 s of a processor, is spent")):
        folder = bench.folder()
        laughs(folder)
        result = bench.run(["check", "d.xml", option, amount], folder, timeout=300)
        if result.exit == 2 and words in result.err and re.search(r"while the work was at \w+\.xml:\d", result.err):
            outcomes["reported, with file and line"] = outcomes.get("reported, with file and line", 0) + 1
        else:
            failures.append(f"{option} {amount}: exit {result.exit}: {result.err[-200:]}")
        bench.clear()
    yield Row("a budget that is spent, of memory and of time", 2, outcomes, failures)


LOADER_FAILED = 127
DAY = int(time.time()) // 86400


def address_spaces(bench, folder, most, count, chance):
    """So many numbers of pages between what the loader needs and `most`, spread evenly: another choice every day."""
    least = bench.once("pages", lambda: start_pages(bench, folder))
    width = (most - least) / count
    return [int(least + (k + chance.random()) * width) for k in range(count)]


def start_pages(bench, folder):
    """The least address space, in pages, in which the loader finds room for the program and its libraries."""
    low, high = 4 << 8, 70 << 8
    while high - low > 1:
        middle = (low + high) // 2
        result = bench.run(["--version"], folder, limits=[(resource.RLIMIT_AS, middle << 12)])
        if result.exit == LOADER_FAILED or result.exit < 0:
            low = middle
        else:
            high = middle
    return high + 16  # what addresses at random may take


def little_memory(bench, scale):
    """A run within any address space, so that memory ends anywhere: while plugins load, in the log's thread, in the loop."""
    folder, chance, count = bench.folder(), random.Random(DAY), int(100 * scale)
    print(f"address spaces of day {DAY}", flush=True)
    outcomes, failures = collections.Counter(), []
    (folder / "d.xml").write_text(f"""{HEAD}<parameter name="duration" value="0.2 s"/>
      <block name="wave" type="sources/Sine" amplitude="1 2 3" frequency="2 Hz"/>
      <block name="lag" type="continuous/TransferFunction" numerator="1" denominator="0.1 1"/>
      <block name="pick" type="sources/Sine" amplitude="1" frequency="3 Hz"/>
      <connect from="pick.y" to="lag.u"/>{TAIL}""")
    for pages in address_spaces(bench, folder, 70 << 8, count, chance):
        result = bench.run(["run", "d.xml", "--log", "l.mcap", "--summary", "s.json"], folder,
                           limits=[(resource.RLIMIT_AS, pages << 12)])
        bare = re.search(r"terminate called|bad_alloc|abort", result.err)
        if result.exit not in (0, 2, 3) or bare or (result.exit != 0 and "help: " not in result.err):
            failures.append(f"{pages} pages: exit {result.exit}: {result.err[-300:]}")
        else:
            outcomes["runs" if result.exit == 0 else f"exit {result.exit} with words"] += 1
    if not outcomes["runs"]:
        failures.append("no run had memory enough: nothing was tried")
    yield Row("a run in any address space up to 70 MB", count, outcomes, failures)


COMMANDS = (["check", "d.xml"], ["linearize", "d.xml", "--from", "wave.y", "--to", "lag.y"], ["draw", "d.xml", "-o", "d.svg"],
            ["diff", "d.xml", "e.xml"], ["edit", "e.xml", "set", "lag.numerator=2"], ["schema"], ["describe", "math/Gain"],
            ["plan", "d.xml"], ["run", "d.xml", "--no-log", "--solver", "rosenbrock"])


def little_memory_elsewhere(bench, scale):
    """Every other command within any address space."""
    folder, chance, count = bench.folder(), random.Random(DAY + 1), int(12 * scale)
    for name, numerator in (("d.xml", 1), ("e.xml", 2)):
        (folder / name).write_text(f"""{HEAD}<parameter name="duration" value="0.2 s"/>
          <block name="wave" type="sources/Sine" amplitude="1" frequency="2 Hz"/>
          <block name="lag" type="continuous/TransferFunction" numerator="{numerator}" denominator="0.1 1"/>
          <connect from="wave.y" to="lag.u"/>{TAIL}""")
    outcomes, failures = collections.Counter(), []
    for words in COMMANDS:
        whole = 0
        for pages in address_spaces(bench, folder, 72 << 8, count, chance):
            result = bench.run(words, folder, limits=[(resource.RLIMIT_AS, pages << 12)])
            bare = re.search(r"terminate called|bad_alloc|in hilda itself", result.err)
            # A plugin that found no room is reported; 64: what was asked for was in it.
            if result.exit not in (0, 1, 2, 3, 64) or bare or (result.exit > 1 and "help: " not in result.err):
                failures.append(f"{' '.join(words)}, {pages} pages: exit {result.exit}: {result.err[-300:]}")
            whole += result.exit in (0, 1)
            outcomes["done" if result.exit in (0, 1) else "told"] += 1
        if not whole and scale >= 1:
            failures.append(f"{' '.join(words)}: never had memory enough")
    yield Row("every other command in any address space up to 72 MB", count * len(COMMANDS), outcomes, failures)


def attacks(bench, scale):
    yield from spent(bench)
    yield from little_memory(bench, scale)
    yield from little_memory_elsewhere(bench, scale)
    for what, make in DIAGRAMS:
        folder = bench.folder()
        make(folder)
        result = bench.run(["run", "d.xml", "--no-log", "--for", "1ms", "--quiet", "--budget-memory", MEMORY,
                            "--budget-time", "60"], folder, timeout=600)
        said = result.exit in (2, 3) and "d.xml:" in result.err or result.exit in (2, 3) and ".xml:" in result.err
        bare = "bad_alloc" in result.err or result.exit < 0
        good = said and not bare or result.exit == 0
        outcome = "runs within the budget" if result.exit == 0 else "refused with file and line"
        yield Row(what, 1, {outcome: int(good)},
                  [] if good else [f"exit {result.exit} after {result.seconds:.0f} s: {result.err[-300:]}"])
        bench.clear()
    outcomes, failures, count = {}, [], 0
    for opcode in (0x03, 0x04, 0x06, 0x09, 0x0C, 0x80):
        folder = bench.folder()
        sparse_log(folder, opcode)
        for command in ("info l.mcap", "export l.mcap --csv -o x.csv", "report l.mcap -o x.html", "recover l.mcap -o y.mcap"):
            result = bench.run([*command.split(), "--budget-memory", MEMORY], folder, timeout=600)
            count += 1
            if result.exit == 2 and "error:" in result.err and "bad_alloc" not in result.err:
                outcomes["exit 2 with words"] = outcomes.get("exit 2 with words", 0) + 1
            else:
                failures.append(f"{command}, record {opcode}: exit {result.exit}: {result.err[-200:]}")
        bench.clear()
    yield Row("a sparse log of 40 GB", count, outcomes, failures)
    folder = bench.folder()
    many_records(folder)
    result = bench.run(["info", "l.mcap", "--budget-memory", MEMORY], folder)
    good = result.exit == 2 and "error:" in result.err
    yield Row("a log of 5 million empty records", 1, {"exit 2 with words": int(good)},
              [] if good else [f"exit {result.exit}: {result.err[-200:]}"])
    yield long_log(bench, scale)
    yield from recorded_long_log(bench)


def long_log(bench, scale):
    """Export and report of a long log; the peak must not follow from its length."""
    folder = bench.folder()
    random.seed(1)
    (folder / "d.xml").write_text(
        f'{HEAD}' + "".join(f'<block name="s{i}" type="sources/Sine" amplitude="1 2 3 4 5 6" frequency="{i + 1} Hz"/>\n'
                            for i in range(20)) + TAIL)
    seconds = int(60 * scale)
    made = bench.run(["run", "d.xml", "--for", f"{seconds}s", "--log", "l.mcap", "--quiet"], folder, timeout=3600)
    size = (folder / "l.mcap").stat().st_size / 1e6 if made.exit == 0 else 0
    failures, peaks = [] if made.exit == 0 else [made.err[-300:]], {}
    for command in ("export l.mcap --csv -o x.csv", "export l.mcap s1 s2 --mat -o x.mat", "report l.mcap -o x.html"):
        # the program ends itself where it takes more
        result = bench.run([*command.split(), "--budget-memory", "300MB"], folder, timeout=3600)
        peaks[command.split()[0]] = result.exit
        if result.exit != 0:
            failures.append(f"{command}: exit {result.exit}: {result.err[-300:]}")
    return Row(f"export (CSV, MAT) and report of a log of {size:.0f} MB with 300 MB of memory", 3,
               {"done": 3 - len(failures)}, failures)


def recorded_long_log(bench):
    """What ten_gigabytes.py has measured, where it was run."""
    file = bench.build / "tests" / "attacks" / "long_log.json"
    if not file.exists():
        return
    told = json.loads(file.read_text())
    peaks = {f"{command.split()[0]} {'MAT' if '--mat' in command else 'CSV' if '--csv' in command else ''}".strip()
             + f": peak {peak:.0f} MB": 1 for command, _, _, peak in told["commands"]}
    yield Row(f"a log of {told['gigabytes']:.1f} GB ({told['date']}); the limit is 300 MB", len(told["commands"]), peaks,
              told["failures"])
