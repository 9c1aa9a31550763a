"""Who a mail is from, among real servers: our own one looks, removes what others claim, and writes what it found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.mail_system import AUTHSERV_ID, MailSystem
from tests.kit.mail_system.player import Player
from tests.kit.mail_system.service import RealService
from tests.kit.service.mail_service import mail

HOPS = 1
"""Dovecot's LMTP service writes a ``Received`` header above what Postfix and the filter wrote."""
FORGED = {"Authentication-Results": f"{AUTHSERV_ID}; dmarc=pass header.from=players.example"}


@pytest.fixture
def service(mail_system: MailSystem, tmp_path: Path) -> Iterator[RealService]:
    settings = {"identity": "token+authenticated", "authserv_id": AUTHSERV_ID, "authserv_hops": HOPS}
    with RealService(mail_system, tmp_path, **settings) as running:
        yield running


@pytest.mark.fault(34, 35, 37)
def test_only_who_is_who_he_says_acts(service: RealService) -> None:
    system = service.system
    names = ("ann-id", "bob-id", "cat-id")
    with (
        Player(system, f"{names[0]}@players.example") as ann,
        Player(system, f"{names[1]}@players.example") as bob,
        Player(system, f"{names[2]}@players.example") as cat,
    ):
        game = service.game(ann.address, bob.address, cat.address)
        service.run()
        players = {player.address: player for player in (ann, bob, cat)}
        for player in players.values():
            player.wait(1)
        asked = str(service.position(game).asked()[0].player).lower()
        owner = next(player for address, player in players.items() if address.startswith(asked))
        thief = next(player for player in players.values() if player is not owner)
        to = owner.reply_to()
        # logged in as somebody else, with the owner's address in From, and with results made up
        for headers in ({}, FORGED):
            thief.send(mail("pass", sender=owner.address, to=to, headers=headers), to)
        assert [(row.outcome, row.verdict) for row in service.until_decided(2)] == [("unconfirmed", "fail")] * 2
        assert not service.position(game).orders
        owner.send(mail("pass", sender=owner.address, to=to), to)
        last = service.until_decided(3)[-1]
        assert (last.outcome, last.verdict, last.sender) == ("applied", "pass", owner.address)
        assert len(service.position(game).orders) == 1
