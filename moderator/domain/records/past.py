"""The tags of a record for the past of its game as it was told to the players: the versions of the rules, the digest of
each position, and adopted positions, which count as they were told although the present rules lead elsewhere."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

RULES: Final = "Rules"
DIGESTS: Final = "Digests"
ADOPTED: Final = "Adopted."
_SHORT: Final = 8
"""The number of hexadecimal digits kept of each digest. The probability of missing a departure is 1 in 4 thousand
million."""
_NONE: Final = "-"
_HEX: Final = re.compile(r"[0-9a-f]+")
_STRETCH: Final = re.compile(r"(\d{1,6})(?: after order (\d{1,6}))?")


@dataclass(frozen=True, slots=True)
class Past:
    """The past of a game as it was told to the players. ``rules``: for each stretch of orders, the number of orders
    before it and the version of the rules. ``digests``: number of an order -> the first digits of the digest, in the
    form ``form``, of the position after it; only known digests are listed. ``adopted``: number of orders -> the adopted
    position after them."""

    rules: tuple[tuple[int, int], ...] = ()
    form: str = ""
    digests: Mapping[int, str] = field(default_factory=dict)
    adopted: Mapping[int, bytes] = field(default_factory=dict)

    def version_at(self, number: int) -> int | None:
        """The version of the rules by which order ``number`` was played; None if it is not known."""
        return next((version for after, version in reversed(self.rules) if after < number), None)

    def agrees(self, number: int, digest: str) -> bool:
        """True if ``digest`` does not contradict the record for the position after order ``number``. A digest that was
        not recorded, or is of another form, contradicts nothing."""
        form, _, value = digest.partition(":")
        return form != self.form or self.digests.get(number, value[:_SHORT]) == value[:_SHORT]


def past_of(rules: Iterable[tuple[int, int]], digests: Mapping[int, str], adopted: Mapping[int, bytes]) -> Past:
    """A past with full ``digests`` shortened. Only those of the same form as the last one are kept."""
    form = digests[max(digests)].partition(":")[0] if digests else ""
    short = {n: value[:_SHORT] for n, digest in digests.items() if (value := digest.removeprefix(f"{form}:")) != digest}
    return Past(tuple(rules), form, short, dict(adopted))


def write_past(past: Past, orders: int) -> dict[str, str]:
    """The tags of ``past``, for the record of a game with ``orders`` orders."""
    tags: dict[str, str] = {}
    if past.rules:
        stretches = (f"{version} after order {after}" if after else str(version) for after, version in past.rules)
        tags[RULES] = "; ".join(stretches)
    if past.digests:
        tags[DIGESTS] = f"{past.form}: " + " ".join(past.digests.get(n, _NONE) for n in range(1, orders + 1))
    return tags | {f"{ADOPTED}{n}": base64.b64encode(data).decode() for n, data in sorted(past.adopted.items())}


def read_past(tags: Mapping[str, str]) -> Past:
    """Read the past in ``tags``. The argument of a ``KeyError`` is the name of the tag that cannot be read."""
    rules: list[tuple[int, int]] = []
    for stretch in filter(None, (part.strip() for part in tags.get(RULES, "").split(";"))):
        match = _STRETCH.fullmatch(stretch)
        if match is None or (rules and int(match[2] or 0) <= rules[-1][0]) or (not rules and match[2]):
            raise KeyError(RULES)
        rules.append((int(match[2] or 0), int(match[1])))
    form, _, values = tags.get(DIGESTS, "").partition(":")
    digests = {n: value for n, value in enumerate(values.split(), 1) if value != _NONE}
    if not all(len(value) == _SHORT and _HEX.fullmatch(value) for value in digests.values()):
        raise KeyError(DIGESTS)
    adopted: dict[int, bytes] = {}
    for tag, value in tags.items():
        if tag.startswith(ADOPTED):
            number = tag.removeprefix(ADOPTED)
            try:
                adopted[int(number) if len(number) < 7 else -1] = base64.b64decode(value, validate=True)
            except (ValueError, binascii.Error) as error:
                raise KeyError(tag) from error
    return Past(tuple(rules), form.strip(), digests, adopted)
