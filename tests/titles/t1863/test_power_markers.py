"""Markers of privates, their running costs, and what the Nine Elms Works and phase IV bring."""

from __future__ import annotations

import pytest

from engine.core.events import PrivateUsed
from engine.core.ids import CompanyId, HexId
from engine.titles.t1863.names import FINAL, MAIL_AT, PIRATE_AT
from engine.titles.t1863.policies import reserved
from engine.titles.t1863.privates.powers import close_privates, nine_elms, token_rate
from tests.kit.games.situations_1863 import London, situation, tube

MET = CompanyId("MET")


def turn(privates: dict[str, str], stage: str = "track", tiles: str = "C10=57#0", **more: object) -> London:
    laid = dict(tile.split("=") for tile in tiles.split())
    return situation(
        tube("MET", {"Ann": 5}, 100, cash=500, trains="2T", markers="C10", tokens=3),
        tube("BAK", "Bob", 50, minor=True, markers="F9", cash=300),
        privates=privates, tiles=laid, **more,  # type: ignore[arg-type]
    ).turn("MET", stage, waiting="BAK")  # fmt: skip


def uses(game: London, private: str) -> list[str]:
    return [line.split(maxsplit=2)[-1] for line in game.accepted() if line.startswith(f"use {private}")]


# ---- Porters Ale Brewery ---------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:9.10")
@pytest.mark.parametrize(("owner", "rate"), [("MET", 5), ("Ann", 10), ("BAK", 10)])
def test_the_brewery_halves_the_cost_of_markers(owner: str, rate: int) -> None:
    game = turn({"POR": owner})
    assert token_rate(game.title, game.state, MET) == rate


# ---- the mail --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:9.11")
def test_t20_mail_markers_are_placed_and_moved_at_the_beginning_of_a_turn() -> None:
    game = turn({"RMR": "MET"})
    assert len(uses(game, "RMR")) == 4 + 6
    game.do("MET: use RMR in Q10, C10")
    assert game.state.marks[MAIL_AT] == ("C10", "Q10")
    assert game.told(PrivateUsed)[-1].hexes == ("Q10", "C10")
    assert game.refusals("MET: use RMR in C10, M10") == {"use.once"} and not uses(game, "RMR")
    again = turn({"RMR": "MET"}, marks={MAIL_AT: (HexId("C10"), HexId("Q10"))})
    assert len(uses(again, "RMR")) == 5  # two that are on the map stay on it
    assert again.refusals("MET: use RMR in H11") == {"use.mail_number"}
    again.do("MET: use RMR in H11, M10")
    assert again.state.marks[MAIL_AT] == ("H11", "M10")


@pytest.mark.rule("1863:9.11")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("use RMR in F9", "use.mail_hex"),
        ("use RMR in C10, C10", "use.mail_number"),
        ("use RMR in C10, H11, M10", "use.mail_number"),
        ("use RMR", "use.mail_number"),
        ("use RMR for BAK in C10", "order.no_such_part"),
        ("use GRE in C10", "use.none"),
    ],
)
def test_where_mail_markers_do_not_stand(order: str, check: str) -> None:
    assert check in turn({"RMR": "MET", "GRE": "MET"}).refusals(f"MET: {order}")


@pytest.mark.rule("1863:9.11")
def test_mail_markers_are_not_placed_once_track_is_laid_or_trains_have_run() -> None:
    game = turn({"RMR": "MET"})
    game.do("MET: lay 4 C12 0")
    assert game.refusals("MET: use RMR in C10") == {"use.late"} and not uses(game, "RMR")
    beside = turn({"RMR": "MET", "LNR": "MET"})
    beside.do("MET: lay 9 K18 0 with LNR")
    assert beside.refusals("MET: use RMR in C10") == {"use.late"}
    assert turn({"RMR": "MET"}, "trains").refusals("MET: use RMR in C10") == {"use.late"}


@pytest.mark.rule("1863:9.1", "1863:9.11")
def test_the_mail_works_for_the_company_that_owns_it() -> None:
    game = turn({"RMR": "Ann"})
    assert game.refusals("MET: use RMR in C10") == {"use.owner"} and not uses(game, "RMR")


# ---- the pirate ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:9.12")
def test_t21_the_pirate_takes_a_free_space_and_moves() -> None:
    game = turn({"CHO": "MET"})
    hexes = {line.removeprefix("in ") for line in uses(game, "CHO")}
    assert {"H11", "C18", "I22"} <= hexes and not hexes & {"C10", "F9", "C12", "Q4", "A10"}
    game.do("MET: use CHO in H11")
    assert game.state.marks[PIRATE_AT] == ("H11", 0)
    assert reserved(game.title, game.state, HexId("H11"), MET) and not reserved(
        game.title, game.state, HexId("C10"), MET
    )
    assert game.refusals("MET: use CHO in C18") == {"use.once"}


@pytest.mark.rule("1863:9.12")
def test_the_pirate_is_placed_at_any_time_of_the_turn_and_taken_off() -> None:
    game = turn({"CHO": "MET"}, "trains", marks={PIRATE_AT: (HexId("H11"), 0)})
    assert "in H11" not in uses(game, "CHO")
    game.do("MET: use CHO")
    assert PIRATE_AT not in game.state.marks


@pytest.mark.rule("1863:9.12")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("use CHO", "use.pirate_off"),
        ("use CHO in C10", "use.pirate_hex"),  # full
        ("use CHO in C12", "use.pirate_hex"),
        ("use CHO in Q4", "use.pirate_hex"),  # a red hex is no station
        ("use CHO in H11, C18", "use.pirate_hex"),
    ],
)
def test_where_the_pirate_does_not_go(order: str, check: str) -> None:
    assert turn({"CHO": "MET"}).refusals(f"MET: {order}") == {check}


@pytest.mark.rule("1863:9.11", "1863:9.12", "1863:12.54")
@pytest.mark.parametrize(("build", "failed"), [("no", {"use.last_rounds"}), ("yes", set())])
def test_r54_in_the_last_rounds_markers_stay(build: str, failed: set[str]) -> None:
    game = turn({"RMR": "MET", "CHO": "MET"}, marks={FINAL: True}, options={"last_rounds_build": build})
    assert game.refusals("MET: use RMR in C10") == failed and game.refusals("MET: use CHO in H11") == failed


# ---- the Nine Elms Works ---------------------------------------------------------------------------------------------


def floated(
    privates: dict[str, str], hex: str = "I22", trains: str = "", supply: int = 3, phase: str = "II", times: int = 1
) -> list[str]:
    """Trains of a minor of Ann after its float in the hex."""
    game = situation(
        tube("UER", "Ann", 50, minor=True, markers=hex, trains=trains), privates=privates, phase=phase,
        supply={"2T": supply},
    )  # fmt: skip
    play = game.play()
    for _ in range(times):
        nine_elms(play, CompanyId("UER"), HexId(hex))
    return list(game.take(play).fleet("UER"))


@pytest.mark.rule("1863:9.7", "1863:12.50")
def test_nine_elms_gives_a_train_to_a_company_floated_there() -> None:
    assert floated({"NEL": "Ann"}) == ["2T"]  # the founder keeps it
    assert floated({"NEL": "UER"}) == ["2T"]  # or has brought it in
    assert floated({"NEL": "Ann"}, trains="2T") == ["2T", "2T"]
    assert floated({"NEL": "Bob"}) == []
    assert floated({"NEL": "Ann"}, hex="K22") == []
    assert floated({"NEL": "Ann"}, trains="2T 2T") == ["2T", "2T"]  # no room
    assert floated({"NEL": "Ann"}, supply=0) == []
    assert floated({}) == []
    assert floated({"NEL": "Ann"}, times=2) == ["2T"]  # in all the game


# ---- the end of privates ---------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:9.1", "1863:3.2", "1863:3.14")
def test_phase_four_closes_privates_and_takes_the_pirate_off() -> None:
    every = "GRE FOW ARD THO LNR THT NEL AIM RLO POR RMR CHO CLK"
    marks = {PIRATE_AT: (HexId("H11"), 0), MAIL_AT: (HexId("C10"),)}
    game = turn(dict.fromkeys(every.split(), "MET"), marks=marks)
    play = game.play()
    close_privates(play)
    game.take(play)
    assert set(game.state.privates) == {"THO", "RMR", "CLK"}
    assert PIRATE_AT not in game.state.marks and game.state.marks[MAIL_AT] == ("C10",)
