"""Names of things. All are strings as printed in the game, so that states read well and serialise as they are.

In one game a player's name differs from every name of the title; therefore one map can hold the money of
players and companies alike, and an order's ``actor`` is unambiguous.
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
"""Owner of all money that nobody else has, and source of new trains and shares."""
POOL: Final = "Pool"
"""The bank pool: shares sold by players, trains discarded by companies."""
TREASURY: Final = "Treasury"
"""Place of a company's own unsold or redeemed shares."""
IPO: Final = "IPO"
"""Place of new shares that the bank sells, where companies do not hold their own."""

Owner: TypeAlias = str
"""A player, a company or ``BANK``: whatever may hold money."""
Place: TypeAlias = str
"""Where a certificate may be: a player, a company (shares of others), ``POOL`` or ``TREASURY``;
a title may add places of its own."""

Cell: TypeAlias = tuple[int, int]
"""A space of the share price chart: row and column counted from 0, row 0 on top."""
