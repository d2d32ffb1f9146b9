# SPDX-License-Identifier: BSD-3-Clause
"""The SBOM of a wheel: that of the build, in which the libraries that came along are contained and no longer linked."""

import json


def contained(file, packages):
    """Packages are those of Debian with the files that the wheel has of each: {package: [file]}."""
    if not file.is_file():
        raise SystemExit(f"hilda: {file.name} is missing, and the wheel needs it: cmake --build BUILD --target hilda_sbom writes it")
    bill = json.loads(file.read_text())
    identifiers = {part["name"]: part["SPDXID"] for part in bill["packages"]}
    unknown = sorted(set(packages) - set(identifiers))
    if unknown:
        raise SystemExit(f"hilda: the wheel would contain {', '.join(unknown)}, which the SBOM does not name: "
                         "tools/third_party.py must know their licences")
    for part in bill["packages"]:
        if part["name"] in packages:
            part["comment"] = "in the wheel: " + ", ".join(packages[part["name"]])
    inside = {identifiers[package] for package in packages}
    for relation in bill["relationships"]:
        if relation["relatedSpdxElement"] in inside:
            relation["relationshipType"] = "CONTAINS"
    file.write_text(json.dumps(bill, indent=1) + "\n")
