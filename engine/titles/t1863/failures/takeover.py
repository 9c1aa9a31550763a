"""Takeovers of companies by the LPTB: their assets, debts, shares and markers."""

from __future__ import annotations

from dataclasses import replace

from engine.core.events import Nationalised
from engine.core.ids import BANK, CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.automatic import NobodyAsked
from engine.titles.t1863.failures.failure import (
    COMPANIES,
    DEBTS,
    PAYMENT,
    Taking,
    leave,
    paid_shares,
    remove_privates,
    remove_trains,
    sell_holdings,
    share_out,
    subsidiaries,
)
from engine.titles.t1863.failures.lptb import replace_markers, take_over
from engine.titles.t1863.money.crisis import pay_debts
from engine.titles.t1863.money.player_debt import owe
from engine.titles.t1863.money.value import value_of
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.shares import share_count, shorters, shorts_of


def half_value(title: Title, state: State, company: CompanyId, value: int) -> int:
    """The part of half the value for each share: a tenth, or a half for a minor."""  # rule 10.2
    return max(0, value // 2) // share_count(title, state, company)


def within_cash(title: Title, state: State, company: CompanyId, price: int) -> int:
    """The price of a share, limited to the company's cash divided by its paid shares."""  # rule 10.2, 12.52
    number, cash = paid_shares(title, state, company), state.money(company)
    return min(price, cash // number) if number else 0


class TakingStep(NobodyAsked):
    """Takes a company stage by stage. During this, its president may have to pay, and its subsidiaries are taken
    first."""

    # rule 10.2, 10.3, 10.6, 10.10

    def advance(self, play: Play, frame: Taking) -> None:
        company = frame.company
        match frame.stage:
            case "shares":
                play.become(replace(frame, stage=COMPANIES))
                sell_holdings(play, company)
            case "companies":
                self._companies(play, frame)
            case "debts":
                play.become(replace(frame, stage=PAYMENT, value=value_of(play.title, play.state, company)))
                pay_debts(play, company)
            case _:
                play.pop()
                _finish(play, frame)

    def _companies(self, play: Play, frame: Taking) -> None:
        """Take each company that nobody else can take over in the same way first."""  # rule 12.65
        held = next(iter(subsidiaries(play.title, play.state, frame.company)), None)
        if held is not None:
            take_over(play, held, frame.way)
        else:
            play.become(replace(frame, stage=DEBTS))


def _finish(play: Play, frame: Taking) -> None:
    """Pay the shares as far as the cash allows, and remove everything that the company has."""
    title, company = play.title, frame.company
    bought = frame.way == "bought"
    full = title.price(play.state, company) if bought else half_value(title, play.state, company, frame.value)
    price = within_cash(title, play.state, company, full)
    charged = bought and rulings_of(title).purchase_shorts == "paid"  # rule 12.22, 10.7
    owing = [(p, price * shorts_of(play.state, p, company)) for p in shorters(play.state, company) if charged]
    play.emit(Nationalised(company, price))
    share_out(play, company, price)
    remove_trains(play, company)
    remove_privates(play, company)
    replace_markers(play, company)
    leave(play, company, "taken", closed=True)  # rule 12.46
    for player, amount in reversed(owing):
        owe(play, player, amount, BANK, "short", company)
