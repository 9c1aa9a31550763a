"""Faults for the rules of 1841."""
# ruff: noqa: E501 - a fault is read best in one line

from __future__ import annotations

from tests.referee.mutation import Mutation, of_title

FOLDER = "titles/t1841/"
ROWS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    ("stock/trading.py", (
        ("half prices are rounded up", "sums = [sum(full[: i + 1]) // 2", "sums = [(sum(full[: i + 1]) + 1) // 2"),
        ("the pool takes a whole company", "pool_part=2, bars", "pool_part=1, bars"),
        ("a company that has not operated is sold", "    if not has_history(state, company):", "    if False:"),
    )),
    ("money/emergency.py", (
        ("half units are lost", 'play.pay(BANK, seller, 1, "emergency", sale[0])', "pass"),
    )),
    ("mergers/fragments.py", (
        ("SFL gets a fifth", "SFL_TENTH = 10", "SFL_TENTH = 5"),
    )),
    ("stock/market.py", (
        ("a merged price may equal the sum", "2 * title.chart.price(cell) < doubled", "2 * title.chart.price(cell) <= doubled"),
    )),
    ("mergers/exchange.py", (
        ("an odd share is rounded up for the full price", "    return title.price(state, into) // PAIR\n", "    return title.price(state, into)\n"),
    )),
    ("stock/round_end.py", (
        ("a frozen company falls one row", "if is_frozen(play.title, play.state, company) else 1", "if False else 1"),
        ("unused concessions stay", "        if unused and owner_of_concession(", "        if False and owner_of_concession("),
    )),
    ("turn/uncontrolled.py", (
        ("a frozen company moves one column", "FROZEN_COLUMNS: Final = 2", "FROZEN_COLUMNS: Final = 1"),
    )),
    ("turn/earnings.py", (
        ("minors pay a tenth for each share", "revenue // all_shares(play.title, play.state, company))", "revenue // 10)"),
        ("earnings of half the price raise it", "    if revenue > play.title.price(play.state, company):", "    if 2 * revenue > play.title.price(play.state, company):"),
    )),
    ("auction/concessions.py", (
        ("seats by the highest bid", "return (sum(amounts), *amounts,", "return (max(amounts), *amounts,"),
        ("bids are raised by one", "RAISE: Final = 5", "RAISE: Final = 1"),
    )),
    ("ending/ends.py", (
        ("loans are forgiven at the end", "state.money(player) - state.debt(player, LOAN)", "state.money(player)"),
    )),
    ("stock/limits.py", (
        ("companies hold six certificates", "COMPANY_CERTIFICATES: Final = 5", "COMPANY_CERTIFICATES: Final = 6"),
        ("a chain holds more than 60 %", "    if now + more <= most:", "    if now + more <= most + 1:"),
    )),
    ("stock/token_price.py", (
        ("historical tokens cost 40", "HISTORICAL_PRICE: Final = 50", "HISTORICAL_PRICE: Final = 40"),
    )),
    ("mergers/tokens.py", (
        ("a merged company has a token too few", "return min(MOST, max(FEWEST, owned))", "return min(MOST, max(FEWEST, owned - 1))"),
    )),
    ("mergers/secession.py", (
        ("the second presidency goes to the pool", "                if free is not None:\n", "                if False:\n"),
    )),
)  # fmt: skip
"""File -> name of each fault, the text, and what it becomes."""
SHARED = of_title(
    "1841",
    "holders/succession.py",
    (
        "a tie makes a new president",
        "most = max(left, worth - 1)\n",
        "most = max(left, worth - 1) - 1\n",
    ),
)
BOUGHT_BACK = of_title(
    "1841",
    "shares/purchase.py",
    ("a company buys what it has sold in the round", "    if (buyer, company) in sold:\n", "    if False:\n"),
)
ON_COURSE = (
    *of_title(
        "1841", FOLDER + "mergers/secession.py",
        ("who is left over in the Secession gets nothing", '            play.pay(BANK, holder, price, "exchange", IRSFF)\n', ""),
        course="one each",
    ),
    *of_title(
        "1841", FOLDER + "mergers/decision_order.py",
        ("companies decide as they are listed", '.decision_order == "price"', '.decision_order != "price"'),
        course="owners",
    ),
)  # fmt: skip
OF_1841: tuple[Mutation, ...] = (
    *(m for file, rows in ROWS for m in of_title("1841", FOLDER + file, *rows)),
    *SHARED,
    *BOUGHT_BACK,
    *ON_COURSE,
)
