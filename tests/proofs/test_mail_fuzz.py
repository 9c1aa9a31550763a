"""Spoilt mails in plenty: nothing raises, nothing takes long, memory is bounded. All of it is the same in every run."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tracemalloc
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.kit.checkout import CHECKOUT
from tests.kit.needs import lacking
from tests.kit.service.fuzz_seeds import ORDERS, mails, of, turn
from tests.kit.service.fuzz_spoil import spoilt
from tests.kit.service.fuzz_target import Seen, look
from tests.kit.service.mail_service import Service

MEGABYTE = 1_048_576


def seeds() -> list[bytes]:
    random.seed(0)  # the borders between parts are drawn by the library
    return [content for orders in ORDERS for content in mails(turn(), orders).values()]


def fuzz(count: int, seed: int) -> Seen:
    chance, own, seen = random.Random(seed), seeds(), Seen()
    for number in range(count):
        content = spoilt(chance, own)
        try:
            seen.look(content)
        except Exception as error:
            raise AssertionError(f"seed {seed}, number {number}: {content[:3_000]!r}") from error
    return seen


def peak() -> float:
    """The most memory that this process ever had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def test_mails_as_they_come_are_read() -> None:
    """The seeds are what they are meant to be: otherwise spoiling them shows little."""
    kinds = [look(content, "ann@players.example") for content in mails(turn(), "GRR: lay 57 K9 1").values()]
    assert kinds.count("orders") >= 19 and "encrypted" in kinds and "bounce" in kinds, kinds


def test_spoilt_mails() -> None:
    sys.stdout.write(f"{fuzz(80, seed=1)}\n")


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(20))
def test_spoilt_mails_in_plenty(seed: int) -> None:
    before = peak()
    seen = fuzz(5_000, seed)
    sys.stdout.write(f"seed {seed}: {seen}; peak {peak():.0f} MB, {peak() - before:.0f} MB more than before\n")
    assert peak() - before < 300


@pytest.mark.prove
@pytest.mark.parametrize("seed", [101, 102])
def test_no_spoilt_mail_takes_much_memory_or_keeps_any(seed: int) -> None:
    """Of each message alone, beyond what there was; and of all of them together at the end."""
    fuzz(200, seed)  # what is made once and kept
    chance, own, seen = random.Random(seed), seeds(), Seen(most=60)  # counting memory takes its time
    tracemalloc.start()
    try:
        first, most = tracemalloc.get_traced_memory()[0], 0
        for _ in range(800):
            content = spoilt(chance, own)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            seen.look(content)
            most = max(most, tracemalloc.get_traced_memory()[1] - before)
        left = tracemalloc.get_traced_memory()[0] - first
    finally:
        tracemalloc.stop()
    sys.stdout.write(
        f"seed {seed}: {seen}; at most {most / MEGABYTE:.1f} MB for one message, {left / MEGABYTE:.1f} MB left"
    )
    assert most < 150 * MEGABYTE and left < 20 * MEGABYTE


@pytest.mark.prove
@pytest.mark.parametrize("seed", [1, 2])
def test_spoilt_mails_that_lead_to_new_places(tmp_path: Path, seed: int) -> None:
    """By a fuzzer that keeps what goes through code that no other mail went through."""
    if find_spec("atheris") is None:
        lacking("atheris is not installed: pip install atheris (Linux on x86-64)")
    done = subprocess.run(
        [sys.executable, "-m", "tests.kit.service.fuzz_guided", "10000", str(seed), str(tmp_path / "corpus")],
        cwd=CHECKOUT, capture_output=True, text=True, check=False, timeout=3_000,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-6_000:]
    found = len(list((tmp_path / "corpus").iterdir()))
    sys.stdout.write(f"{done.stdout.strip().splitlines()[-1]}; corpus of {found}\n")


def pipeline(root: Path, count: int, seed: int) -> dict[str | None, int]:
    """Spoilt mails through the whole service, on a game that goes on where they let it."""
    service, chance = Service.open(root), random.Random(seed)
    service.game()
    latest = of(service.letters("Ann")[-1])
    own: list[bytes] = []
    for number in range(count):
        if number % 50 == 0:
            service.clock.pass_by(hours=25)
            latest = of(service.letters("Ann")[-1])
            own = [one for orders in chance.sample(ORDERS, 3) for one in mails(latest, orders).values()]
        service.send(spoilt(chance, own), latest.to, chance.choice(("", "ann@players.example", "eve@evil.example")))
        if number % 10 == 9:
            service.run()
    service.run()
    outcomes = service.outcomes()
    assert service.complaints == [] and len(outcomes) == count, service.complaints[:3]
    assert None not in outcomes and "error" not in outcomes, (seed, outcomes)
    return {outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes), key=str)}


def test_spoilt_mails_through_the_whole_service(tmp_path: Path) -> None:
    sys.stdout.write(f"{pipeline(tmp_path, 40, seed=1)}\n")


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(4))
def test_spoilt_mails_through_the_whole_service_in_plenty(tmp_path: Path, seed: int) -> None:
    sys.stdout.write(f"seed {seed}: {pipeline(tmp_path, 750, seed)}; peak {peak():.0f} MB\n")
