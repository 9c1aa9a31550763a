"""The software bill of materials, docs/sbom.cdx.json, in the form of CycloneDX 1.6.

python -m tools.sbom [--check]

It is made from the pinned requirements alone: names, versions and hashes of the files that may be installed, and who
needs whom. Licences are those that the installed packages state. The same pins give the same file, byte for byte: there
is no date in it, and its serial number is a digest of the rest.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from tools.requirements import Pin, pins, together

CHECKOUT = Path(__file__).resolve().parents[1]
TARGET = Path("docs") / "sbom.cdx.json"
PROJECT = "railpost"
_SPDX = {
    **{name: name for name in ("MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MPL-2.0", "PSF-2.0")},
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""A package's word for a licence -> its identifier in the list of SPDX."""


def main(arguments: list[str]) -> None:
    target = CHECKOUT / TARGET
    text = sbom(CHECKOUT)
    if arguments == ["--check"]:
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            sys.exit(f"{TARGET} is not what the requirements say: run `make sbom`")
    elif arguments:
        sys.exit("python -m tools.sbom [--check]")
    else:
        target.write_text(text, encoding="utf-8")


def sbom(checkout: Path) -> str:
    """The file's text, from the requirements in ``checkout``."""
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shipped = pins((checkout / "requirements.txt").read_text(encoding="utf-8"))
    files = ("requirements-dev.txt", "requirements-docs.txt")
    used = together(*(pins((checkout / name).read_text(encoding="utf-8")) for name in files))
    itself = f"pkg:pypi/{PROJECT}@{project['version']}"
    refs = {PROJECT: itself, **{pin.name: _purl(pin) for pin in used.values()}}
    body: dict[str, Any] = {
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": itself,
                "name": PROJECT,
                "version": project["version"],
                "description": project["description"],
                "licenses": [{"license": {"id": project["license"]}}],
                "purl": itself,
            }
        },
        "components": [_component(pin, shipped=pin.name in shipped) for pin in used.values()],
        "dependencies": [{"ref": refs[name], "dependsOn": _needs(name, used, refs)} for name in refs],
    }
    digest = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{digest}", "version": 1}
    return json.dumps({**head, **body}, indent=1, ensure_ascii=False) + "\n"


def _component(pin: Pin, *, shipped: bool) -> dict[str, Any]:
    """``scope``: what runs with the service is required; what only builds, checks or documents it is excluded."""
    return {
        "type": "library",
        "bom-ref": _purl(pin),
        "name": pin.name,
        "version": pin.version,
        "scope": "required" if shipped else "excluded",
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in pin.hashes],
        "licenses": licences(pin),
        "purl": _purl(pin),
    }


def licences(pin: Pin) -> list[dict[str, Any]]:
    """The licence that the installed package states; nothing if it states none, or is not for this
    system. ``ValueError`` if another version is installed."""
    try:
        stated = metadata(pin.name)
    except PackageNotFoundError:
        return []
    if stated["Version"] != pin.version:
        raise ValueError(
            f"{pin.name} {stated['Version']} is installed, {pin.version} is pinned: run `make .venv/.ready`"
        )
    if "License-Expression" in stated:
        return [{"expression": stated["License-Expression"]}]
    named = [line.rpartition(" :: ")[2] for line in stated.get_all("Classifier") or () if line.startswith("License ::")]
    texts = [*(stated.get_all("License") or ()), *named]
    said = next((text for text in texts if text and "\n" not in text), None)
    if said is None:
        return []
    return [{"license": {"id": _SPDX[said]} if said in _SPDX else {"name": said}}]


def _purl(pin: Pin) -> str:
    return f"pkg:pypi/{pin.name}@{pin.version}"


def _needs(name: str, used: Mapping[str, Pin], refs: Mapping[str, str]) -> list[str]:
    """The packages that need ``name``, as the requirements have it."""
    return [refs[pin.name] for pin in used.values() if name in {re.sub(r" \(.*", "", via) for via in pin.via}]


if __name__ == "__main__":
    main(sys.argv[1:])
