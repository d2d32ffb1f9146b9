# SPDX-License-Identifier: BSD-3-Clause
"""What tests of `hilda compile` have in common: compiled programs, and the records of a log."""

import json
import pathlib
import struct
import subprocess

METADATA, FOOTER = 0x0C, 0x02
INDEXES = {0x07, 0x08, 0x0A, 0x0B, 0x0D, 0x0E, 0x0F, FOOTER}  # where things are in the file, how large they are, checksums
CHUNK = 0x06  # samples; how many are in one depends on the writer's thread
OF_ONE_RUN = {"wall_time", "real_time_factor", "log"}  # differ between two runs of one program


def run(*words, code=0, timeout=300, **more):
    """What a program prints on both streams."""
    ended = subprocess.run([str(each) for each in words], capture_output=True, text=True, timeout=timeout, **more)
    assert ended.returncode == code, f"{words} ends with {ended.returncode}:\n{ended.stdout}{ended.stderr}"
    return ended.stdout + ended.stderr


def compile_diagram(hilda, diagram, out, *more, **where):
    run(hilda, "compile", diagram, "-o", out, *more, **where)
    return pathlib.Path(out)


def strings(content, at):
    """A map of MCAP: its length, then pairs of strings with their lengths."""
    size, = struct.unpack_from("<I", content, at)
    at, end, found = at + 4, at + 4 + size, []
    while at < end:
        length, = struct.unpack_from("<I", content, at)
        found.append(content[at + 4:at + 4 + length].decode())
        at += 4 + length
    return dict(zip(found[::2], found[1::2]))


def records(file):
    """Kind and bytes of each record that is about the run; metadata as pairs, without what is another one in each run."""
    content, at = pathlib.Path(file).read_bytes(), 8
    while at < len(content) - 8:
        kind, size = struct.unpack_from("<BQ", content, at)
        body = content[at + 9:at + 9 + size]
        at += 9 + size
        if kind == METADATA:
            name_size, = struct.unpack_from("<I", body)
            pairs = strings(body, 4 + name_size)
            if "summary" in pairs:
                pairs["summary"] = {key: value for key, value in json.loads(pairs["summary"]).items() if key not in OF_ONE_RUN}
            yield kind, {key: value for key, value in pairs.items() if key not in OF_ONE_RUN | {"plugins"}}
        elif kind not in INDEXES | {CHUNK}:
            yield kind, body


def samples(hilda, log):
    """Every sample, as the shortest decimals that give the same bits."""
    table = pathlib.Path(log).with_suffix(".csv")
    run(hilda, "export", log, "--csv", "-o", table)
    content = table.read_bytes()
    table.unlink()
    return content


def plugins_of(hilda, log):
    """Plugins and their hashes that a log names."""
    lines = [line.split(maxsplit=1) for line in run(hilda, "info", log).splitlines() if line.startswith("  plugins ")]
    return json.loads(lines[0][1])


def assert_same_log(case, hilda, one, other):
    """Two logs have the same records, bit for bit, and what the second one's plugins are is in the first one."""
    first, second = list(records(one)), list(records(other))
    table, again = samples(hilda, one), samples(hilda, other)
    case.assertGreater(table.count(b"\n"), 3, "the log has no samples")
    case.assertTrue(table == again, "samples differ")
    case.assertEqual([kind for kind, _ in first], [kind for kind, _ in second])
    for (kind, body), (_, again) in zip(first, second):
        case.assertEqual(body, again, f"a record of kind {kind:#x}")
    case.assertLessEqual(plugins_of(hilda, other).items(), plugins_of(hilda, one).items())
