# SPDX-License-Identifier: BSD-3-Clause
"""FMUs that are damaged, hostile or wrong: each a name, and what is made of a sound one.

A case is a function of the sound FMU (a dictionary of files by name) that returns the bytes of a file, or a dictionary.
"""

import io
import re
import struct
import zipfile

import foreign_fmu

MODEL = "modelDescription.xml"


def packed(files, kind=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", kind) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def described(change):
    """With another description."""
    return lambda files: files | {MODEL: change(files[MODEL])}


def swapped(old, new, count=1):
    def change(text):
        assert old.encode() in text, old
        return text.replace(old.encode(), new.encode(), count)
    return described(change)


def without(name):
    return lambda files: {key: data for key, data in files.items() if key != name}


def with_entry(name, data=b"x", attributes=None):
    def make(files):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for key, content in files.items():
                archive.writestr(key, content)
            entry = zipfile.ZipInfo(name)
            if attributes is not None:
                entry.create_system, entry.external_attr = 3, attributes << 16
            archive.writestr(entry, data)
        return out.getvalue()
    return make


def patched(change):
    """With other bytes in the ZIP file."""
    return lambda files: change(bytearray(packed(files)))


def list_field(offset, value, size=4, entry=0):
    """Another number in the list of files, in its entry of this number."""
    def change(data):
        at = -1
        for _ in range(entry + 1):
            at = data.index(b"PK\x01\x02", at + 1)
        data[at + offset:at + offset + size] = value.to_bytes(size, "little")
        return bytes(data)
    return patched(change)


def end_field(offset, value, size):
    def change(data):
        at = data.rindex(b"PK\x05\x06")
        data[at + offset:at + offset + size] = value.to_bytes(size, "little")
        return bytes(data)
    return patched(change)


def cut(share):
    return patched(lambda data: bytes(data[:int(len(data) * share)]))


def bomb(files):
    return packed(files | {"resources/zeros": bytes(300 << 20)})


def damaged_content(data):
    at = data.index(b"PK\x03\x04")
    begin = at + 30 + int.from_bytes(data[at + 26:at + 28], "little")
    for i in range(begin + 20, begin + 60):
        data[i] ^= 0x5A
    return bytes(data)


def many_files(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        for i in range(20_001):
            archive.writestr(f"resources/{i}", b"")
    return out.getvalue()


def many_variables(text):
    one = b'<Float64 name="a%d" valueReference="%d"/>'
    more = b"".join(one % (i, 1000 + i) for i in range(100_001))
    return text.replace(b"</ModelVariables>", more + b"</ModelVariables>")


def nested(text):
    return text.replace(b"<ModelStructure>", b"<a>" * 5000 + b"<ModelStructure>")


def billion(text):
    entities = b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    return text.replace(b"?>", b"?>" + entities, 1).replace(b'modelName="plant"', b'modelName=""')


def without_symbol(name):
    """The library exports another name: the table of names is by hash, so that it is not found."""
    def make(files):
        out = dict(files)
        for key, data in files.items():
            if key.endswith(".so"):
                found = b"\0" + name.encode() + b"\0"
                assert found in data, name
                out[key] = data.replace(found, found[:-2] + b"_\0")
        return out
    return make


def library(change):
    def make(files):
        return {name: change(data) if name.endswith(".so") else data for name, data in files.items()}
    return make


def needs(name):
    """The library needs another one, which is not there, instead of libm."""
    def change(data):
        assert b"\0libm.so.6\0" in data
        return data.replace(b"\0libm.so.6\0", b"\0" + name.ljust(9, "x").encode()[:9] + b"\0", 1)
    return library(change)


def other_platform(files):
    return {re.sub("binaries/[^/]*/plant.so", "binaries/win64/plant.dll", name): data for name, data in files.items()} | {
        "binaries/darwin64/plant.dylib": b""}


def ending(data):
    return lambda files: data


# What `hilda import-fmu` refuses: of FMI 3.0.
IMPORT = {
    "empty": ending(b""),
    "not_a_zip": ending(b"this is no ZIP file, though it is long enough to be one" * 3),
    "end_mark_alone": ending(b"PK\x05\x06" + bytes(18)),
    "cut_half": cut(0.5),
    "cut_end": cut(0.999),
    "no_description": without(MODEL),
    "description_in_a_folder": lambda files: {f"plant/{name}": data for name, data in files.items()},
    "slip_up": with_entry("../escaped"),
    "slip_deep": with_entry("resources/../../escaped"),
    "slip_absolute": with_entry("/tmp/escaped"),
    "slip_backslash": with_entry("resources\\..\\escaped"),
    "slip_drive": with_entry("c:escaped"),
    "link": with_entry("resources/link", b"/etc/passwd", 0o120777),
    "device": with_entry("resources/device", b"", 0o020666),
    "bomb": bomb,
    "said_size_huge": list_field(24, 0xFFFFFFF0),
    "packed_size_huge": list_field(20, 0x7FFFFFF0),
    "size_of_zip64": list_field(24, 0xFFFFFFFF),
    "wrong_sum": list_field(16, 0x12345678),
    "wrong_size": list_field(24, 5000),
    "place_outside": list_field(42, 0x7FFFFFF0),
    "place_elsewhere": list_field(42, 3),
    "method_unknown": list_field(10, 93, 2),
    "encrypted": list_field(8, 1, 2),
    "name_length_huge": list_field(28, 0xFFFF, 2),
    "list_outside": end_field(16, 0x7FFFFFF0, 4),
    "count_too_large": end_field(10, 0xFFFF, 2),
    "count_more_than_there": end_field(10, 9, 2),
    "damaged_content": patched(damaged_content),
    "many_files": many_files,
    "description_empty": described(lambda text: b""),
    "description_no_xml": described(lambda text: b"hello"),
    "description_cut": described(lambda text: text[:-200]),
    "description_zero_byte": described(lambda text: text.replace(b"plant", b"pl\0nt", 1)),
    "description_nested": described(nested),
    "description_other_root": described(lambda text: b"<diagram format=\"1\"/>"),
    "entities": described(billion),
    "version_1": swapped('fmiVersion="3.0"', 'fmiVersion="1.0"'),
    "version_none": swapped('fmiVersion="3.0"', ""),
    "token_none": swapped('instantiationToken="plant-token"', ""),
    "model_exchange_alone": swapped("<CoSimulation", "<ModelExchange"),
    "identifier_path": swapped('modelIdentifier="plant"', 'modelIdentifier="../../bin/evil"'),
    "identifier_none": swapped('modelIdentifier="plant"', ""),
    "step_negative": swapped('stepSize="0.1"', 'stepSize="-1"'),
    "step_text": swapped('stepSize="0.1"', 'stepSize="soon"'),
    "no_variables": swapped("ModelVariables>", "Else>", 2),
    "many_variables": described(many_variables),
    "name_twice": swapped('name="y"', 'name="x"'),
    "name_none": swapped('name="y"', ""),
    "reference_twice": swapped('valueReference="3"', 'valueReference="2"'),
    "reference_negative": swapped('valueReference="3"', 'valueReference="-3"'),
    "reference_huge": swapped('valueReference="3"', 'valueReference="4294967296"'),
    "type_unknown": swapped("<Binary ", "<Complex "),
    "start_text": swapped('start="0.5"', 'start="half"'),
    "start_too_many": swapped('start="0 0 0"', 'start="0 0"'),
    "dimension_huge": swapped('<Dimension start="2"/></Float64>', '<Dimension start="4000000000"/></Float64>'),
    "dimension_product": swapped('<Dimension start="3"/>', '<Dimension start="99999"/><Dimension start="99999"/>'),
    "dimension_negative": swapped('<Dimension start="2"/></Float64>', '<Dimension start="-2"/></Float64>'),
    "dimension_of_nothing": swapped('<Dimension valueReference="9"/>', '<Dimension valueReference="77"/>'),
    "dependency_unknown": swapped('dependencies="1"', 'dependencies="999"'),
    "unit_power": swapped('kg="1"', 'kg="999999999999"'),
    "unit_factor": swapped('factor="0.001"', 'factor="0"'),
    "unit_twice": swapped('<Unit name="bananas"/>', '<Unit name="N"/>'),
    "item_value": swapped('<Item name="fast" value="4"/>', '<Item name="fast"/>'),
    "no_ports": described(lambda text: text.replace(b'causality="input"', b'causality="local"').replace(b'causality="output"', b'causality="local"')),
}

# Refused when the diagram is loaded or runs: the FMU of this version is changed after it was imported.
RUN = {
    "other_platform": (3, other_platform),
    "no_binaries": (3, lambda files: {name: data for name, data in files.items() if not name.endswith(".so")}),
    "symbol_step": (3, without_symbol("fmi3DoStep")),
    "symbol_instantiate": (2, without_symbol("fmi2Instantiate")),
    "symbol_get": (2, without_symbol("fmi2GetReal")),
    "symbol_state": (3, without_symbol("fmi3SerializeFMUState")),
    "library_absent": (3, needs("libgone.s")),
    "library_text": (3, library(lambda data: b"not a library")),
    "library_cut": (2, library(lambda data: data[:3000])),
    "token_other": (2, swapped('guid="plant-token"', 'guid="another"')),
    "token_other_3": (3, swapped('instantiationToken="plant-token"', 'instantiationToken="another"')),
    "variable_gone": (3, swapped('name="x"', 'name="z"')),
    "variable_other_kind": (3, swapped('<Int64 name="n"', '<Boolean name="n"')),
    "variable_other_shape": (3, lambda files: swapped('<Dimension start="3"/>', '<Dimension start="4"/>')(swapped('start="0 0 0"', 'start="0"')(files))),
    "variable_other_role": (3, swapped('name="x" valueReference="2" causality="output"', 'name="x" valueReference="2" causality="parameter" variability="fixed"')),
    "feeds_through_now": (3, swapped('valueReference="2" dependencies=""', 'valueReference="2"')),
    "state_gone": (3, swapped('canSerializeFMUState="true"', "")),
    "fixed_step": (3, swapped('canHandleVariableCommunicationStepSize="true"', 'fixedInternalStepSize="0.03"')),
    "model_exchange_now": (3, swapped("<CoSimulation", "<ModelExchange")),
    "damaged_now": (3, cut(0.7)),
}

# What an FMU may do while it runs: the fault of foreign/plant.c, of both versions.
FAULTS = [each for each in foreign_fmu.FAULTS if each not in ("none", "step_warning", "chatty", "early", "step_pending", "load_error",
                                                              "load_crashes", "save_error", "step_hangs")]
