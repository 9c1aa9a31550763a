"""Faults for the rules of 1867: of its own, and of what it shares with 1861 but plays otherwise."""
# ruff: noqa: E501 - a fault is read best in one line

from __future__ import annotations

from tests.referee.mutation import CHEAP, POOR, Mutation
from tests.referee.mutation import of_title as _of

_OWN, _FAMILY = "titles/t1867/", "families/f1867/"
OF_1867: tuple[Mutation, ...] = (
    *_of(
        "1867", _OWN + "policies.py",
        ("neutral markers stay for ever", '    if title.reached(state, "3"):\n        return ()\n', ""),
        ("no neutral marker in Montreal", 'if at == hex)', "if at == hex == TIMMINS)"),
        ("rivers cost nothing", "return terrain + state.board.crossing_cost(hex, new)", "return terrain"),
        ("Montreal costs nothing", "terrain = title.map.hexes[hex].face.terrain if placed is None else", "terrain = 0 if hex == MONTREAL else title.map.hexes[hex].face.terrain if placed is None else"),
        ("terrain is paid at each upgrade", "if placed is None else title.map.tiles[placed[0]].face.terrain", "if True else 0"),
        ("Timmins earns 20 more", "PairBonus(TIMMINS, TORONTO, 40,", "PairBonus(TIMMINS, TORONTO, 20,"),
        ("the money of a nationalised company goes to CN", 'play.pay(company, BANK, play.state.money(company), "seized", company)',
         'play.pay(company, CompanyId("CN"), play.state.money(company), "seized", company)'),
        ("trains of a nationalised company go to the pool", 'play.emit(TrainMoved(train, company, ""))', 'play.emit(TrainMoved(train, company, "Pool"))'),
        ("privates of a nationalised company go to nobody", "            play.emit(PrivateClosed(private))", "            pass"),
        ("no train leaves in phase 4", 'not title.reached(state, "4") or', 'not title.reached(state, "5") or'),
        ("a train leaves in phase 3", 'not title.reached(state, "4") or', 'not title.reached(state, "3") or'),
        ("trains leave in phase 8", 'or title.reached(state, "8") or ends_now', "or ends_now"),
        ("an exported train begins no phase", "    train_exported(play, train)", "    pass"),
    ),
    *_of(
        "1867", _OWN + "policies.py",
        ("a train leaves after the last round", " or ends_now(title, state):", ":"),
        course=POOR,
    ),
    *_of(
        "1867", _OWN + "homes.py",
        ("any free circle is a home", "if whole or any(not board.at(hex, i) for i in cities):", "if True:"),
        ("a minor begins in another city", "    return HexId(hex), city", "    return HexId(hex), max(0, city - 1)"),
    ),
    *_of(
        "1867", _OWN + "trade_in.py",
        ("a train is taken at its whole price", "half = title.trains[trade].cost // 2", "half = title.trains[trade].cost * 4 // 5"),
        ("7-trains are given for others, too", 'frozenset({"8", "2+2", "5+5E"})', 'frozenset({"7", "8", "2+2", "5+5E"})'),
        ("trade-ins in phase 7", 'title.reached(state, "8")', 'title.reached(state, "7")'),
        ("the old train leaves the game", "play.emit(TrainMoved(order.trade, order.actor, POOL))", 'play.emit(TrainMoved(order.trade, order.actor, ""))'),
        ("the old train stays", "    play.emit(TrainMoved(order.trade, order.actor, POOL))  # rule 11.12\n", ""),
        ("the excess of loans counts twice", "spendable(title, state, company) - RECEIVED * excess", "spendable(title, state, company) - 200 * excess - 100"),
    ),
    *_of(
        "1867", _OWN + "__init__.py",
        ("one step for each loan", "steps_per_loan=2", "steps_per_loan=1"),
        ("the last rounds come at once", "last_rounds_at_once=False", "last_rounds_at_once=True"),
        ("Toronto counts among the six of CN", "capitals=frozenset({MONTREAL, TORONTO})", "capitals=frozenset({MONTREAL})"),
        ("CN takes no place in grey Montreal", "metropolis=MONTREAL", "metropolis=TORONTO"),
    ),
    *_of(
        "1867", _OWN + "__init__.py",
        ("a 5+5E need not count its own marker", "multiplier, True, ends_count", "multiplier, False, ends_count"),
        course=CHEAP,
    ),
    *_of(
        "1867", _OWN + "sequence.py",
        ("CN does not stand in Toronto", 'start_markers(play.title, "normal")', 'start_markers(play.title, "none")'),
    ),
    *_of(
        "1867", _OWN + "rulings.py",
        ("a company starts in an empty city", 'first_marker: ClassVar[Literal["hex_free"]] = "hex_free"', 'first_marker = "empty"'),
        ("sold out: to the right and down", 'sold_out_top: ClassVar[Literal["row"]] = "row"', 'sold_out_top = "column"'),
        ("a merged company begins at 70", 'merger_floor: ClassVar[Literal["100"]] = "100"', 'merger_floor = "70"'),
        ("offers of a merger begin with the director", 'merger_offers: ClassVar[Literal["earliest"]] = "earliest"', 'merger_offers = "director"'),
        ("a second marker is always paid", 'second_marker: ClassVar[Literal["first_kept"]] = "first_kept"', 'second_marker = "paid"'),
        ("a reduced private is auctioned", 'reduced_private: ClassVar[Literal["dutch"]] = "dutch"', 'reduced_private = "auction"'),
    ),
    *_of(
        "1867", _OWN + "facts.json",
        ("two have all the trains", '"2": 3', '"2": 0'),
        ("two have four privates", '"privates_removed_at_random": 2', '"privates_removed_at_random": 1'),
        ("M13 is open from the start", ', "closed_until_phase": "3"', ""),
        ("grey tiles in phase 6", '"minor": 1, "public": 2, "national": 99}, "tiles": ["yellow", "green", "brown"]', '"minor": 1, "public": 2, "national": 99}, "tiles": ["yellow", "green", "brown", "gray"]'),
        ("a 2+2 costs 650", '"name": "2+2", "cost": 600', '"name": "2+2", "cost": 650'),
        ("SCT has its bonus elsewhere", '["A19", "A17"]', '["A7"]'),
        ("each of two may hold 80 %", '"max_percent_per_player": 70', '"max_percent_per_player": 80'),
    ),
    *_of(
        "1867", _FAMILY + "phases.py",
        ("an export asks nobody", "        play.emit(Marked(QUESTIONS_DUE, train))\n", "        pass\n"),
        ("an export asks at once", "        play.emit(Marked(QUESTIONS_DUE, train))\n", "        _ask(play, train)\n"),
        ("trains are discarded before the questions",
         "    play.push(Discards(operating_order(title, play.state), rulings_of(title).discards == \"together\"))  # rule 11.10\n    if train in (\"4\", \"6\", \"8\"):\n        play.push(NationalisationOffers(tuple(trainless(title, play.state, PUBLIC))))\n",
         "    if train in (\"4\", \"6\", \"8\"):\n        play.push(NationalisationOffers(tuple(trainless(title, play.state, PUBLIC))))\n    play.push(Discards(operating_order(title, play.state), rulings_of(title).discards == \"together\"))\n"),
        ("public companies are not asked in phase 8", 'if train in ("4", "6", "8"):', 'if train in ("4", "6"):'),
        ("minors go before privates are paid", '    if train == "6":\n        for private in play.state.privates:\n            nationalise_private(play, private)\n    if train in ("4", "6"):\n        for minor in trainless(title, play.state, MINOR):\n            nationalise(play, minor, "trainless")\n    elif',
         '    if train in ("4", "6"):\n        for minor in trainless(title, play.state, MINOR):\n            nationalise(play, minor, "trainless")\n    if train == "6":\n        for private in play.state.privates:\n            nationalise_private(play, private)\n    elif'),
        ("minors go in the order of their names", "for minor in trainless(title, play.state, MINOR):", "for minor in sorted(trainless(title, play.state, MINOR)):"),
    ),
    *_of(
        "1867", _FAMILY + "mergers/nationalisation.py",
        ("the last name is taken last", "        return equal[-1]\n", "        return equal[0]\n"),
        ("the poorest city is taken first", "    best = max(map(value, places))", "    best = min(map(value, places))"),
    ),
    *_of(
        "1867", _FAMILY + "mergers/state_markers.py",
        ("CN has seven markers elsewhere", "MARKERS_ELSEWHERE = 6", "MARKERS_ELSEWHERE = 7"),
        ("CN has five markers elsewhere", "MARKERS_ELSEWHERE = 6", "MARKERS_ELSEWHERE = 5"),
        ("CN stands twice in a hex", "    if has_marker(title, state, hex):\n        return False\n    return hex", "    return hex"),
    ),
    *_of(
        "1867", _FAMILY + "turn/first_marker.py",
        ("a company starts where another stands", "    if standing := tuple(company for city in board.circles(hex) for company in city):", "    if standing := tuple[CompanyId, ...]():"),
        ("a company starts in a connected city", "    elif not _unjoined(state, hex) and any(", "    elif False and any("),
    ),
    *_of(
        "1867", _FAMILY + "mergers/formation.py",
        ("three markers are kept", "KEPT = 2\n", "KEPT = 3\n"),
        ("one marker is kept", "KEPT = 2\n", "KEPT = 1\n"),
    ),
    *_of(
        "1867", _FAMILY + "stock/share_offers.py",
        ("only holders are offered shares", "            waiting, offers = from_player(state, director), replace(frame, holders=False)",
         "            waiting, offers = from_player(state, director)[:1], replace(frame, holders=False)"),
    ),
    *_of(
        "1867", _FAMILY + "sequence.py",
        ("mergers after an export of the first 8", ' and not title.reached(state, "8")', ""),
    ),
    *_of(
        "1867", _FAMILY + "sequence.py",
        ("the bank does not end the game", '    if broke is None or "last_round" in play.state.marks:\n        return\n    last', '    if True or broke is None:\n        return\n    last'),
        ("after a break in a stock round two rounds follow", 'last = (broke.set, 1 if broke.kind == "SR"', 'last = (broke.set, 2 if broke.kind == "SR"'),
        course=POOR,
    ),
    *_of(
        "1867", _OWN + "rulings.py",
        ("privates count nothing at the end", 'private_score: ClassVar[Literal["face"]] = "face"', 'private_score = "nothing"'),
        course=POOR,
    ),
    *_of(
        "1867", _FAMILY + "turn/markers.py",
        ("no city needs the most exits", 'return color == "brown" or rulings_of(title).most_exits == "all"', "return False"),
    ),
    *_of(
        "1867", _FAMILY + "turn/company_turn.py",
        ("tiles may be laid three times", "most_lays=2", "most_lays=3"),
    ),
    *_of("1867", "board/board.py", ("a river is paid again by each new tile", "if edge in added and (edge + 3)", "if edge in new.exits and (edge + 3)")),
)  # fmt: skip

BEYOND_1867 = {
    "of equals the owner of the earliest minor directs": "two owners with two minors each, in just that sequence, hardly ever merge",
    "the bank breaks at exactly 0": "no bank of his games comes to exactly 0",
    "Timmins earns no more with Montreal, or with Quebec": "then hardly a train runs to both without Toronto",
    "a 5+5E need not count its off-boards": "runs are the best ones, and those leave out a port at the end",
    "a company with just the money for its loans keeps one": "hardly a company has exactly that when it is nationalised",
}
"""Faults that he would see, but that his games do not show, and why."""
