"""Mistakes in a new title's tables that are found when it is built, not in the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

import engine
from engine.acts.run_trains import Earned
from engine.acts.turns import END, End, Place, Turns
from engine.core.state import Frame, Note
from engine.core.title import Play
from engine.steps.course import After, Course, Sequence
from tests.kit import twins
from tests.kit.titles import TITLES
from tests.kit.twins.turn import SEQUENCE


@dataclass(frozen=True, slots=True)
class Unknown(Frame):
    pass


def turns(*places: Place, stages: tuple[str, ...] = ("track", END), **asks: str) -> Turns:
    return Turns(stages, places, lambda play, turn: None, asks)


@pytest.mark.parametrize(
    ("stages", "place", "asks", "reason"),
    [
        (("track", END), Place(End(), "trck", END), {}, "End: no stage 'trck'; there are: track, end"),
        (("track", END), Place(End(), END, "ende"), {}, "End: no stage 'ende'"),
        (("track", END), Place(End(), END, "track"), {}, "End: 'track' comes before 'end'"),
        (("track", "token"), Place(End(), "track", "track"), {}, "the last stage of a turn is 'end', not .'token',."),
        (("track", END), Place(End(), END, END), {"pay": "company.pay"}, "asks: no stage 'pay'"),
    ],
)
def test_a_turn_with_a_stage_that_is_not_there(
    stages: tuple[str, ...], place: Place, asks: dict[str, str], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        turns(place, stages=stages, **asks)


def test_a_sequence_with_a_name_that_nothing_stands_behind() -> None:
    with pytest.raises(ValueError, match="no thing to do 'trad'; there are: trade, operate, finish"):
        replace(SEQUENCE, rows=(After("SR", "", ("trad",), "3"),))
    with pytest.raises(ValueError, match="no thing to do 'begin'"):
        replace(SEQUENCE, start=("begin",))
    with pytest.raises(ValueError, match="no condition 'lastset'; there are: last_set"):
        replace(SEQUENCE, rows=(After("OR", "lastset", ("finish",), "11"),))


def test_a_round_that_nothing_follows() -> None:
    title = twins.load()
    sequence = Sequence((), (After("OR", "", ("finish",), "11"),), {}, {"finish": lambda play: None}, lambda play: None)
    play = Play(title, engine.Game.start(title, engine.Setup(("Ann", "Bob"))).state)
    with pytest.raises(LookupError, match="no row of the sequence says what follows a round 'SR'"):
        sequence.advance(play, Course())


def test_a_frame_without_a_step() -> None:
    title = twins.load()
    play = Play(title, engine.Game.start(title, engine.Setup(("Ann", "Bob"))).state)
    with pytest.raises(LookupError, match="the steps of twins have none for the frame Unknown"):
        play.push(Unknown())


@pytest.mark.parametrize("name", [*TITLES, twins.NAME])
def test_the_notes_of_a_title_are_those_of_its_turns(name: str) -> None:
    """A title cannot forget to list them: by mail its games would stop at the first note that is kept."""
    title = twins.load() if name == twins.NAME else engine.load_title(name)
    acts = [place.act for step in title.steps.values() if isinstance(step, Turns) for place in step.places]
    found: set[type[Note]] = {note for act in acts for note in act.notes}
    assert set(title.notes) == found >= {Earned}
