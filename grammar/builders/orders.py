"""Build an order from the parse tree, with one method for each rule of the grammar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lark import Token

from engine.core import orders as o
from engine.core.ids import POOL, CompanyId, HexId, PlayerId, PrivateId, TileId, TrainName
from grammar import parts as read
from grammar.builders.mergers import MergerBuilder
from grammar.builders.programs import ProgramBuilder
from grammar.builders.words import WordBuilder
from grammar.vocabulary import Vocabulary


class ExitsError(Exception):
    """The exits in a ``lay`` fit no rotation of the tile (``turns`` is empty), or several that look different."""

    def __init__(self, tile: str, tokens: Sequence[Token], turns: tuple[int, ...]) -> None:
        super().__init__(tile)
        self.tile, self.tokens, self.turns = tile, tuple(tokens), turns


@dataclass(frozen=True, slots=True)
class _Exits:
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class _Doubles:
    """The number of double certificates in a sale; None if all are double, so that the order counts certificates."""

    count: int | None


@dataclass(frozen=True, slots=True)
class _Good:
    """A part of a float besides its price: a train, private or shares given as capital, cash, or the number of
    tokens."""

    kind: str
    name: str = ""
    number: int = 0


class Builder(MergerBuilder, ProgramBuilder, WordBuilder):
    """Builds the orders of one actor. The tokens in the parse tree hold canonical names."""

    def __init__(self, vocabulary: Vocabulary, actor: str) -> None:
        super().__init__(visit_tokens=False)
        self.vocabulary = vocabulary
        self.player = PlayerId(actor)
        self.company = CompanyId(actor)
        self.actor = self.company if actor in vocabulary.companies else self.player

    # ---- auctions and stock turns

    def open_(self, parts: list[Any]) -> o.Open:
        return o.Open(self.player, read.item(parts), read.number(parts), next(iter(read.of(parts, o.Space)), None))

    def bid(self, parts: list[Any]) -> o.Bid:
        return o.Bid(self.player, read.amount(parts), read.item(parts))

    def drop(self, parts: list[Any]) -> o.Drop:
        return o.Drop(self.player, read.item(parts))

    def step(self, parts: list[Any]) -> tuple[str, int]:
        return ("step", read.amount(parts))

    def limit(self, parts: list[Any]) -> o.Limit:
        steps = [part[1] for part in parts if isinstance(part, tuple)]
        return o.Limit(self.player, read.amount(parts), read.item(parts), *steps)

    def pass_(self, parts: list[Any]) -> o.Pass:
        return o.Pass(self.player)

    def offer(self, parts: list[Any]) -> tuple[PrivateId, int]:
        return (read.private(parts), read.amount(parts))

    def sealed(self, parts: list[Any]) -> o.SealedBids:
        return o.SealedBids(self.player, tuple(read.of(parts, tuple)))

    def lot(self, parts: list[Any]) -> tuple[CompanyId, int]:
        return (read.company(parts), read.amount(parts))

    def sell_group(self, parts: list[Any]) -> o.SellGroup:
        return o.SellGroup(self.player, tuple(read.of(parts, tuple)))

    def sell(self, parts: list[Any]) -> o.Sell:
        doubles = next(iter(read.of(parts, _Doubles)), None)
        if doubles is None:
            return o.Sell(self.player, read.company(parts), read.amount(parts))
        if doubles.count is None:
            return o.Sell(self.player, read.company(parts), 2 * read.amount(parts), read.amount(parts))
        return o.Sell(self.player, read.company(parts), read.amount(parts), doubles.count)

    def with_doubles(self, parts: list[Any]) -> _Doubles:
        return _Doubles(read.amount(parts))

    def in_doubles(self, parts: list[Any]) -> _Doubles:
        return _Doubles(None)

    def buy(self, parts: list[Any]) -> o.Buy:
        source: Any = "pool" if read.word(parts, "A_POOL") is not None else read.said(parts, "treasury", "ipo")
        certificate: Any = read.said(parts, "director", "double")
        return o.Buy(self.player, read.company(parts), source, certificate)

    def buy_from(self, parts: list[Any]) -> o.BuyFrom:
        *count, price = read.numbers(parts)
        seller = PlayerId(read.word(parts, "A_PLAYER") or "")
        return o.BuyFrom(self.player, read.company(parts), count[0] if count else 1, seller, price)

    def buy_concession(self, parts: list[Any]) -> o.BuyConcession:
        return o.BuyConcession(self.player, read.private(parts), read.number(parts))

    def treasury(self, parts: list[Any]) -> str:
        return "treasury"

    def ipo(self, parts: list[Any]) -> str:
        return "ipo"

    def director(self, parts: list[Any]) -> str:
        return "director"

    def double(self, parts: list[Any]) -> str:
        return "double"

    def buy_mountain(self, parts: list[Any]) -> o.BuyMountain:
        said = read.word(parts, "A_PANEL")
        panel = next(panel for panel in self.vocabulary.panels if self.vocabulary.incomes(panel) == said)
        return o.BuyMountain(
            self.player,
            PrivateId(read.word(parts, "A_MOUNTAIN") or ""),
            HexId(read.word(parts, "A_HEX") or ""),
            TileId(panel),
        )

    def buy_tunnel(self, parts: list[Any]) -> o.BuyTunnel:
        return o.BuyTunnel(self.player, PrivateId(str(parts[0])))

    def repay(self, parts: list[Any]) -> o.Repay:
        return o.Repay(self.player, read.amount(parts))

    def use(self, parts: list[Any]) -> o.UsePrivate:
        company = read.word(parts, "A_COMPANY")
        private = PrivateId(read.word(parts, "A_PRIVATE") or "")
        hexes = tuple(HexId(hex) for hex in read.words(parts, "A_HEX"))
        return o.UsePrivate(self.player, private, None if company is None else CompanyId(company), hexes)

    def keep_private(self, parts: list[Any]) -> o.KeepPrivate:
        return o.KeepPrivate(self.player, read.private(parts), True)

    def return_private(self, parts: list[Any]) -> o.KeepPrivate:
        return o.KeepPrivate(self.player, read.private(parts), False)

    def offer_private(self, parts: list[Any]) -> o.OfferPrivate:
        return o.OfferPrivate(self.player, read.private(parts), read.amount(parts))

    def pay_player(self, parts: list[Any]) -> o.PayPlayer:
        return o.PayPlayer(self.player, PlayerId(read.word(parts, "A_PLAYER") or ""), read.amount(parts))

    def short(self, parts: list[Any]) -> o.Short:
        return o.Short(self.player, read.company(parts))

    def transfer(self, parts: list[Any]) -> o.Transfer:
        company, source, *target = read.companies(parts)
        player = read.word(parts, "A_PLAYER")
        to = target[0] if player is None else PlayerId(player)
        return o.Transfer(self.player, company, read.amount(parts), source, to)

    def float_(self, parts: list[Any]) -> o.Float:
        kind: Any = read.said(parts, "minor", "major")
        goods = read.of(parts, _Good)
        cash = [good.number for good in goods if good.kind == "cash"]
        return o.Float(
            self.player, read.company(parts), kind, read.amount(parts),
            next((good.number for good in goods if good.kind == "markers"), 1),
            tuple(TrainName(good.name) for good in goods if good.kind == "train"),
            tuple(PrivateId(good.name) for good in goods if good.kind == "private"),
            tuple((CompanyId(good.name), good.number) for good in goods if good.kind == "shares"),
            cash[0] if cash else None,
        )  # fmt: skip

    def minor(self, parts: list[Any]) -> str:
        return "minor"

    def major(self, parts: list[Any]) -> str:
        return "major"

    def count(self, parts: list[Any]) -> _Good:
        return _Good("markers", number=read.amount(parts))

    def good_train(self, parts: list[Any]) -> _Good:
        return _Good("train", read.word(parts, "A_TRAIN") or "")

    def good_private(self, parts: list[Any]) -> _Good:
        return _Good("private", read.private(parts))

    def good_shares(self, parts: list[Any]) -> _Good:
        return _Good("shares", read.company(parts), read.amount(parts))

    def good_cash(self, parts: list[Any]) -> _Good:
        return _Good("cash", number=read.amount(parts))

    def begin(self, parts: list[Any]) -> o.Start:
        return o.Start(self.player, read.company(parts), read.amount(parts), next(iter(read.of(parts, o.Space)), None))

    def take(self, parts: list[Any]) -> o.Take:
        company = read.word(parts, "A_COMPANY")
        return o.Take(self.player, read.amount(parts), None if company is None else CompanyId(company))

    def space(self, parts: list[Any]) -> o.Space:
        point, company = read.word(parts, "A_POINT"), read.word(parts, "A_COMPANY")
        return o.Space(
            HexId(read.word(parts, "A_HEX") or ""),
            None if point is None else self.vocabulary.edges.index(point),
            None if company is None else CompanyId(company),
            read.number(parts),
        )

    # ---- a company's turn

    def exits(self, parts: list[Any]) -> _Exits:
        return _Exits(tuple(part for part in parts if isinstance(part, Token)))

    def lay(self, parts: list[Any]) -> o.Lay:
        tile, turn, point = read.word(parts, "A_TILE") or "", read.word(parts, "A_TURN"), read.word(parts, "A_POINT")
        if turn is not None:
            rotation = int(turn)
        elif point is not None:
            rotation = self.vocabulary.edges.index(point)
        else:
            rotation = self._turn_to(tile, read.of(parts, _Exits)[0])
        using = read.word(parts, "A_PRIVATE")
        return o.Lay(
            self.company, TileId(tile), HexId(read.word(parts, "A_HEX") or ""), rotation,
            None if using is None else PrivateId(using),
        )  # fmt: skip

    def _turn_to(self, tile: str, exits: _Exits) -> int:
        """The rotation that brings the tile's track to exactly these exits; the smallest of those that look alike.
        ``ExitsError`` if there is none, or if several look different."""
        names, count = self.vocabulary.edges, len(self.vocabulary.edges)
        wanted = {names.index(str(token)) for token in exits.tokens}
        listed = self.vocabulary.tiles[tile]
        turns = tuple(r for r in range(count) if {(edge + r) % count for edge in listed} == wanted)
        alike = self.vocabulary.turns.get(tile, count)
        different = tuple(sorted({turn % alike for turn in turns}))
        if len(different) != 1:
            raise ExitsError(tile, exits.tokens, different)
        return different[0]

    def tunnel(self, parts: list[Any]) -> o.Tunnel:
        low, high = sorted(self.vocabulary.edges.index(str(part)) for part in parts if part.type == "A_POINT")
        certificate = read.word(parts, "A_TUNNEL")
        return o.Tunnel(
            self.company, HexId(read.word(parts, "A_HEX") or ""), (low, high),
            None if certificate is None else PrivateId(certificate),
        )  # fmt: skip

    def token(self, parts: list[Any]) -> o.Token:
        return o.Token(self.company, parts[0])

    def tokens(self, parts: list[Any]) -> o.Tokens:
        return o.Tokens(self.company, read.amount(parts))

    def buy_token(self, parts: list[Any]) -> o.BuyToken:
        return o.BuyToken(self.company, read.of(parts, o.Space)[0], read.company(parts), read.amount(parts))

    def route(self, parts: list[Any]) -> o.Route:
        return o.Route(TrainName(str(parts[0])), tuple(HexId(str(part)) for part in parts[1:]))

    def run(self, parts: list[Any]) -> o.Run:
        return o.Run(self.company, tuple(parts))

    def run_best(self, parts: list[Any]) -> o.RunBest:
        return o.RunBest(self.company)

    def run_none(self, parts: list[Any]) -> o.Run:
        return o.Run(self.company, ())

    def pay_full(self, parts: list[Any]) -> o.Pay:
        return o.Pay(self.company, "full")

    def pay_half(self, parts: list[Any]) -> o.Pay:
        return o.Pay(self.company, "half")

    def pay_none(self, parts: list[Any]) -> o.Pay:
        return o.Pay(self.company, "none")

    def settle(self, parts: list[Any]) -> o.Settle:
        return o.Settle(self.company)

    def train(self, parts: list[Any]) -> o.Train:
        source = POOL if read.word(parts, "A_POOL") is not None else read.word(parts, "A_COMPANY")
        name, *traded = (TrainName(each) for each in read.words(parts, "A_TRAIN"))
        other = next(iter(read.of(parts, o.Train)), None)
        return o.Train(self.company, name, source, read.number(parts), other, next(iter(traded), None))

    otherwise = train

    def buy_private(self, parts: list[Any]) -> o.BuyPrivate:
        return o.BuyPrivate(self.company, read.private(parts), read.amount(parts))

    def bankrupt(self, parts: list[Any]) -> o.Bankrupt:
        way: Any = read.said(parts, "resign", "loan")
        return o.Bankrupt(self.company, way)

    def resign(self, parts: list[Any]) -> str:
        return "resign"

    def loan(self, parts: list[Any]) -> str:
        return "loan"

    def redeem(self, parts: list[Any]) -> o.Redeem:
        return o.Redeem(self.company, read.amount(parts))

    def done(self, parts: list[Any]) -> o.Done:
        return o.Done(self.company)

    def discard(self, parts: list[Any]) -> o.Discard:
        return o.Discard(self.company, TrainName(str(parts[0])))

    def yes(self, parts: list[Any]) -> bool:
        return True

    def no(self, parts: list[Any]) -> bool:
        return False

    def nationalise(self, parts: list[Any]) -> o.Nationalise:
        return o.Nationalise(self.company, parts[0])

    def announce(self, parts: list[Any]) -> o.Announce:
        return o.Announce(self.player, read.company(parts), tuple(read.of(parts, o.Route)))
