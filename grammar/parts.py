"""Parts of an order that a rule of the grammar has read, by their kinds: tokens with canonical names, and values."""

from __future__ import annotations

from typing import Any

from lark import Token

from engine.core.ids import CompanyId, PrivateId


def word(parts: list[Any], kind: str) -> str | None:
    """The first token of the terminal ``kind``."""
    return next((str(part) for part in parts if isinstance(part, Token) and part.type == kind), None)


def words(parts: list[Any], kind: str) -> list[str]:
    """All tokens of the terminal ``kind`` in their sequence."""
    return [str(part) for part in parts if isinstance(part, Token) and part.type == kind]


def said(parts: list[Any], *words: str) -> str | None:
    """The first of ``words`` that is among the parts."""
    return next((each for each in words if each in parts), None)


def of(parts: list[Any], kind: type[Any]) -> list[Any]:
    """All values of a type."""
    return [part for part in parts if isinstance(part, kind)]


def numbers(parts: list[Any]) -> list[int]:
    """All numbers in their sequence."""
    return [int(part) for part in parts if isinstance(part, Token) and part.type == "A_NUMBER"]


def number(parts: list[Any]) -> int | None:
    """The first number."""
    found = numbers(parts)
    return found[0] if found else None


def amount(parts: list[Any]) -> int:
    """The first number, if the grammar requires one."""
    return numbers(parts)[0]


def private(parts: list[Any]) -> PrivateId:
    """The private or concession that is named; ``""`` if there is none."""
    return PrivateId(word(parts, "A_PRIVATE") or word(parts, "A_CONCESSION") or "")


def item(parts: list[Any]) -> PrivateId | CompanyId | None:
    """The thing that is bid on."""
    named = word(parts, "A_COMPANY")
    return private(parts) or None if named is None else CompanyId(named)


def companies(parts: list[Any]) -> list[CompanyId]:
    """All companies in their sequence."""
    return [CompanyId(str(part)) for part in parts if isinstance(part, Token) and part.type == "A_COMPANY"]


def company(parts: list[Any]) -> CompanyId:
    """The first company, if the grammar requires one."""
    return companies(parts)[0]
