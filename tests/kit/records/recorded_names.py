"""How 18xx.games spells our names."""

from __future__ import annotations

import engine


def site_names(title: engine.Title) -> dict[str, str]:
    """Our names of companies -> the site's, which leaves out the hyphen where that is a synonym."""
    return {c.id: plain if (plain := c.id.replace("-", "")) in c.synonyms else c.id for c in title.companies.values()}


def site_private(private: str) -> str:
    """Our name of a private -> the site's: a concession is called as the company that it is for."""
    return private.removeprefix("C-")
