"""The wheel: what is in it, what its names may clash with, and that it runs where nothing else of the project is."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib.metadata import distribution, packages_distributions, requires
from pathlib import Path

import pytest

SHIPPED = {"engine", "grammar", "moderator", "templates"}
DATA = {
    ".css", ".js", ".json", ".lark", ".toml", ".jinja", ".j2", ".txt", ".html", ".ini", ".mako", ".sql", ".ttf", ".typ",
    ".typed",
}  # fmt: skip


def project_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, checkout, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An otherwise empty environment with the wheel; its dependencies are seen through a path file, so that no network
    is needed. (A path file inside a folder reached this way is not read: the checkout stays out of sight.)"""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python")
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=folder)
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def wheel_files(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_only_the_four_packages_are_shipped(wheel: Path) -> None:
    top = {name.split("/")[0] for name in wheel_files(wheel) if ".dist-info/" not in name}
    assert top == SHIPPED


def test_every_data_file_of_the_packages_is_shipped(wheel: Path, checkout: Path) -> None:
    expected = {
        path.relative_to(checkout).as_posix()
        for package in SHIPPED
        for path in (checkout / package).rglob("*")
        if path.is_file() and path.suffix in DATA | {".py"} and "__pycache__" not in path.parts
    }
    assert expected <= set(wheel_files(wheel))


def test_licence_and_notice_are_shipped(wheel: Path) -> None:
    names = {Path(name).name for name in wheel_files(wheel) if ".dist-info/licenses/" in name}
    assert names == {"LICENSE", "NOTICE"}


def test_no_address_of_the_project_is_made_up(checkout: Path) -> None:
    """There may be none; docs/release-1.0.0.md says which a publisher adds."""
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for label, address in project.get("urls", {}).items():
        host = re.fullmatch(r"https://([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:[:/#?].*)?", address)
        assert host is not None, f"{label} is no whole address: {address}"
        assert not re.search(r"(?:^|\.)(?:example|invalid|test|localhost)(?:\.|$)", host[1]), f"{label}: {address}"


def dependencies() -> set[str]:
    """Names of everything that is installed beside the wheel: its dependencies and theirs."""
    found: set[str] = set()
    waiting = ["railpost"]
    while waiting:
        name = waiting.pop()
        for line in requires(name) or []:
            requirement, _, marker = line.partition(";")
            needed = project_name(re.split(r"[^A-Za-z0-9._-]", requirement.strip(), maxsplit=1)[0])
            if "extra ==" in marker or needed in found:
                continue
            try:
                distribution(needed)
            except ModuleNotFoundError:
                assert marker, f"{name} needs {needed}, which is not installed"
                continue  # for another system or Python
            found.add(needed)
            waiting.append(needed)
    return found


def test_the_packages_names_clash_with_no_dependency_and_no_standard_module() -> None:
    beside = dependencies()
    taken = {
        top
        for top, owners in packages_distributions().items()
        if any(project_name(owner) in beside for owner in owners)
    }
    assert len(taken) > len(beside) / 2, "the names of the dependencies' packages were not found"
    assert SHIPPED.isdisjoint(taken)
    assert SHIPPED.isdisjoint(sys.stdlib_module_names)


def test_it_runs_from_the_wheel_alone(installed: Path, checkout: Path, tmp_path: Path) -> None:
    version = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]["version"]
    assert version in run(installed / "bin" / "railpost", "--version", cwd=tmp_path)
    probe = (
        "import engine, grammar, moderator, templates, pathlib, sys\n"
        "for package in (engine, grammar, moderator, templates):\n"
        "    assert pathlib.Path(package.__file__).is_relative_to(sys.prefix), package.__file__\n"
        "for name in engine.title_names():\n"
        "    for edition in engine.editions(name):\n"
        "        title = engine.load_title(name, edition)\n"
        "        assert title.map and title.addresses, (name, edition)\n"
        "words = pathlib.Path(templates.__file__).parent / 'en'\n"
        "assert (words / 'checks.toml').is_file()\n"
    )
    run(installed / "bin" / "python", "-c", probe, cwd=tmp_path)


def test_no_file_names_a_package_host(checkout: Path) -> None:
    names = ("requirements.txt", "requirements-dev.txt", "requirements-docs.txt", "requirements-build.txt")
    for name in (*names, "pyproject.toml", "Makefile", "mkdocs.yml"):
        text = (checkout / name).read_text()
        assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host", text), name


def test_every_requirement_is_pinned_with_hashes(checkout: Path) -> None:
    for name in ("requirements.txt", "requirements-dev.txt", "requirements-docs.txt"):
        blocks = re.split(r"\n(?=[a-z])", (checkout / name).read_text())[1:]
        assert len(blocks) > 20
        for block in blocks:
            assert re.match(r"[a-z0-9.-]+==[^\s\\]+", block), block
            assert "--hash=sha256:" in block, block


def test_running_and_checking_pin_the_same_versions(checkout: Path) -> None:
    def pins(name: str) -> dict[str, str]:
        return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", (checkout / name).read_text(), re.M))

    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()
    checks, documents = pins("requirements-dev.txt"), pins("requirements-docs.txt")
    both = checks.keys() & documents.keys()
    assert both, "the files have no package in common, so nothing was compared"
    assert {name: checks[name] for name in both} == {name: documents[name] for name in both}


def test_what_builds_the_pages_is_never_installed_with_the_service(checkout: Path) -> None:
    shipped = (checkout / "requirements.txt").read_text()
    needed = " ".join(requires("railpost") or ())
    for name in ("mkdocs", "griffe"):
        assert name in (checkout / "requirements-docs.txt").read_text()
        assert name not in shipped
        assert name not in needed
