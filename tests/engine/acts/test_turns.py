"""The walker of turns with acts that no title has: what is in time, what is due, what follows, what is offered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from engine.acts.act import Act, Turn, turn_of
from engine.acts.turns import END, End, Place, Turns
from engine.core.agenda import Ask, Choice, Exact
from engine.core.checks import Failure
from engine.core.events import CompanyLeft, Lapsed, Marked
from engine.core.ids import Actor, PlayerId
from engine.core.orders import Discard, Done, Order, Redeem, Run, Sell, Settle
from engine.core.state import Note, State
from engine.core.title import Play, Title
from tests.kit.games.toy_holdings import PLAYERS, A, B, held, toy

ANN = PLAYERS[0]


@dataclass(frozen=True, slots=True)
class Counted(Note):
    number: int = 0


@dataclass(frozen=True, slots=True)
class Early(Act):
    """May be used again and again; each use is noted."""

    takes = (Redeem,)
    notes = (Counted,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        yield Exact(Redeem(turn.company, 1))

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        return 7 + turn.note(Counted).number

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        play.become(turn.noting(Counted(turn.note(Counted).number + 1)))


@dataclass(frozen=True, slots=True)
class Owed(Act):
    """Must be done before the turn goes on, as long as the company has no mark."""

    takes = (Run,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        yield Exact(Run(turn.company, ()))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        play.emit(Marked("ran", True))

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        return None if "ran" in state.marks else Failure("turn.run_first", {"company": turn.company})


@dataclass(frozen=True, slots=True)
class Following(Act):
    """Something follows where it is left out; with ``fatal`` the company leaves play."""

    fatal: bool = False

    takes = (Settle,)
    follows = True

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        return iter(())

    def early(self, title: Title, state: State, turn: Turn) -> Failure | None:
        return Failure("settle.not_now", {"company": turn.company})

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        play.emit(Marked("settled", "by order"))

    def skipped(self, play: Play, turn: Turn) -> None:
        play.emit(Marked("settled", turn.stage))
        if self.fatal:
            play.emit(CompanyLeft(turn.company, True, "toy"))


@dataclass(frozen=True, slots=True)
class Late(Act):
    """Offered only once the stage before it has been left."""

    takes = (Discard,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        if state.marks.get("settled"):
            yield Exact(Discard(turn.company, ""))  # type: ignore[arg-type]

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        play.emit(Marked("late", turn.stage))


def turns(fatal: bool = False) -> Turns:
    return Turns(
        stages=("early", "owed", "following", "late", END),
        places=(
            Place(Early(), "early", "early"),
            Place(Owed(), "owed", "owed"),
            Place(Following(fatal), "following", "following"),
            Place(Late(), "late", "late"),
            Place(End(), END, END),
        ),
        over=lambda play, turn: None,
        asks={"late": "toy.late"},
    )


def begun(walker: Turns, *marks: str, stage: str = "early") -> Play:
    """A turn of A at this stage, with these marks."""
    title = toy()
    play = held(replace(title, steps={**title.steps, Turn: walker}), A="Ann 60")
    turn = replace(walker.begin(A), stage=stage)
    state = replace(play.state, marks=dict.fromkeys(marks, True), agenda=(*play.state.agenda, turn))
    return Play(play.title, state)


def order(walker: Turns, play: Play, given: Order) -> list[str]:
    """Give an order; the keys of what failed."""
    (ask,) = walker.asked(play.title, play.state, turn_of(play.state))
    walker.decide(play, turn_of(play.state), ask, given)
    return [failure.check for failure in play.failures]


def offered(walker: Turns, play: Play) -> list[str]:
    ask = Ask(ANN, A, "company.turn")
    return [type(choice.order).__name__ for choice in walker.menu(play.title, play.state, turn_of(play.state), ask)]


def test_a_turn_that_goes_on_leaves_the_stages_between() -> None:
    walker = turns()
    play = begun(walker, "ran")
    assert order(walker, play, Discard(A, "")) == []  # type: ignore[arg-type]
    assert turn_of(play.state).stage == "late" and play.state.marks["late"] == "late"
    assert play.state.marks["settled"] == "late"  # the turn had gone on when it followed


def test_what_is_over_is_refused_and_says_which_stage_it_belonged_to() -> None:
    walker = turns()
    play = begun(walker, "ran", stage="late")
    assert order(walker, play, Redeem(A, 1)) == ["turn.step_over"]
    assert play.failures[0].facts == {"step": "early", "now": "late"}
    assert not play.events


@pytest.mark.parametrize("given", [Discard(A, ""), Done(A)], ids=["late", "done"])  # type: ignore[arg-type]
def test_what_is_due_holds_the_turn_up_and_alone_is_told(given: Order) -> None:
    walker = turns()
    play = begun(walker)
    assert order(walker, play, given) == ["turn.run_first"] and not play.events


def test_an_act_that_cannot_be_reached_by_going_on_says_so() -> None:
    walker = turns()
    assert order(walker, begun(walker, "ran"), Settle(A)) == ["settle.not_now"]
    play = begun(walker, "ran", stage="following")
    assert order(walker, play, Settle(A)) == [] and play.state.marks["settled"] == "by order"


def test_an_order_that_the_turn_does_not_know_is_of_the_wrong_kind() -> None:
    walker = replace(turns(), places=turns().places[1:])
    assert order(walker, begun(walker), Redeem(A, 1)) == ["order.wrong_kind"]


def test_a_company_that_leaves_play_on_the_way_lets_the_order_lapse_but_not_its_end() -> None:
    walker = turns(fatal=True)
    play = begun(walker, "ran")
    assert order(walker, play, Discard(A, "")) == []  # type: ignore[arg-type]
    assert [e.order for e in play.events if isinstance(e, Lapsed)] == [Discard(A, "")]  # type: ignore[arg-type]
    assert "late" not in play.state.marks
    play = begun(walker, "ran")
    assert order(walker, play, Done(A)) == [] and not any(isinstance(e, Lapsed) for e in play.events)


def test_the_menu_ends_where_something_is_due() -> None:
    walker = turns()
    assert offered(walker, begun(walker)) == ["Redeem", "Run"]


def test_later_acts_are_offered_as_they_will_be_and_nothing_moves() -> None:
    walker = turns()
    play = begun(walker, "ran")
    assert offered(walker, play) == ["Redeem", "Run", "Discard", "Done"]
    assert "settled" not in play.state.marks and not play.events


def test_a_company_that_would_leave_play_is_offered_its_end_alone_beyond() -> None:
    walker = turns(fatal=True)
    assert offered(walker, begun(walker, "ran")) == ["Redeem", "Run", "Done"]


def test_notes_are_kept_until_the_turn_ends_and_begin_as_their_type_says() -> None:
    walker = turns()
    play = begun(walker)
    assert turn_of(play.state).note(Counted) == Counted(0) and walker.notes == (Counted,)
    order(walker, play, Redeem(A, 1))
    order(walker, play, Redeem(A, 1))
    assert turn_of(play.state).notes == (Counted(2),)
    assert walker.cost(play.title, play.state, turn_of(play.state), Redeem(A, 1)) == 9
    assert walker.cost(play.title, play.state, turn_of(play.state), Redeem(B, 1)) is None


def test_a_stage_may_have_a_question_of_its_own() -> None:
    walker = turns()
    asked = [walker.asked(toy(), play.state, turn_of(play.state))[0].what for play in (
        begun(walker), begun(walker, stage="late"))]  # fmt: skip
    assert asked == ["company.turn", "toy.late"]


def test_nobody_is_asked_for_a_company_that_is_done_or_frozen() -> None:
    walker = turns()
    play = begun(walker, "ran")
    order(walker, play, Done(A))
    assert turn_of(play.state).ended and walker.asked(play.title, play.state, turn_of(play.state)) == ()
    frozen = held(begun(walker).title, A="Pool 100")
    assert walker.asked(frozen.title, frozen.state, walker.begin(A)) == ()


@dataclass(frozen=True, slots=True)
class Helping(Act):
    """B, and whoever acts for the company, may sell as long as the company has a mark."""

    takes = (Sell,)
    helped = True

    def concerns(self, title: Title, state: State, turn: Turn, order: Order) -> bool:
        return "poor" in state.marks

    def helpers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> tuple[Actor, ...]:
        return (B, player) if "poor" in state.marks else ()

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for seller in (turn.company, *self.helpers(title, state, turn, player)):
            yield Exact(Sell(seller, B, 1))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        play.emit(Marked("helped", str(order.actor)))


@dataclass(frozen=True, slots=True)
class OthersAlone(Helping):
    """B alone may sell, and must."""

    def helpers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> tuple[Actor, ...]:
        return (B,) if "poor" in state.marks else ()

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        return (Exact(Sell(seller, B, 1)) for seller in self.helpers(title, state, turn, player))

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        return Failure("train.must_own", {"company": turn.company}) if "poor" in state.marks else None


@dataclass(frozen=True, slots=True)
class Selling(Act):
    """The company sells for itself."""

    takes = (Sell,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        yield Exact(Sell(turn.company, B, 2))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        play.emit(Marked("sold", str(order.actor)))


def with_help() -> Turns:
    walker = turns()
    places = (*walker.places[:3], Place(Helping(), "late", "late"), Place(Selling(), "late", END), walker.places[-1])
    return replace(walker, places=places)


def asked_of(walker: Turns, play: Play) -> list[str]:
    return [str(ask.actor) for ask in walker.asked(play.title, play.state, turn_of(play.state))]


def test_others_are_asked_beside_the_company_while_they_can_help() -> None:
    walker = with_help()
    assert asked_of(walker, begun(walker, "ran", "poor")) == ["A", "B", "Ann"]
    assert asked_of(walker, begun(walker, "ran")) == ["A"]
    assert asked_of(walker, begun(walker, "poor")) == ["A"]  # something is due before the turn comes to it
    assert asked_of(walker, begun(walker, "ran", "poor", stage=END)) == ["A"]


def test_a_company_that_can_do_nothing_until_others_help_is_not_asked() -> None:
    walker = with_help()
    held_up = replace(walker, places=(walker.places[0], Place(OthersAlone(), "late", "late"), walker.places[-1]))
    assert asked_of(held_up, begun(held_up, "ran", "poor", stage="late")) == ["B"]
    assert asked_of(held_up, begun(held_up, "ran", stage="late")) == ["A"]


def test_each_helper_has_a_menu_of_his_own_orders() -> None:
    walker = with_help()
    play = begun(walker, "ran", "poor", stage="late")
    menus = {
        str(ask.actor): [choice.order for choice in walker.menu(play.title, play.state, turn_of(play.state), ask)]
        for ask in walker.asked(play.title, play.state, turn_of(play.state))
    }
    assert menus == {
        "A": [Sell(A, B, 1), Sell(A, B, 2), Done(A)],
        "B": [Sell(B, B, 1)],
        "Ann": [Sell(ANN, B, 1)],
    }


def test_a_helper_gives_the_orders_of_the_act_he_helps_with_and_no_others() -> None:
    walker = with_help()
    play = begun(walker, "ran", "poor")
    helper = walker.asked(play.title, play.state, turn_of(play.state))[1]
    walker.decide(play, turn_of(play.state), helper, Redeem(B, 1))
    assert [failure.check for failure in play.failures] == ["order.wrong_kind"]
    play = begun(walker, "ran", "poor")
    walker.decide(play, turn_of(play.state), helper, Sell(B, B, 1))
    assert not play.failures and play.state.marks["helped"] == "B" and turn_of(play.state).stage == "late"


def test_an_order_of_a_kind_that_several_acts_take_goes_to_the_first_that_it_concerns() -> None:
    walker = with_help()
    for marks, done in ((("ran", "poor"), "helped"), (("ran",), "sold")):
        play = begun(walker, *marks)
        ask = walker.asked(play.title, play.state, turn_of(play.state))[0]
        walker.decide(play, turn_of(play.state), ask, Sell(A, B, 1))
        assert play.state.marks[done] == "A"
    play = begun(walker, "ran", "poor", stage=END)
    ask = walker.asked(play.title, play.state, turn_of(play.state))[0]
    walker.decide(play, turn_of(play.state), ask, Sell(A, B, 1))
    assert play.state.marks["sold"] == "A"  # the other is over


def test_an_order_whose_acts_are_all_over_is_too_late_for_the_last_of_them() -> None:
    walker = with_help()
    places = (
        Place(Helping(), "early", "early"),
        Place(Selling(), "owed", "owed"),
        *walker.places[2:3],
        walker.places[-1],
    )
    walker = replace(walker, places=places)
    play = begun(walker, stage="late")
    assert order(walker, play, Sell(A, B, 1)) == ["turn.step_over"]
    assert play.failures[0].facts == {"step": "owed", "now": "late"}
