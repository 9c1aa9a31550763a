"""Attempts with the words of people without a seat, and with those that a seat has for its player alone.

A stranger writes them in a player's name, or answers the question that a player was asked. One mail may follow: the
question whether it was his, to the player himself.
"""

from __future__ import annotations

from tests.kit.spoofing.attempts import ANN, BOB, CAT, EVIL, GUS, HAL, IVY, OWN, Draft, Forger, kind
from tests.kit.spoofing.evidence_rows import claimed
from tests.kit.spoofing.seats import as_somebody


def plain(f: Forger) -> str:
    """A word that needs no secret address."""
    game = f.known.forming
    return f.pick(
        f"join {game} as Evil", f"join {game} as Gus prefer first", f"join {game} as Hal prefer seat 2", "wait 1861",
        "wait", f"observe {f.known.game}", f"leave {game}", "leave waiting list", f"start {game}", "games", "help",
    )  # fmt: skip


def of_the_seat(f: Forger) -> str:
    """A word for the seat's player that asks for proof or consent, or that the table votes on."""
    days = f"2027-01-0{f.random.randrange(1, 9)}"
    return f.pick(
        "resign", "resign\nyes", f"away everywhere {days}", "back everywhere", "pictures off", "pictures on",
        "propose option anonymous off", "propose option late default", f"partial\n{f.orders()}\nresign",
    )  # fmt: skip


@kind()
def plain_words_in_a_players_name(f: Forger) -> Draft:
    return Draft(plain(f), OWN, f.pick(ANN, BOB, GUS, HAL, IVY, f"Gus <{GUS}>"), checked=f.random.random() < 0.8)


@kind()
def plain_words_to_a_secret_address(f: Forger) -> Draft:
    """Those who have a seat write them there in vain, whoever sends them."""
    return Draft(plain(f), f.pick(f.known.now, f.known.old, f.known.given_now), f.pick(ANN, HAL, EVIL), found="fail")


@kind(needs="join question")
def an_answer_to_the_question_of_another(f: Forger) -> Draft:
    """Hal was asked whether he joins, and his answer leaked."""
    text = f.pick("yes", "yes\n", f"yes, prefer first {f.mark}", "no", plain(f))
    if f.random.random() < 0.5:
        return as_somebody(f, Draft(text, f.known.confirm, f.pick(BOB, CAT, GUS)))
    return Draft(text, f.known.confirm, f.pick(HAL, f"Hal <{HAL}>", EVIL), found="fail")


@kind(needs="join question")
def an_answer_to_a_guessed_question(f: Forger) -> Draft:
    local, _, domain = f.known.confirm.partition("@")
    guessed = f"{local.rpartition('.')[0]}.{f.token()}@{domain}"
    return Draft(f.pick("yes", "no"), guessed, f.pick(HAL, EVIL, ANN))


@kind()
def seat_words_of_a_stranger(f: Forger) -> Draft:
    to = f.pick(f.known.now, f.known.old, f.known.revoked, f.known.given, OWN)
    return Draft(f.pick(of_the_seat(f), f.fence(f.known.now, of_the_seat(f))), to, f.pick(EVIL, ANN, BOB))


@kind()
def seat_words_of_a_table_mate(f: Forger) -> Draft:
    return as_somebody(f, Draft(of_the_seat(f), f.known.now, f.pick(BOB, CAT)))


@kind("claimed")
def claimed_seat_words(f: Forger) -> Draft:
    """Dan is asked whether he gives his seat up, and about what is for all his games."""
    return claimed(f, f.pick("resign", "away everywhere 2027-01-02", "back everywhere", "pictures off"))
