# SPDX-License-Identifier: BSD-3-Clause
"""Reads what the witness captured; see witness/capture.h for the file."""
import re
import struct
from typing import NamedTuple

HEAD = struct.Struct("<Qc3xI")
IPOC = re.compile(rb"<IPOC>\s*(-?\d+)<")
CORRECTION = re.compile(rb"<RKorr\s([^>]*)>")
ATTRIBUTE = {axis: re.compile(rb"(?:^|\s)" + axis.encode() + rb'="([^"]*)"') for axis in "XYZABC"}


class Entry(NamedTuple):
    time: float  # s
    kind: str
    bytes: bytes


def read(path):
    """All entries in the order in which things happened."""
    with open(path, "rb") as file:
        data = file.read()
    entries, at = [], 0
    while at + HEAD.size <= len(data):
        time, kind, length = HEAD.unpack_from(data, at)
        at += HEAD.size
        entries.append(Entry(time * 1e-9, kind.decode(), data[at:at + length]))
        at += length
    return entries


def ipoc(packet):
    found = IPOC.search(packet)
    return int(found[1]) if found else None


def correction(packet):
    """X Y Z in mm and A B C in degrees of an answer, None where it has none that can be used."""
    element = CORRECTION.search(packet)
    if not element or b"</Sen>" not in packet:
        return None
    values = []
    for axis in "XYZABC":
        found = ATTRIBUTE[axis].search(element[1])
        try:
            values.append(float(found[1]))
        except (TypeError, ValueError):
            return None
    return values
