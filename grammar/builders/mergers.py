"""Build orders about companies' money, mergers and consent from the parse tree; `orders` builds all others."""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer

from engine.core import orders as o
from engine.core.ids import CompanyId, PlayerId, TrainName
from grammar import parts as read


class MergerBuilder(Transformer[Token, Any]):
    """The part of the builder for money, mergers and consent. ``player`` and ``company`` both hold the name of the
    actor."""

    player: PlayerId
    company: CompanyId

    # ---- money of companies

    def dividend(self, parts: list[Any]) -> o.Dividend:
        return o.Dividend(self.company, read.amount(parts))

    def borrow(self, parts: list[Any]) -> o.Borrow:
        return o.Borrow(self.company, read.amount(parts))

    def repay_loans(self, parts: list[Any]) -> o.RepayLoans:
        return o.RepayLoans(self.company, read.amount(parts))

    def crisis(self, parts: list[Any]) -> o.Crisis:
        return o.Crisis(self.company, parts[0])

    def liquidate(self, parts: list[Any]) -> str:
        return "liquidate"

    def helped(self, parts: list[Any]) -> str:
        return "help"

    def refinance(self, parts: list[Any]) -> o.Refinance:
        return o.Refinance(self.company)

    def keep_trains(self, parts: list[Any]) -> o.KeepTrains:
        return o.KeepTrains(self.company, tuple(TrainName(train) for train in read.words(parts, "A_TRAIN")))

    def half_short(self, parts: list[Any]) -> o.HalfShort:
        return o.HalfShort(self.player, parts[0])

    def kept(self, parts: list[Any]) -> bool:
        return True

    def closed(self, parts: list[Any]) -> bool:
        return False

    # ---- mergers and consent

    def convert(self, parts: list[Any]) -> o.Convert:
        into = read.companies(parts)
        return o.Convert(self.company, into[0] if into else self.company, read.number(parts))

    def merge(self, parts: list[Any]) -> o.Merge:
        *minors, into = read.companies(parts)
        return o.Merge(self.company, tuple(minors), into, tuple(read.of(parts, o.Space)), read.number(parts))

    def exchange(self, parts: list[Any]) -> o.Exchange:
        into: Any = read.said(parts, "director", "share", "cash")
        return o.Exchange(self.player, into)

    def share(self, parts: list[Any]) -> str:
        return "share"

    def cash(self, parts: list[Any]) -> str:
        return "cash"

    def prefer(self, parts: list[Any]) -> o.Prefer:
        return o.Prefer(self.player, read.company(parts))

    def offer_again(self, parts: list[Any]) -> o.OfferAgain:
        return o.OfferAgain(self.company, parts[0])

    def keep(self, parts: list[Any]) -> o.Keep:
        return o.Keep(self.company, tuple(parts))

    def decline(self, parts: list[Any]) -> o.Decline:
        return o.Decline(self.company)

    def train_sale(self, parts: list[Any]) -> o.TrainSale:
        return o.TrainSale(TrainName(read.word(parts, "A_TRAIN") or ""), read.company(parts), read.amount(parts))

    def private_sale(self, parts: list[Any]) -> o.PrivateSale:
        player = read.word(parts, "A_PLAYER")
        return o.PrivateSale(
            read.private(parts), read.company(parts) if player is None else PlayerId(player), read.amount(parts)
        )

    def share_sale(self, parts: list[Any]) -> o.ShareSale:
        count, price = read.numbers(parts)
        return o.ShareSale(read.company(parts), count, PlayerId(read.word(parts, "A_PLAYER") or ""), price)

    def token_sale(self, parts: list[Any]) -> o.TokenSale:
        return o.TokenSale(read.of(parts, o.Space)[0], read.company(parts), read.amount(parts))

    def merger(self, parts: list[Any]) -> o.Merger:
        *minors, into = read.companies(parts)
        return o.Merger(tuple(minors), into)

    def agree(self, parts: list[Any]) -> o.Agree:
        return o.Agree(self.player, parts[0] if parts else None)

    def refuse(self, parts: list[Any]) -> o.Refuse:
        return o.Refuse(self.player, parts[0] if parts else None)
