"""The link to the desk in turn mails: only with its setting, with what the seat may see, and without its secret."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

import engine
from engine.positions import read_position, seat_of
from moderator.desk.sitting import Sitting
from moderator.render.desk_link import desk_link
from moderator.service.play.new_games import Person, Terms, new_game
from tests.kit.service.mail_service import Letter, Service

PAGE = "https://games.example.org/desk/"


def link_in(letter: Letter) -> str:
    found = re.search(rf'href="({re.escape(PAGE)}#[^"]+)"', letter.html)
    return unescape(found[1]) if found else ""


def fields_of(link: str) -> dict[str, str]:
    pairs = (field.split("=", 1) for field in link.partition("#")[2].split("&"))
    return {name: unquote(value) for name, value in pairs}


def turn_mail(root: Path) -> tuple[Service, str, Letter]:
    service = Service.open(root)
    game = service.ready_game()
    player = service.position(game).asked()[0].player
    return service, game, next(one for one in service.letters(player) if one.kind == "turn")


def test_without_the_setting_there_is_none(tmp_path: Path) -> None:
    *_, letter = turn_mail(tmp_path)
    assert "#p=" not in letter.html


@pytest.mark.parametrize("known", [False, True])
def test_a_game_with_corrected_facts_has_one_if_the_page_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    monkeypatch.setenv("RAILPOST_DESK_URL", PAGE)
    monkeypatch.setenv("RAILPOST_DESK_WITH_FACTS", str(known))
    service = Service.open(tmp_path)
    facts = engine.export_facts(engine.load_title("1844"))
    people = [Person(name, f"{name.lower()}@players.example") for name in ("Ann", "Bob", "Cat")]
    setup = engine.Setup(("Ann", "Bob", "Cat"), "a seed", "Ann")
    game = service.position(new_game(service.desk, Terms("1844", facts=facts), people, setup=setup))
    service.run()
    player = game.asked()[0].player
    link = link_in(next(one for one in service.letters(player) if one.kind == "turn"))
    assert bool(link) is known
    if known:
        assert read_position(fields_of(link)["p"], facts).told_digest() == game.seen_by(player).told_digest()


def test_it_opens_the_position_as_the_seat_may_see_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILPOST_DESK_URL", PAGE)
    service, game, letter = turn_mail(tmp_path)
    fields = fields_of(link_in(letter))
    position = service.position(game)
    player = position.asked()[0].player
    assert set(fields) == {"p", "s", "g", "d"}, "and no address"
    assert (fields["s"], fields["g"], fields["d"]) == (letter.subject, game, str(service.at(game)))
    assert seat_of(fields["p"]) == player
    assert read_position(fields["p"]).told_digest() == position.seen_by(player).told_digest()
    assert letter.reply_to.partition("@")[0] not in link_in(letter)
    assert "#p=" not in letter.text


def test_with_its_setting_the_mail_from_the_page_is_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILPOST_DESK_URL", PAGE)
    monkeypatch.setenv("RAILPOST_DESK_WITH_ADDRESS", "true")
    service, game, letter = turn_mail(tmp_path)
    fields = fields_of(link_in(letter))
    assert fields["r"] == letter.reply_to
    desk = Sitting.open(fields["p"], reply_to=fields["r"], subject=fields["s"])
    assert isinstance(desk, Sitting)
    answer = desk.view()["asked"][0]["answers"][0]["text"]
    desk.give(answer)
    mail = desk.mail()
    assert mail["link"].startswith("mailto:railpost%2B"), "a plus sign is no blank"
    service.say(desk.seat, "\n".join(mail["lines"]), to=mail["to"])
    assert service.log(game) == mail["lines"]


def test_a_link_has_all_that_programs_take_for_something_else_encoded() -> None:
    link = desk_link(PAGE, "P1.a-b_c.d", reply_to="railpost+1861-1.x@example.org", subject='Re: a & b #1 "+" ü')
    assert re.fullmatch(r"[\w:/.\-#=&%]+", link)
    assert fields_of(link) == {"p": "P1.a-b_c.d", "r": "railpost+1861-1.x@example.org", "s": 'Re: a & b #1 "+" ü'}
