"""Whatever happens to the service and its servers: no order is lost or doubled, no mail without its one answer."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.kit.mail_system import MailSystem
from tests.kit.postgres import Postgres
from tests.kit.samples import amount
from tests.kit.service.chaos import Chaos
from tests.kit.service.load import script, titles
from tests.kit.service.rough import Rough

ROUGH_DELIVERIES, ROUGH_KILLS = 2_000, 100


class Several(Chaos):
    """Three services on one database, of which one is killed after another."""

    services = 3


def run(
    system: MailSystem, root: Path, seed: int, games: int, deliveries: int, kills: int, kind: type[Chaos] = Chaos
) -> Chaos:
    every, most = titles(), max(6, 2 * deliveries // games)
    scripts = [script(every[number % len(every)], f"chaos {seed} {number}", most) for number in range(games)]
    chaos = kind(system, root, seed, scripts, f"chaos{seed}")
    chaos.play(deliveries, kills)
    return chaos


@pytest.mark.fault(47, 49, 51, 76, 82, 84, 85, 86)
def test_nothing_is_lost_or_doubled(mail_system: MailSystem, tmp_path: Path) -> None:
    """A sample; the long one is below."""
    chaos = run(mail_system, tmp_path, 1861, games=3, deliveries=36, kills=1)
    wrong = chaos.verdict()
    assert not wrong, "\n".join([chaos.figures(), *wrong[:10], (tmp_path / "service.log").read_text()[-3000:]])
    print(chaos.figures())  # noqa: T201
    assert sum(table.step for table in chaos.tables) >= 3


@pytest.mark.prove
@pytest.mark.usefixtures("each_database")
def test_nothing_is_lost_or_doubled_in_twenty_thousand_deliveries(
    mail_system: MailSystem, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`RAILPOST_CHAOS` is their number, and `RAILPOST_SEED` the seed; it is printed."""
    deliveries = amount("RAILPOST_CHAOS", 20_000)
    seed = int(os.environ.get("RAILPOST_SEED", "0")) or random.SystemRandom().randrange(10**6)
    chaos = run(mail_system, tmp_path, seed, games=12, deliveries=deliveries, kills=max(5, deliveries // 100))
    wrong = chaos.verdict()
    with capsys.disabled():
        print(f"\n{chaos.figures()}")  # noqa: T201
    assert not wrong, "\n".join([*wrong[:20], (tmp_path / "service.log").read_text()[-3000:]])


@pytest.mark.prove
@pytest.mark.fault(60, 79, 83)
@pytest.mark.usefixtures("each_database")
def test_a_clock_that_is_set_a_link_and_a_refused_recipient_delay_nobody(
    mail_system: MailSystem, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Besides the kills and the faults of SMTP: nothing is lost or doubled, and nobody waits longer than a minute.
    `ROUGH_DELIVERIES` and `ROUGH_KILLS` make it shorter, `RAILPOST_SEED` repeats it."""
    deliveries = amount("ROUGH_DELIVERIES", ROUGH_DELIVERIES)
    kills = amount("ROUGH_KILLS", ROUGH_KILLS)
    seed = int(os.environ.get("RAILPOST_SEED", "0")) or random.SystemRandom().randrange(10**6)
    chaos = run(mail_system, tmp_path, seed, games=6, deliveries=deliveries, kills=kills, kind=Rough)
    wrong = chaos.verdict()
    with capsys.disabled():
        print(f"\n{chaos.figures()}")  # noqa: T201
    assert not wrong, "\n".join([*wrong[:20], (tmp_path / "service.log").read_text()[-3000:]])


@pytest.mark.prove
@pytest.mark.fault(90)
def test_three_services_on_one_database_lose_and_double_nothing(
    mail_system: MailSystem, tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """As the first, on PostgreSQL. `RAILPOST_CHAOS` is the number of deliveries, and `RAILPOST_SEED` the seed."""
    monkeypatch.setenv("RAILPOST_DATABASE", url := postgres.create())
    deliveries = amount("RAILPOST_CHAOS", 20_000)
    seed = int(os.environ.get("RAILPOST_SEED", "0")) or random.SystemRandom().randrange(10**6)
    kills = max(5, deliveries // 50)
    chaos = run(mail_system, tmp_path, seed, games=12, deliveries=deliveries, kills=kills, kind=Several)
    wrong = chaos.verdict()
    with capsys.disabled():
        print(f"\n{chaos.figures()}")  # noqa: T201
    postgres.drop(url)
    assert not wrong, "\n".join([*wrong[:20], (tmp_path / "service.log").read_text()[-3000:]])
