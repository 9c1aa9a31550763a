"""docs/dependencies.md, the bill of materials and the file of build requirements say what the requirements say."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

import pytest

from tools import pin, sbom
from tools.requirements import Pin, pins, together


def project_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def project(checkout: Path) -> dict[str, Any]:
    return tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def bill(checkout: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((checkout / "docs" / "sbom.cdx.json").read_text(encoding="utf-8"))
    return found


def rows(checkout: Path, head: str) -> dict[str, list[str]]:
    """The rows of the page's table under a heading, by package."""
    page = (checkout / "docs" / "dependencies.md").read_text(encoding="utf-8")
    section = page.partition(f"## {head}\n")[2].partition("\n## ")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return {row[0]: row[1:] for row in cells[2:]}


HEADS = ("What the service runs with", "What checks and builds it", "What builds the pages")


def installed(checkout: Path) -> dict[str, Pin]:
    """The packages of a developer's environment."""
    return together(*(pins((checkout / f"requirements-{name}.txt").read_text()) for name in ("dev", "docs")))


def direct(requirements: list[str]) -> set[str]:
    return {project_name(re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0]) for line in requirements}


def test_every_direct_dependency_has_a_row(checkout: Path, project: dict[str, Any]) -> None:
    runs, checks, documents = (rows(checkout, head) for head in HEADS)
    assert {project_name(name) for name in runs} == direct(project["project"]["dependencies"])
    assert {project_name(name) for name in checks} == direct(project["project"]["optional-dependencies"]["dev"])
    assert {project_name(name) for name in documents} == direct(project["dependency-groups"]["docs"])
    for name, row in {**runs, **checks, **documents}.items():
        assert len(row) == 4, name
        assert all(row), name


def test_the_page_says_who_keeps_a_package_as_the_package_does(checkout: Path, bill: dict[str, Any]) -> None:
    licences = {part["name"]: part["licenses"] for part in bill["components"]}
    for head in HEADS:
        for name, (_, keeper, licence, _) in rows(checkout, head).items():
            stated = licences[project_name(name)]
            said = [one.get("expression") or one["license"].get("id") or one["license"]["name"] for one in stated]
            assert [licence] == (said or ["(none stated)"]), name
            try:
                found = metadata(name)
            except PackageNotFoundError:
                assert name == "atheris"  # not for every system
                continue
            fields = ("Author", "Author-email", "Maintainer", "Maintainer-email")
            stated_by_it = " ".join(text for field in fields for text in found.get_all(field) or ())
            assert keeper in (stated_by_it or "(none stated)"), name


def test_the_bill_of_materials_is_what_the_requirements_say(checkout: Path) -> None:
    assert (checkout / "docs" / "sbom.cdx.json").read_text(encoding="utf-8") == sbom.sbom(checkout), "run `make sbom`"


def test_the_bill_of_materials_names_every_pinned_package_and_where_it_is_used(
    checkout: Path, bill: dict[str, Any]
) -> None:
    shipped = pins((checkout / "requirements.txt").read_text())
    used = installed(checkout)
    parts = {part["name"]: part for part in bill["components"]}
    assert parts.keys() == used.keys()
    assert {name for name, part in parts.items() if part["scope"] == "required"} == shipped.keys()
    for name, part in parts.items():
        assert part["version"] == used[name].version
        assert part["purl"] == part["bom-ref"] == f"pkg:pypi/{name}@{part['version']}"
        assert tuple(each["content"] for each in part["hashes"]) == used[name].hashes
        assert part["hashes"]
    refs = {bill["metadata"]["component"]["bom-ref"], *(part["bom-ref"] for part in parts.values())}
    assert {entry["ref"] for entry in bill["dependencies"]} == refs
    reached, waiting = set(), [bill["metadata"]["component"]["bom-ref"]]
    needs = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    while waiting:
        ref = waiting.pop()
        if ref not in reached:
            reached.add(ref)
            waiting += needs[ref]
    assert reached == refs, "a package that nobody needs"


def test_the_bill_of_materials_is_the_same_whenever_it_is_made_and_names_no_host(checkout: Path) -> None:
    text = sbom.sbom(checkout)
    assert text == sbom.sbom(checkout)
    assert "://" not in text
    assert "timestamp" not in text


def test_a_new_dependency_changes_the_bill_of_materials(checkout: Path, tmp_path: Path) -> None:
    for name in ("pyproject.toml", "requirements.txt", "requirements-dev.txt", "requirements-docs.txt"):
        text = (checkout / name).read_text(encoding="utf-8")
        if name in ("requirements.txt", "requirements-dev.txt"):
            digest = "0" * 64
            text += f"zzz-new==1.0 \\\n    --hash=sha256:{digest}\n    # via railpost (pyproject.toml)\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    changed = json.loads(sbom.sbom(tmp_path))
    assert changed["components"][-1]["purl"] == "pkg:pypi/zzz-new@1.0"
    assert "pkg:pypi/zzz-new@1.0" in changed["dependencies"][0]["dependsOn"]
    assert json.dumps(changed) not in (checkout / "docs" / "sbom.cdx.json").read_text()


def test_what_builds_the_wheel_is_pinned_as_what_checks_it(checkout: Path, project: dict[str, Any]) -> None:
    dev = (checkout / "requirements-dev.txt").read_text()
    assert (checkout / pin.BUILD).read_text() == pin.build_requirements(dev)
    assert project["build-system"]["requires"] == [f"hatchling=={pins(dev)['hatchling'].version}"]
    needed = {"hatchling", "setuptools"}  # the latter for dependencies that come as source only
    for name in (*needed, *pins((checkout / pin.BUILD).read_text())):
        needed |= direct([line for line in metadata(name).get_all("Requires-Dist") or () if ";" not in line])
    assert needed == pins((checkout / pin.BUILD).read_text()).keys()


def test_pinning_renews_the_backend(checkout: Path) -> None:
    project = (checkout / "pyproject.toml").read_text()
    dev = (checkout / "requirements-dev.txt").read_text()
    newer = re.sub(r"^hatchling==\S+", "hatchling==9.9", dev, flags=re.MULTILINE)
    assert 'requires = ["hatchling==9.9"]' in pin.with_backend(project, newer)
    assert pin.with_backend(project, dev) == project


def test_what_builds_the_pages_is_pinned_by_name_of_the_project_alone() -> None:
    head = "#\n# This file is autogenerated\n#\n"
    digest = f" \\\n    --hash=sha256:{'0' * 64}\n"
    compiled = f"{head}a==1{digest}    # via -r -\nb==2{digest}    # via -c requirements-dev.txt, -r -, a\n"
    text = pin.documented(compiled)
    assert [one.via for one in pins(text).values()] == [
        ("railpost (pyproject.toml)",),
        ("railpost (pyproject.toml)", "a"),
    ]
    assert "-c " not in text


def test_two_files_with_different_versions_of_a_package_are_refused() -> None:
    digest = f" \\\n    --hash=sha256:{'0' * 64}\n    # via x\n"
    one, two = pins(f"a==1{digest}"), pins(f"a==2{digest}")
    assert together(one, one) == one
    with pytest.raises(ValueError, match="a is pinned to 1 and to 2"):
        together(one, two)


def test_a_line_that_is_not_pinned_is_noticed() -> None:
    with pytest.raises(ValueError, match="not a pinned package with hashes: loose>=1"):
        pins("# What.\nloose>=1\n")
