# SPDX-License-Identifier: BSD-3-Clause
"""Attacks on files: outputs that are inputs, two writers of one file, kills, full disks, lost output, damaged logs."""
import collections
import json
import os
import random
import resource
import shutil
import signal
import time

from bench import Row

TITLE = "Files"

WAVE = """<diagram format="1" name="wave" period="1 ms">
  <parameter name="duration" value="0.5 s"/>
  <block name="wave" type="sources/Sine" amplitude="1 2 3" frequency="2 Hz"/>
  <block name="gain" type="math/Gain" gain="2"/>
  <block name="table" type="sources/SignalFile" file="table.csv" after="repeat"/>
  <block name="lag" type="continuous/TransferFunction" numerator="1" denominator="0.1 1"/>
  <block name="pick" type="sources/Sine" amplitude="1" frequency="3 Hz"/>
  <connect from="wave.y" to="gain.u"/>
  <connect from="pick.y" to="lag.u"/>
</diagram>
"""
OVERLAY = '<overlay format="1">\n  <set path="gain.gain" value="3"/>\n</overlay>\n'
TABLE = "time [s],y\n0,1\n0.5,2\n1,3\n"
# A long run: something to kill, and something to fill a disk with.
LONG = WAVE.replace("0.5 s", "20000 s")


def workplace(bench, logs=()):
    folder = bench.folder()
    (folder / "v.xml").write_text(WAVE)
    (folder / "long.xml").write_text(LONG)
    (folder / "o.xml").write_text(OVERLAY)
    (folder / "table.csv").write_text(TABLE)
    for name in logs:
        (folder / name).write_bytes(bench.once("a log", lambda: sound_log(bench, folder)))
    return folder


def sound_log(bench, folder):
    """Of v.xml, which is in the folder."""
    made = bench.run(["run", "v.xml", "--log", "sound.mcap", "--quiet"], folder)
    if made.exit != 0:
        raise SystemExit(f"the sound run fails: {made.err}")
    log = folder / "sound.mcap"
    text = log.read_bytes()
    log.unlink()
    return text


# --- outputs that are inputs or other outputs

# command, the input that its output is made to be; {} is the output's name
ON_INPUTS = [
    ("run v.xml --log {}", "v.xml"), ("run v.xml --log {}", "table.csv"),
    ("run v.xml --overlay o.xml --log {}", "o.xml"), ("run v.xml --no-log --summary {}", "v.xml"),
    ("run v.xml --overlay o.xml --no-log --summary {}", "o.xml"), ("run v.xml --no-log --summary {}", "table.csv"),
    ("run --mode replay e.mcap --log {}", "e.mcap"), ("run --mode replay e.mcap --summary {}", "e.mcap"),
    ("export e.mcap --csv -o {}", "e.mcap"), ("export e.mcap --mat -o {}", "e.mcap"), ("report e.mcap -o {}", "e.mcap"),
    ("report e.mcap f.mcap -o {}", "f.mcap"), ("recover e.mcap -o {}", "e.mcap"), ("measure-delay --from e.mcap -o {}", "e.mcap"),
    ("plot e.svg --signals gain.y -o {}", "e.svg"), ("draw v.svg -o {}", "v.svg"),
]
# default names that are the input
BY_DEFAULT = [("report e.html", "e.html"), ("export e.csv --csv", "e.csv"), ("export e.mat --mat", "e.mat"),
              ("plot e.svg --signals gain.y", "e.svg"), ("draw v.svg", "v.svg")]
TWICE = ["run v.xml --log z --summary z", "run v.xml --log z --summary ./z", "run v.xml --log z --summary z.part",
         "run --mode replay e.mcap --log z --summary z", "run v.xml --log z.part --summary z"]


def aliases(folder, name):
    """Other names of the same file, each in the same kind of ending."""
    ending = os.path.splitext(name)[1]
    yield "the same name", name
    yield "./", f"./{name}"
    yield "an absolute name", str(folder / name)
    yield "..", f"../{folder.name}/{name}"
    os.symlink(name, folder / f"soft{ending}")
    yield "a symbolic link", f"soft{ending}"
    os.symlink(f"soft{ending}", folder / f"chain{ending}")
    yield "a chain of links", f"chain{ending}"
    os.link(folder / name, folder / f"hard{ending}")
    yield "a hard link", f"hard{ending}"


def on_inputs(bench, _scale):
    outcomes, failures, count = collections.Counter(), [], 0
    for command, victim in ON_INPUTS + [(c, v) for c, v in BY_DEFAULT]:
        for number in range(7 if "{}" in command else 1):
            folder = workplace(bench, ["e.mcap", "f.mcap"])
            for name in ("e.svg", "e.html", "e.csv", "e.mat"):
                shutil.copy(folder / "e.mcap", folder / name)
            shutil.copy(folder / "v.xml", folder / "v.svg")
            before = (folder / victim).read_bytes()
            what, alias = list(aliases(folder, victim))[number]
            result = bench.run(command.format(alias).split(), folder)
            count += 1
            whole = (folder / victim).read_bytes() == before
            refused = result.exit == 64 and "is read by this command" in result.err
            if whole and refused:
                outcomes["refused, the input is whole"] += 1
            else:
                failures.append(f"{command} ({what} of {victim}): exit {result.exit}, whole: {whole}: {result.err[:200]}")
            left = [each for each in os.listdir(folder) if each.endswith(".part")]
            if left:
                failures.append(f"{command}: leaves {left}")
            bench.clear()
    yield Row("an output that is an input of the command, by name, path or link", count, outcomes, failures)
    outcomes, failures = collections.Counter(), []
    for command in TWICE:
        folder = workplace(bench, ["e.mcap"])
        result = bench.run(command.split(), folder)
        if result.exit == 64 and "output of this command already" in result.err:
            outcomes["refused"] += 1
        else:
            failures.append(f"{command}: exit {result.exit}: {result.err[:200]}")
    yield Row("two outputs of a command in one file", len(TWICE), outcomes, failures)


# --- every command that writes

# name, command, its outputs
WRITERS = [
    ("log", "run v.xml --log out.mcap --quiet", ["out.mcap"]),
    ("summary", "run v.xml --no-log --summary out.json --quiet", ["out.json"]),
    ("replay's log", "run v.xml --mode replay e.mcap --log out.mcap --quiet", ["out.mcap"]),
    ("csv", "export e.mcap --csv -o out.csv", ["out.csv"]),
    ("mat", "export e.mcap --mat -o out.mat", ["out.mat"]),
    ("report", "report e.mcap -o out.html", ["out.html"]),
    ("plot", "plot e.mcap --signals gain.y -o out.svg", ["out.svg"]),
    ("plot png", "plot e.mcap --signals gain.y -o out.png", ["out.png"]),
    ("drawing", "draw v.xml -o out.svg", ["out.svg"]),
    ("schema", "schema -o out.rng", ["out.rng"]),
    ("reference", "describe --html -o out.html", ["out.html"]),
    ("recovered log", "recover e.mcap -o out.mcap", ["out.mcap"]),
    ("linear model", "linearize v.xml --from pick.y --to lag.y --out out", ["out_A.csv", "out_poles.csv", "out_response.csv"]),
]


def sound(bench, folder, command, outputs):
    """The outputs of an undisturbed call; None where it is not possible here (rsvg-convert is missing)."""
    return bench.once(command, lambda: sound_call(bench, folder, command, outputs))


def sound_call(bench, folder, command, outputs):
    result = bench.run(command.split(), folder)
    if result.exit == 0:
        return {name: (folder / name).read_bytes() for name in outputs}, result.seconds
    if "rsvg-convert" in result.err:
        return None, 0
    raise SystemExit(f"{command} fails undisturbed: {result.err}")


def old(good):
    """An earlier output: one of another kind would not be overwritten."""
    return good[:200]


def strays(folder):
    """Unfinished files that belong to no output."""
    return [each for each in os.listdir(folder) if each.endswith(".part") and not each.startswith("out")]


def kills(bench, scale):
    chance = random.Random(1)
    for name, command, outputs in WRITERS:
        folder = workplace(bench, ["e.mcap"])
        good, seconds = sound(bench, folder, command, outputs)
        if good is None:
            continue
        outcomes, failures, count = collections.Counter(), [], int(8 * scale)
        for _ in range(count):
            for output in outputs:
                (folder / output).write_bytes(old(good[output]))
            process = bench.start(command.split(), folder)
            time.sleep(chance.random() * seconds * 1.1)
            process.kill()
            process.communicate()
            states = set()
            for output in outputs:
                now = (folder / output).read_bytes()
                size = len(now)
                states.add("old" if now == old(good[output]) else "new" if size >= 0.9 * len(good[output]) else "bad")
            if "bad" in states:
                failures.append(f"{command}: a file is neither old nor new after a kill")
            else:
                outcomes["the old file whole" if "old" in states else "the new file whole"] += 1
            if strays(folder):
                failures.append(f"{command}: leaves {strays(folder)}")
        again = bench.run(command.split(), folder)
        if again.exit != 0:
            failures.append(f"{command}: fails after kills: {again.err[:200]}")
        yield Row(f"kill -9 at any moment: {name}", count, outcomes, failures)


def full_disk(bench, _scale):
    outcomes, failures, count = collections.Counter(), [], 0
    for _, command, outputs in WRITERS:
        folder = workplace(bench, ["e.mcap"])
        good, _ = sound(bench, folder, command, outputs)
        if good is None:
            continue
        for share in (0.0, 0.5, 0.95):
            for output in outputs:
                (folder / output).write_bytes(old(good[output]))
            most = int(share * min(len(good[output]) for output in outputs))
            result = bench.run(command.split(), folder, limits=[(resource.RLIMIT_FSIZE, most)])
            count += 1
            kept = all((folder / output).read_bytes() == old(good[output]) for output in outputs)
            if result.exit == 3 and kept and "error:" in result.err:
                outcomes["exit 3 with words, the old file whole"] += 1
            else:
                failures.append(f"{command} with {most} bytes of room: exit {result.exit}, old whole: {kept}: {result.err[:200]}")
        bench.clear()
    yield Row("no room for an output (a limit on the size of files)", count, outcomes, failures)


def full_disk_in_a_run(bench, scale):
    outcomes, failures, count = collections.Counter(), [], int(3 * scale)
    chance = random.Random(2)
    for _ in range(count):
        folder = workplace(bench)
        before = b"\x89MCAP0\r\nthe old good file"
        (folder / "long.mcap").write_bytes(before)
        most = chance.randrange(2_200_000, 5_000_000)
        result = bench.run(["run", "long.xml", "--for", "20s", "--log", "long.mcap", "--summary", "s.json", "--quiet"],
                           folder, limits=[(resource.RLIMIT_FSIZE, most)])
        read = bench.run(["export", "long.mcap.part", "--csv", "-o", "x.csv"], folder)
        rows = len((folder / "x.csv").read_text().splitlines()) if (folder / "x.csv").exists() else 0
        steps = json.loads((folder / "s.json").read_text())["steps"] if (folder / "s.json").exists() else 0
        if (result.exit == 3 and "long.mcap.part" in result.err and read.exit == 0 and rows > 50 and steps == 20000
                and (folder / "long.mcap").read_bytes() == before):
            outcomes["exit 3 with words, the run continued, what was written is readable"] += 1
        else:
            failures.append(f"{most} bytes: exit {result.exit}, {rows} rows, {steps} steps: {result.err[:300]}")
    yield Row("the disk is full in the middle of a run", count, outcomes, failures)


# --- standard output, pipes, devices, folders

SPEAKERS = ["--help", "--version", "blocks", "describe math/Gain", "describe --html", "check v.xml", "plan v.xml",
            "run v.xml --no-log", "info e.mcap", "info e.mcap --files", "compare e.mcap e.mcap", "diff v.xml v.xml",
            "export e.mcap --csv", "report e.mcap", "schema", "draw v.xml", "doctor", "plot e.mcap --signals gain.y",
            "linearize v.xml --from pick.y --to lag.y", "run --mode replay e.mcap", "recover e.mcap"]


def lost_output(bench, _scale):
    outcomes, failures = collections.Counter(), []
    folder = workplace(bench, ["e.mcap"])
    for command in SPEAKERS:
        with open("/dev/full", "wb") as full:
            result = bench.run(command.split(), folder, stdout=full)
        if result.exit == 3 and "standard output" in result.err or (command == "doctor" and result.exit != 0):
            outcomes["exit 3 with words"] += 1
        else:
            failures.append(f"{command} > /dev/full: exit {result.exit}: {result.err[:200]}")
    yield Row("standard output that takes nothing (/dev/full)", len(SPEAKERS), outcomes, failures)


def odd_targets(bench, _scale):
    outcomes, failures, count = collections.Counter(), [], 0
    for _, command, outputs in WRITERS:
        for target in ("pipe", "folder", "nowhere"):
            folder = workplace(bench, ["e.mcap"])
            name = outputs[0]
            if target == "nowhere":
                command_now = command.replace("out.", "nowhere/out.").replace("--out out", "--out nowhere/out")
            else:
                command_now = command
                (os.mkfifo if target == "pipe" else os.mkdir)(folder / name)
            result = bench.run(command_now.split(), folder, timeout=60)
            count += 1
            if result.exit == 3 and "cannot be written" in result.err and "took too long" not in result.err:
                outcomes["refused with words"] += 1
            else:
                failures.append(f"{command_now} on a {target}: exit {result.exit}: {result.err[:200]}")
            bench.clear()
    yield Row("an output that is a pipe without a reader, a folder, or in no folder", count, outcomes, failures)
    folder = workplace(bench)
    result = bench.run(["run", "long.xml", "--log", "a.mcap", "--summary", "nowhere/s.json"], folder)
    good = result.exit == 3 and result.seconds < 60 and not (folder / "a.mcap").exists()
    yield Row("a summary that cannot be written", 1, {"found before the run": int(good)},
              [] if good else [f"exit {result.exit} after {result.seconds:.1f} s: {result.err[:200]}"])


# --- two runs, cut and damaged logs

def await_part(folder, name):
    for _ in range(3000):
        if (folder / name).exists() and (folder / name).stat().st_size > 200_000:
            return
        time.sleep(0.01)
    raise SystemExit("the long run does not begin")


def two_runs(bench, scale):
    outcomes, failures, count = collections.Counter(), [], int(2 * scale)
    for _ in range(count):
        folder = workplace(bench, ["log.mcap"])
        old = (folder / "log.mcap").read_bytes()
        first = bench.start(["run", "long.xml", "--log", "log.mcap", "--quiet"], folder)
        await_part(folder, "log.mcap.part")
        os.symlink("log.mcap", folder / "alias.mcap")
        seconds = [bench.run(["run", "v.xml", "--log", name], folder) for name in ("log.mcap", "./log.mcap", "alias.mcap")]
        reading = bench.run(["info", "log.mcap.part"], folder)
        whole = (folder / "log.mcap").read_bytes() == old
        first.send_signal(signal.SIGINT)
        _, err = first.communicate()
        made = bench.run(["info", "log.mcap"], folder)
        good = (all(each.exit == 3 and f"process {first.pid}" in each.err for each in seconds) and whole
                and first.returncode == 130 and "complete" in made.out and "in progress" in reading.out)
        if good:
            outcomes["the second is refused with the owner's number, the first is whole"] += 1
        else:
            failures.append(f"{[each.exit for each in seconds]} {first.returncode} {whole} {reading.out[:100]} "
                            f"{seconds[0].err[:200]} {err[:100]}")
    yield Row("a second run to a log in progress", count, outcomes, failures)


def killed_runs(bench, scale):
    outcomes, failures, count = collections.Counter(), [], int(5 * scale)
    chance = random.Random(3)
    for _ in range(count):
        folder = workplace(bench)
        process = bench.start(["run", "long.xml", "--log", "log.mcap", "--quiet"], folder)
        await_part(folder, "log.mcap.part")
        time.sleep(chance.random() * 0.5)
        process.kill()
        process.communicate()
        readers = [bench.run(command.split(), folder) for command in
                   ("info log.mcap.part", "info log.mcap", "export log.mcap.part gain --csv", "report log.mcap.part",
                    "plot log.mcap.part --signals gain.y", "run --mode replay log.mcap.part",
                    "compare log.mcap.part log.mcap.part", "recover log.mcap.part")]
        whole = bench.run(["info", "log.recovered.mcap"], folder)
        same = bench.run(["compare", "log.mcap.part", "log.recovered.mcap"], folder)
        after = bench.run(["run", "v.xml", "--log", "log.mcap"], folder)
        kept = (folder / "log.cut.mcap").exists()
        good = (all(each.exit == 0 for each in readers) and "complete" in whole.out and same.exit in (0, 1)
                and after.exit == 0 and kept)
        if good:
            outcomes["all readers take it, it is recovered, and the next run keeps it"] += 1
        else:
            failures.append(f"{[each.exit for each in readers]} {same.exit} {after.exit} {kept} {same.out[:200]} "
                            + " ".join(each.err[:200] for each in readers if each.exit))
    yield Row("kill -9 in a run, then every reader, recover, and a run again", count, outcomes, failures)


def damaged(bench, scale):
    folder = workplace(bench, ["e.mcap"])
    good = (folder / "e.mcap").read_bytes()
    bench.run(["export", "e.mcap", "--csv", "-o", "good.csv"], folder)
    table = (folder / "good.csv").read_bytes()
    chance = random.Random(4)
    outcomes, failures, count = collections.Counter(), [], int(20 * scale)
    for number in range(count):
        bad = bytearray(good)
        for _ in range(1 if number % 2 else 20):
            bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        (folder / "bad.mcap").write_bytes(bad)
        export = bench.run(["export", "bad.mcap", "--csv", "-o", "bad.csv"], folder)
        same = export.exit == 0 and (folder / "bad.csv").read_bytes() == table
        replay = bench.run(["run", "--mode", "replay", "bad.mcap"], folder)
        compare = bench.run(["compare", "e.mcap", "bad.mcap"], folder)
        recover = bench.run(["recover", "bad.mcap", "-o", "again.mcap"], folder)
        crashed = [each for each in (export, replay, compare, recover) if each.exit < 0 or each.exit > 64]
        wrong = (export.exit == 0 and not same and not export.err) or (compare.exit == 0 and not same)
        if crashed or wrong or ("every bit" in replay.out and not same):
            failures.append(f"case {number}: {export.exit} {replay.exit} {compare.exit} {recover.exit}, same: {same}: "
                            f"{export.err[:150]} {replay.out[:100]}")
        else:
            outcomes["nothing that is used is damaged" if same else
                     "reported, and recovered" if recover.exit == 0 else "reported, nothing available"] += 1
    yield Row("flipped bits in a log, then export, replay, compare, recover", count, outcomes, failures)
    folder = workplace(bench)
    outcomes, failures, count = collections.Counter(), [], int(10 * scale)
    for number in range(count):
        cut = chance.randrange(len(good))
        (folder / "cut.mcap").write_bytes(good[:cut])
        results = [bench.run(command.split(), folder) for command in
                   ("info cut.mcap", "export cut.mcap --csv -o c.csv", "recover cut.mcap -o whole.mcap")]
        if any(each.exit not in (0, 2) for each in results) or any(each.exit == 2 and not each.err for each in results):
            failures.append(f"cut at {cut}: {[each.exit for each in results]} {results[0].err[:200]}")
        else:
            outcomes["read and recovered" if results[2].exit == 0 else "reported, nothing available"] += 1
    yield Row("logs cut anywhere", count, outcomes, failures)


def nothing_compared(bench, _scale):
    folder = workplace(bench)
    for name in ("a.mcap", "b.mcap"):
        bench.run(["run", "v.xml", "--log", name, "--for", "1us", "--quiet"], folder)
    compare = bench.run(["compare", "a.mcap", "b.mcap", "--signals", "gain.y", "--ignore", "gain.y"], folder)
    good = compare.exit not in (0,) and "equal:" not in compare.out
    yield Row("logs with nothing in common compared", 1, {"not called equal": int(good)},
              [] if good else [f"exit {compare.exit}: {compare.out}"])


def attacks(bench, scale):
    for part in (on_inputs, kills, full_disk, full_disk_in_a_run, lost_output, odd_targets, two_runs, killed_runs,
                 damaged, nothing_compared):
        yield from part(bench, scale)
        bench.clear()
