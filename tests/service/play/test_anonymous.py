"""An anonymous game: nobody at the table learns before its end who plays, and everybody does then."""

from __future__ import annotations

import logging
from itertools import permutations
from pathlib import Path

import pytest
from sqlmodel import select

import engine
from engine.titles import title_names
from moderator.adapters.tables import AliasRow, EntryRow, GameRow, OutboxRow, SeatRow
from moderator.domain.house_names import HOUSE_NAMES, draw_house_names
from moderator.domain.vocabulary import vocabulary
from moderator.service.operation.backup import backup
from moderator.service.operation.restoration import close_copy, put_in_place, read_copy
from moderator.service.play.new_games import Person, drawn
from moderator.service.table.anonymity import why_knowing
from moderator.service.table.game_master import offices_of
from tests.kit.samples import sampled
from tests.kit.service.anonymous import FIRST, MASTER, PEOPLE, SUCCESSOR, WATCHER, AnonymousGame, named
from tests.kit.service.going_out import going_out, plain_paper, railpost
from tests.kit.service.guests import address_of, answer, join, said, write


@pytest.fixture(autouse=True)
def paper(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_paper(monkeypatch)


def everything(playing: AnonymousGame, root: Path) -> list[str]:
    """Play on with all that may happen to a seat. Returns what leaks, step by step."""
    found = list[str]()
    first, second, third = FIRST

    def look() -> None:
        found.extend(playing.leaks())

    playing.begin()
    look()
    write(playing.service, WATCHER, f"observe {playing.game}")
    answer(playing.service, WATCHER)
    write(playing.service, SUCCESSOR, "wait")
    answer(playing.service, SUCCESSOR)
    playing.pass_by(minutes=1)
    playing.play(4)
    look()
    playing.say(first, "press: let us open the cheap ones")
    playing.say(second, f"press {playing.player(third)}: you and I?")
    playing.say(third, "master: may I sell?")
    playing.say(first, "away 2026-04-20 to 2026-04-23")
    playing.say(second, "alias second@elsewhere.example")
    playing.say(third, "address third@elsewhere.example")
    playing.say(first, "undo: I misread it")
    playing.say(first, "show history\nshow clock\nshow standing\nshow record\nhelp")
    playing.rule("show seats\nshow log\nshow clock\nsay: a good game to all")
    playing.say(second, f"propose open {playing.player(first)} because of the long silence")
    playing.say(third, "vote no")
    look()
    playing.pass_by(hours=60)
    look()
    playing.say(second, "resign")
    playing.agrees(second, "+confirm.")
    look()
    playing.pass_by(minutes=5)
    answer(playing.service, SUCCESSOR, kind="open seat")
    look()
    playing.play(3)
    playing.agrees(third, "+confirm.")
    playing.pass_by(hours=80)
    look()
    found.extend(playing.leaks_from_archive(root / "made"))
    return found


def ended(playing: AnonymousGame) -> None:
    playing.rule("reason: enough\nend game")
    playing.agrees(MASTER, "+motion.")


@pytest.mark.parametrize("title", sampled(title_names(), ["1861"]))
def test_nobody_learns_who_plays_until_the_end(
    tmp_path: Path, title: str, caplog: pytest.LogCaptureFixture
) -> None:  # fmt: skip
    playing = AnonymousGame(tmp_path / "var", title=title)
    with caplog.at_level(logging.DEBUG):
        assert everything(playing, tmp_path) == []
    assert named("\n".join(record.getMessage() for record in caplog.records), PEOPLE) == []
    assert set(playing.players) <= set(HOUSE_NAMES)
    kinds = {letter.kind for person in (*PEOPLE, WATCHER, MASTER) for letter in playing.letters(person)}
    seen = {"welcome", "turn", "transcript", "notice", "reminder", "press", "observer", "master", "office", "catchup"}
    assert seen <= kinds, "and much was searched"
    given = [one for one in playing.letters(FIRST[0]) if "plays for" in one.subject]
    assert len(given) == 1 and "somebody else plays the seat" in said(given[0])
    assert playing.person(playing.player(SUCCESSOR)) == SUCCESSOR

    ended(playing)
    for person in (FIRST[0], FIRST[2], SUCCESSOR):
        over = said(playing.letters(person)[-1])
        assert named(over, (FIRST[0], FIRST[2], SUCCESSOR)) == [FIRST[0], FIRST[2], SUCCESSOR]
        assert f"{playing.player(SUCCESSOR)} (played by {SUCCESSOR})" in over
    playing.pass_by(minutes=1)
    assert named(said(playing.letters(WATCHER)[-1]), (FIRST[0], FIRST[2], SUCCESSOR)) == [FIRST[0], FIRST[2], SUCCESSOR]
    made = going_out(playing.service, playing.game, tmp_path / "after", ())
    page = made[f"site/games/{playing.game}/index.html"]
    assert named(page, PEOPLE) == list(PEOPLE) and named(made["record"], PEOPLE) == list(PEOPLE)
    assert FIRST[1] in railpost(playing.service, "game", "log", playing.game)
    assert f'[Seat1 "{playing.players[0]}"]' in made["record"], "the record keeps the names of the house"


def test_the_search_finds_a_planted_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    playing = AnonymousGame(tmp_path / "var")
    monkeypatch.setattr(GameRow, "veiled", False)
    found = everything(playing, tmp_path)
    for place in ("plays for", "site/", "record", "log: "):
        assert any(place in leak for leak in found), place


@pytest.mark.parametrize("place", ["text", "header", "log", "table"])
def test_one_name_in_any_place_is_found(tmp_path: Path, place: str) -> None:
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    assert playing.leaks() == []
    reader, other = FIRST[0], FIRST[1]
    with playing.service.session() as session:
        if place in ("log", "table"):
            entry = EntryRow(game=playing.game, at=99, kind="say", orders=0, created_at=playing.service.clock.now())
            entry.text = f"Well played, {other.upper()}."
            session.add(entry)
        else:
            row = session.exec(select(OutboxRow).where(OutboxRow.recipient == address_of(reader))).first()
            assert row is not None
            row.text = f"{row.text} {address_of(other)}" if place == "text" else row.text
            row.headers = {**row.headers, "X-Player": other} if place == "header" else row.headers
            row.state = "queued"
        session.commit()
    playing.service.run()
    assert [leak.rpartition(" ")[2] for leak in playing.leaks()] == [other] * (2 if place in ("log", "table") else 1)


# ---- before the game begins


def test_who_has_joined_is_told_to_nobody(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var")
    join(playing.service, FIRST[0], playing.game)
    (told,) = write(playing.service, "Curious", "games")
    assert "1 of 3 players;" in said(told) and "anonymous until the end" in said(told)
    (asked,) = write(playing.service, "Gerda", f"join {playing.game} as {FIRST[0]}")
    assert "you play under a name of the house" in said(asked)
    (joined,) = answer(playing.service, "Gerda")
    assert "You have joined" in said(joined) and "2 of 3 players are there." in said(joined)
    join(playing.service, FIRST[2], playing.game)
    (full,) = write(playing.service, "Curious", f"join {playing.game} as {FIRST[0]}")
    assert "3 players play" in said(full)
    answer(playing.service, FIRST[0], "no", kind="may begin")
    assert "1 player does not play" in said(playing.letters(FIRST[2])[-1])
    assert playing.leaks() == []


def test_two_with_the_same_name_are_told_apart_in_the_end(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var")
    for guest in ("Gerda", "Hanna", "Irma"):
        write(playing.service, guest, f"join {playing.game} as Ann")
        answer(playing.service, guest)
    for guest in ("Gerda", "Hanna", "Irma"):
        answer(playing.service, guest, kind="may begin")
    with playing.service.session() as session:
        persons = session.exec(select(SeatRow.person).where(SeatRow.game == playing.game)).all()
    assert sorted(persons) == ["Ann", "Ann 2", "Ann 3"]


def test_nobody_joins_under_a_name_of_the_house(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var")
    (told,) = write(playing.service, "Gerda", f"join {playing.game} as cedar")
    assert "'cedar' is a name of the house" in said(told)


def test_the_names_do_not_depend_on_the_persons() -> None:
    """Whoever joins, in whatever order: a seed gives the same names to the seats."""
    people = [Person(name, address_of(name)) for name in FIRST]
    seeds = [f"seed {number}" for number in range(40)]
    for seed in seeds:
        known = {drawn(seed, each, anonymous=True)[0].players for each in permutations(people)}
        other = drawn(seed, [Person(f"Z{one.name}", one.address) for one in people], anonymous=True)[0].players
        assert known == {other}
    whole = [drawn(seed, people, anonymous=True) for seed in seeds]
    assert {setup.players for setup, _ in whole} == {draw_house_names(seed, 3) for seed in seeds}
    begins = {seated[0][1].name for _, seated in whole}
    assert begins == set(FIRST), "and the seats do not depend on who joined first"


@pytest.mark.parametrize("title", title_names())
def test_every_title_can_be_played_with_them(title: str) -> None:
    for edition in engine.editions(title):
        found = engine.load_title(title, edition)
        vocabulary(found, HOUSE_NAMES)
        engine.Game.start(found, engine.Setup(HOUSE_NAMES[: max(found.table)], "a seed"))


# ---- a game master who plays


def test_a_game_master_who_plays_learns_no_more_than_others(tmp_path: Path) -> None:
    first, second, third = FIRST
    playing = AnonymousGame(tmp_path / "var", first)
    playing.begin()
    (shown,) = playing.rule("show seats\nshow log")
    assert playing.player(second) in said(shown) and playing.leaks() == []
    named_master = next(one for one in playing.letters(first) if "a game master" in one.subject)
    assert "You play, so you do not learn it either" in said(named_master)

    mine = playing.player(second)
    playing.rule(f"give {mine} to {SUCCESSOR} <{address_of(SUCCESSOR)}>")
    vote = said(playing.letters(third)[-1])
    assert f"`give {mine} to somebody else`" in vote
    for voter in (second, third):
        playing.say(voter, "vote yes")
    assert playing.person(mine) == SUCCESSOR
    assert [leak for leak in playing.leaks() if f"to {first}" not in leak] == [], "he has named her himself"


def test_why_a_seat_cannot_be_given_is_not_told(tmp_path: Path) -> None:
    """A game master who plays tries whether an address is that of a player."""
    first, second, third = FIRST
    playing = AnonymousGame(tmp_path / "var", first)
    playing.begin()
    playing.leaks()
    mine = playing.player(second)
    playing.rule(f"give {mine} to Xaver <{address_of(second)}>")
    for voter in (second, third):
        playing.say(voter, "vote yes")
    assert "the seat cannot be given to that person" in said(playing.letters(first)[-1])
    assert "the seat cannot be given to that person" in said(playing.letters(third)[-1])


def test_the_game_master_who_does_not_play_knows_who_plays(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    told = next(one for one in playing.letters(MASTER) if "a game master" in one.subject)
    for person in FIRST:
        assert f"{playing.player(person)}: {person}" in said(told)
    (shown,) = playing.rule("show seats")
    assert f"{playing.player(FIRST[0])}, played by {FIRST[0]}" in said(shown) and "@guests" not in said(shown)


def test_the_game_master_learns_who_plays_when_the_game_begins(tmp_path: Path) -> None:
    """Until then he may still join it himself."""
    playing = AnonymousGame(tmp_path / "var")
    for name in FIRST:
        join(playing.service, name, playing.game)
    assert named("".join(letter.text for letter in playing.letters(MASTER)), PEOPLE) == []


def offered_a_seat(playing: AnonymousGame, *guests: str) -> list[str]:
    """Those of ``guests`` who are offered the seat that a player gives up. The first has waited longest."""
    for guest in guests:
        write(playing.service, guest, "wait 1861")
        answer(playing.service, guest, kind="you wait")
    playing.say(FIRST[1], "resign")
    playing.agrees(FIRST[1], "+confirm.")
    playing.pass_by(minutes=5)
    return [guest for guest in guests if "open seat" in playing.letters(guest)[-1].subject]


def test_who_knows_who_plays_takes_no_seat(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    assert offered_a_seat(playing, MASTER, SUCCESSOR) == [SUCCESSOR]
    mine = playing.player(FIRST[1])
    playing.rule(f"give {mine} to Max <{address_of(MASTER)}>")
    playing.agrees(MASTER, "+motion.")
    assert "Max is a game master of 1861-1, and knows who plays in it" in said(playing.letters(MASTER)[-1])
    assert playing.person(mine) == FIRST[1]


@pytest.mark.parametrize("by", ["mail", "command"])
def test_who_was_a_game_master_and_knows_who_plays_takes_no_seat(tmp_path: Path, by: str) -> None:
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    mine, eve = playing.player(FIRST[1]), "Eve <eve@masters.example>"
    if by == "mail":
        playing.rule(f"add master {eve}\nremove master {address_of(MASTER)}")
        playing.agrees(MASTER, "+motion.")
    else:
        railpost(playing.service, "game", "master", playing.game, eve)
    with playing.service.desk.sitting() as sitting:
        others = [one.address for one in offices_of(sitting.session.get_one(GameRow, playing.game))]
    assert others == ["eve@masters.example"]
    assert offered_a_seat(playing, MASTER, SUCCESSOR) == [SUCCESSOR]
    max_again = f"Max <{address_of(MASTER).upper()}>"
    said_to_operator = railpost(playing.service, "seat", "give", playing.game, mine, max_again, status=1)
    assert "Max was a game master of 1861-1, and knows who plays in it" in said_to_operator
    assert playing.person(mine) == FIRST[1]


def test_a_former_game_master_is_known_by_his_aliases_and_after_a_restore(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    desk = playing.service.desk
    backup(desk, tmp_path / "copy.db")
    railpost(playing.service, "game", "master", playing.game, "--operator")
    with desk.sitting() as sitting:
        sitting.session.add(AliasRow(record="m@elsewhere.example", address=address_of(MASTER), created_at=sitting.now(),
                                     confirmed_at=sitting.now()))  # fmt: skip
        sitting.session.flush()
        row = sitting.session.get_one(GameRow, playing.game)
        assert "was a game master" in why_knowing(sitting.session, row, "Max", "m@elsewhere.example")
    copy = read_copy(tmp_path / "copy.db")
    try:
        put_in_place(desk, copy, tmp_path / "copy.db", ())
    finally:
        close_copy(copy)
    with desk.sitting() as sitting:
        row = sitting.session.get_one(GameRow, playing.game)
        assert "was a game master" in why_knowing(sitting.session, row, "Max", address_of(MASTER))


def test_a_game_master_who_played_and_never_knew_may_take_a_seat(tmp_path: Path) -> None:
    first = FIRST[0]
    playing = AnonymousGame(tmp_path / "var", first)
    playing.begin()
    railpost(playing.service, "game", "master", playing.game, "--operator")
    with playing.service.desk.sitting() as sitting:
        row = sitting.session.get_one(GameRow, playing.game)
        assert why_knowing(sitting.session, row, first, address_of(first)) == ""


# ---- what people write themselves


@pytest.mark.parametrize("text", ["Yours, {name}", "write to {address}", "write to {ADDRESS}"])
def test_press_that_tells_its_writer_is_not_passed_on(tmp_path: Path, text: str) -> None:
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    name, address = FIRST[0], address_of(FIRST[0])
    written = text.format(name=name, address=address, ADDRESS=address.upper())
    (told,) = playing.say(name, f"press\nI open the cheap ones.\n{written}\nend press")
    assert "nobody in this game may learn before its end" in said(told) and playing.leaks() == []
    (told,) = playing.say(name, f"propose pause because {written}")
    assert "nobody in this game may learn before its end" in said(told) and playing.leaks() == []


def test_press_with_the_name_of_another_tells_nothing(tmp_path: Path) -> None:
    """It is passed on: a refusal would say that this person plays."""
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    (told,) = playing.say(FIRST[0], f"press: is {FIRST[1]} here?")
    assert "passed on" in said(told)


def test_a_game_master_does_not_tell_by_mistake(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    for words in (f"say: {FIRST[1]} is ill", f"reason: {FIRST[1]} is ill\nextend 48 hours"):
        (told,) = playing.rule(words)
        assert f"`{FIRST[1]}` says who plays" in said(told)
    (told,) = playing.rule(f"answer {playing.player(FIRST[2])}: ask {FIRST[1]}")
    assert f"`{FIRST[1]}` says who plays" in said(told) and playing.leaks() == []
    playing.rule(f"answer {playing.player(FIRST[1])}: Dear {FIRST[1]}, you may.")
    assert f"Dear {FIRST[1]}" in said(playing.letters(FIRST[1])[-1])
    assert playing.leaks() == [f"table press: {FIRST[1]}"], "which his own archive shows, and no other"


def test_no_text_of_a_game_master_names_who_plays_has_played_or_is_to_play(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    first, second, third = FIRST
    mine, whom = playing.player(second), f"Dorothea <{address_of(SUCCESSOR)}>"
    playing.say(first, "master: may I sell?")
    line = next(one.reply_to for one in reversed(playing.letters(MASTER)) if ".master." not in one.reply_to)
    (told,) = write(playing.service, MASTER, f"Only if {third} agrees.", line)
    assert "was not passed on" in told.subject and f"`{third}` says who plays" in said(told)
    (told,) = playing.rule(f"reason: Dorothea is here\ngive {mine} to {whom}")
    assert "`Dorothea` says who plays" in said(told)
    playing.rule(f"reason: somebody is here\ngive {mine} to {whom}")
    playing.agrees(MASTER, "+motion.")
    assert playing.person(mine) == SUCCESSOR
    (told,) = playing.rule(f"say: we all thank {second}")
    assert f"`{second}` says who plays" in said(told), "who has played it may be told as little"
    assert [leak for leak in playing.leaks() if f"to {MASTER}" not in leak] == [], "his own words come back to him"


def test_a_game_master_who_plays_names_nobody_to_whom_he_gives_a_seat(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var", FIRST[0])
    playing.begin()
    whom = f"Dorothea <{address_of(SUCCESSOR)}>"
    told = playing.rule(f"reason: Dorothea is here\ngive {playing.player(FIRST[1])} to {whom}")[-1]
    assert "`Dorothea` says who plays" in said(told)


def test_a_game_master_who_plays_cannot_try_out_who_the_others_are(tmp_path: Path) -> None:
    """His texts are passed on, as those of other players are."""
    playing = AnonymousGame(tmp_path / "var", FIRST[0])
    playing.begin()
    for words in (f"answer {playing.player(FIRST[0])}: {FIRST[1]}", f"say: is {FIRST[1]} here?"):
        (told,) = [one for one in playing.rule(words) if one.kind == "office"]
        assert "done" in told.subject and "says who plays" not in said(told)
