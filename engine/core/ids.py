"""Names of things. All are strings as printed in the game, so that positions are easy to read and to serialise.

In one game, a player's name differs from every name of the title. Therefore one map can hold the money of both players
and companies, and the ``actor`` of an order is unambiguous.
"""

from __future__ import annotations

from typing import Final, NewType, TypeAlias

PlayerId = NewType("PlayerId", str)
CompanyId = NewType("CompanyId", str)
PrivateId = NewType("PrivateId", str)
HexId = NewType("HexId", str)
TileId = NewType("TileId", str)
TrainName = NewType("TrainName", str)
PhaseName = NewType("PhaseName", str)

Actor: TypeAlias = PlayerId | CompanyId
"""A player who acts for himself, or a company that acts through whoever controls it now."""

BANK: Final = "Bank"
"""The owner of all money that nobody else has, and the source of new trains and shares."""
POOL: Final = "Pool"
"""The bank pool: shares sold by players, trains discarded by companies."""
TREASURY: Final = "Treasury"
"""The place of a company's own unsold or redeemed shares."""
IPO: Final = "IPO"
"""The place of new shares that the bank sells, in titles where companies do not hold their own."""

Owner: TypeAlias = str
"""Anything that may hold money: a player, a company or ``BANK``."""
Place: TypeAlias = str
"""A place where a certificate may be: a player, a company (shares of others), ``POOL``, ``TREASURY`` or ``IPO``; a
title may add places of its own."""

Cell: TypeAlias = tuple[int, int]
"""A space of the share price chart: row and column, counted from 0; row 0 is the top row."""
