"""Pick parts of an order by kind: tokens with canonical names, and values built by other rules of the grammar."""

from __future__ import annotations

from typing import Any

from lark import Token

from engine.core.ids import CompanyId, PrivateId


def word(parts: list[Any], kind: str) -> str | None:
    """The first token of the terminal ``kind``; None if there is none."""
    return next((str(part) for part in parts if isinstance(part, Token) and part.type == kind), None)


def words(parts: list[Any], kind: str) -> list[str]:
    """All tokens of the terminal ``kind``, in order."""
    return [str(part) for part in parts if isinstance(part, Token) and part.type == kind]


def said(parts: list[Any], *words: str) -> str | None:
    """The first of ``words`` that is among the parts; None if none is."""
    return next((each for each in words if each in parts), None)


def of(parts: list[Any], kind: type[Any]) -> list[Any]:
    """All values of the type ``kind``, in order."""
    return [part for part in parts if isinstance(part, kind)]


def numbers(parts: list[Any]) -> list[int]:
    """All numbers, in order."""
    return [int(part) for part in parts if isinstance(part, Token) and part.type == "A_NUMBER"]


def number(parts: list[Any]) -> int | None:
    """The first number; None if there is none."""
    found = numbers(parts)
    return found[0] if found else None


def amount(parts: list[Any]) -> int:
    """The first number. ``IndexError`` if there is none: only for rules of the grammar that require a number."""
    return numbers(parts)[0]


def private(parts: list[Any]) -> PrivateId:
    """The private or concession that is named; ``""`` if none is."""
    return PrivateId(word(parts, "A_PRIVATE") or word(parts, "A_CONCESSION") or "")


def item(parts: list[Any]) -> PrivateId | CompanyId | None:
    """The lot that is named: a private, a concession or a company; None if none is."""
    named = word(parts, "A_COMPANY")
    return private(parts) or None if named is None else CompanyId(named)


def companies(parts: list[Any]) -> list[CompanyId]:
    """All companies, in order."""
    return [CompanyId(str(part)) for part in parts if isinstance(part, Token) and part.type == "A_COMPANY"]


def company(parts: list[Any]) -> CompanyId:
    """The first company. ``IndexError`` if there is none: only for rules of the grammar that require a company."""
    return companies(parts)[0]


def everywhere(parts: list[Any]) -> str:
    """``everywhere`` if that word is among the parts; empty if it is not."""
    return next((word for part in parts if (word := str(part).lower()) == "everywhere"), "")
