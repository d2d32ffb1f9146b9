# SPDX-License-Identifier: BSD-3-Clause
"""What must hold after a trial, whatever was done to it."""
import csv
import io
import json
import os
import pathlib
import re
import signal

# What hilda says it ends with (docs/files.md).
EXITS = {0, 1, 2, 3, 64, 130}
# Earlier outputs, by how they begin: one of another kind would not be overwritten.
OLD = {".mcap": b"\x89MCAP0\r\n", ".svg": b"<svg/>", ".html": b"<!DOCTYPE html>", ".rng": b"<grammar/>", ".json": b"{}", ".mat": b"MATLAB 5.0 MAT-file",
       ".csv": b"one,two\n", ".xml": b"<overlay/>"}


def old(name):
    return OLD[pathlib.Path(name).suffix] + b"the old,good file\n"


def mat_is_whole(data):
    place = 128
    while data.startswith(b"MATLAB 5.0") and place + 8 <= len(data):
        place += 8 + int.from_bytes(data[place + 4:place + 8], "little")
    return place == len(data)


def csv_is_whole(data):
    rows = list(csv.reader(io.StringIO(data.decode())))
    return data.endswith(b"\n") and len({max(1, len(row)) for row in rows}) == 1


def json_is_whole(data):
    try:
        return bool(json.loads(data))
    except ValueError:
        return False


WHOLE = {".svg": lambda data: data.endswith(b"</svg>\n"), ".html": lambda data: data.rstrip().endswith(b"</html>"),
         ".rng": lambda data: data.rstrip().endswith(b"</grammar>"), ".csv": csv_is_whole, ".json": json_is_whole,
         ".mat": mat_is_whole}


def log_is_whole(bench, folder, name):
    info = bench.run(["info", name], folder, timeout=60)
    return info.exit == 0 and re.search(r", complete$", info.out, re.MULTILINE) is not None


def exits(trial, code, err):
    named = trial.behaviour is not None and "ways" in err
    if code not in EXITS and not (code < 0 and (-code in map(int, trial.sent) or named)):
        yield f"exit {code} is none of the documented ones"
    if trial.behaviour is not None and trial.misbehaves and code == 0:
        yield "a block that misbehaves, and exit 0"
    if trial.behaviour is not None and trial.misbehaves and code not in (0, 130) and not trial.sent and not named:
        yield "the plugin is not named"
    if code in (2, 3, 64) and not err.strip():
        yield f"exit {code} without a word"
    if re.search(r"Sanitizer|terminate called|std::bad_alloc|Assertion", err):
        yield "words that no user should read"


def outputs(trial, code):
    """Old files are as they were, or whole new ones; no other is touched."""
    for name, data in trial.old.items():
        now = (trial.folder / name).read_bytes() if (trial.folder / name).exists() else None
        if now == data:
            if name in trial.outputs and code == 0:
                yield f"exit 0, and {name} was not written"
            continue
        if name not in trial.outputs:
            yield f"{name} is not what it was"
        elif now is None:
            yield f"{name} is gone"
        elif name.endswith(".mcap"):
            if not log_is_whole(trial.bench, trial.folder, name):
                yield f"{name} took the old one's place and is not whole"
        elif not WHOLE[pathlib.Path(name).suffix](now):
            yield f"{name} is neither the old one nor whole"


def logs(trial):
    """A log in progress, or one that was put aside, can be read or says why not."""
    for log in trial.folder.glob("l.*"):
        if log.name == "l.mcap" and log.read_bytes() == old(log.name):
            continue
        info = trial.bench.run(["info", log.name], trial.folder, timeout=60)
        if info.exit not in (0, 2) or (info.exit == 2 and not info.err.strip()):
            yield f"hilda info {log.name} ends with {info.exit}: {info.err[-200:]}"


def orphans(trial):
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "cwd") == str(trial.folder.resolve()):
                os.kill(int(entry.name), signal.SIGKILL)
                yield f"process {entry.name} is left over"
        except OSError:
            continue


def leaked(trial, code):
    """Unfinished files stay of a log alone, or where the program was not let end."""
    for file in sorted(trial.folder.iterdir()):
        if file.name in trial.old or file.name in trial.outputs or file.name in ("filler", "l.mcap.part"):
            continue
        not_let_end = code < 0 or trial.behaviour is not None
        if not (not_let_end and file.name.endswith(".part") and file.name[:-5] in trial.outputs):
            yield f"{file.name} is left over"


def motion(trial, code):
    """What moves never jumps, and comes to rest where the run could end in order."""
    if trial.peer is None:
        return
    ends_at_once = sum(each in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT) for each in trial.sent) > 1
    step = trial.peer.largest_step(ends_at_once)
    if step > trial.peer.allowed_step:
        yield f"a step of {step:.4f} m/s where {trial.peer.allowed_step:.4f} is allowed"
    if code in (0, 130) and not ends_at_once and trial.peer.speeds and abs(trial.peer.speeds[-1]) > 1e-9:
        yield f"ends at {trial.peer.speeds[-1]} m/s"


def problems(trial, code, err):
    for found in (exits(trial, code, err), outputs(trial, code), logs(trial), orphans(trial), leaked(trial, code),
                  motion(trial, code)):
        yield from found
