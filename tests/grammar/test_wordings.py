"""Orders in the words of a letter are read where they can mean one thing, and never where they could mean two."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import pytest

import engine
import grammar
from grammar import Vocabulary
from grammar.prose.prose import without_prose
from moderator.domain.vocabulary import vocabulary

_AROUND = ("{}", "please {}", "I'll {}", "I'd like to {}", "we will {}", "well, {}", "then {}", "{}, please", "{} now")
"""Words that people write around an order."""

PHRASES: dict[tuple[str, str], tuple[str, ...]] = {
    ("1861", "pass"): ("pass", "pass this time", "pass for now", "pass this turn", "pass on this"),
    ("1861", "pay none"): (
        "keep the money",
        "keep all the revenue",
        "retain the earnings",
        "withhold it",
        "withhold the dividend",
        "pay nothing",
        "pay no dividend",
        "keep the income in the treasury",
    ),
    ("1861", "pay full"): (
        "pay everything",
        "pay out everything",
        "pay the full dividend",
        "pay the dividend in full",
        "pay it all out",
        "distribute all of the revenue",
        "pay all of it",
    ),
    ("1861", "pay half"): (
        "pay half of it",
        "pay a half dividend",
        "pay out half",
        "pay half of the revenue",
        "pay half",
    ),
    ("1861", "done"): ("end my turn", "finish the turn", "done with this turn", "done here", "end the company's turn"),
    ("1861", "run best"): (
        "run the best routes",
        "run the best route",
        "run my trains for the most money",
        "run for the best",
        "run the most valuable routes",
        "run the trains as well as possible",
        "run the trains best",
    ),
    ("1861", "run none"): ("run nothing", "run no trains", "run no train", "run none", "run none, please"),
    ("1861", "run 3 G15-I13-H8"): (
        "run the 3 on G15-I13-H8",
        "run the 3-train along G15-I13-H8",
        "run a 3 train via G15-I13-H8",
        "run my 3 over G15-I13-H8",
        "run 3 through G15-I13-H8",
    ),
    ("1861", "train 3"): (
        "buy a 3 train",
        "buy the 3-train",
        "buy a 3",
        "buy a new 3 train",
        "buy the train 3",
        "buy a 3-train from the bank",
        "purchase a 3 train",
        "get the 3 train from the supply",
        "buy a train 3",
    ),
    ("1861", "train 2 from pool"): (
        "buy a 2 train from the pool",
        "buy the 2 from the pool",
        "buy a used 2 train",
        "buy a 2-train from the market",
        "train 2 from the pool",
        "buy a 2-train from the bank pool",
    ),
    ("1861", "train 2 from M-K for 70"): (
        "buy a 2 train from M-K for 70",
        "buy the 2-train of M-K for R70",
        "buy M-K's 2 train for 70",
        "buy the 2 from M-K for 70",
        "train 2 from M-K at 70",
        "buy the 2-train from the M-K for a price of 70",
    ),
    ("1861", "discard 3"): (
        "discard the 3 train",
        "discard a 3",
        "discard my 3-train",
        "discard the 3",
        "scrap the 3 train",
    ),
    ("1861", "lay 8 K9 1"): (
        "lay tile 8 on K9 turn 1",
        "put tile 8 on K9 rotation 1",
        "place a yellow tile 8 in K9, turned 1",
        "lay a #8 on K9 with rotation 1",
        "lay the tile 8 at K9 1",
        "build a track tile 8 on hex K9 turn 1",
    ),
    ("1861", "lay 23 K9 2"): (
        "upgrade K9 to 23 turn 2",
        "upgrade K9 to tile 23, rotation 2",
        "upgrade K9 with tile #23 turn 2",
        "upgrade K9 to a 23 2",
        "put a green tile 23 on K9 turn 2",
    ),
    ("1861", "token I13"): (
        "place a token in I13",
        "put the marker on I13",
        "put a station in I13",
        "place a station marker in hex I13",
        "set a token in I13",
    ),
    ("1861", "sell 2 MKN"): (
        "sell 2 shares of MKN",
        "sell two MKN shares",
        "sell 2 of my MKN shares",
        "sell two shares in MKN",
        "sell 2 MKN to the market",
        "sell two of the MKN to the bank",
    ),
    ("1861", "sell 1 MKN"): (
        "sell a share of MKN",
        "sell one MKN share",
        "sell my share of MKN",
        "sell a single MKN share",
        "sell one of my MKN",
    ),
    ("1861", "buy NW"): (
        "buy a share of NW",
        "buy one NW share",
        "buy an NW share",
        "buy 1 share of the NW",
        "get a share of NW",
    ),
    ("1861", "buy NW from treasury"): (
        "buy a share of NW from the treasury",
        "buy an NW share from its treasury",
        "buy NW from the treasury",
        "buy one share of NW from treasury",
        "buy a share of the NW from the company's treasury",
    ),
    ("1861", "buy NW from pool"): (
        "buy a share of NW from the pool",
        "buy NW from the market",
        "buy one NW share from the bank pool",
        "buy NW from the pool",
        "purchase a share in NW from the pool",
    ),
    ("1861", "buy MYR for 60"): (
        "buy the MYR for 60",
        "buy MYR at 60",
        "buy the private company MYR for R60",
        "buy the private MYR for 60",
        "purchase the MYR for 60",
    ),
    ("1861", "start SE at 150 in F18"): (
        "start the SE at 150 in F18",
        "start SE at a price of 150 in F18",
        "start the company SE at 150 in hex F18",
        "start SE for 150 in F18",
        "start the SE with a par price of 150 in F18",
    ),
    ("1861", "open TSR 25"): (
        "open the auction of TSR at 25",
        "open TSR with 25",
        "open the TSR for 25",
        "open the bidding for TSR at 25",
        "open TSR with a bid of 25",
    ),
    ("1861", "bid 60 on TSR"): (
        "bid 60 for the TSR",
        "bid R60 on the TSR",
        "make a bid of 60 on TSR",
        "raise my bid to 60 on TSR",
        "offer 60 for TSR",
    ),
    ("1861", "bid 60"): ("bid 60", "raise to 60", "make a bid of 60", "raise my bid to 60", "raise the bid to 60"),
    ("1861", "limit 95 on WVR"): (
        "Auto Bid WVR, maximum bid R95",
        "auto bid on WVR, max bid 95",
        "auto-bid 95 on WVR",
        "auto bid WVR 95",
        "proxy bid of 95 on WVR",
        "bid max 95 on WVR",
        "bid 95 max on WVR",
        "bid on WVR up to 95",
        "bid up to 95 for WVR",
        "bid no more than 95 on WVR",
        "go upto 95 for WVR",
        "keep bidding on WVR up to 95",
        "maximum bid of R95 on WVR, then drop out",
        "max bid 95 on WVR, pass after that",
    ),
    ("1861", "limit 95"): (
        "max bid 95",
        "bid 95 max",
        "bid at most 95",
        "raise up to 95",
        "raise to at most 95",
        "keep raising up to 95",
        "stay in until 95",
        "limit 95 then drop",
        "limit 95, and then drop out",
        "bid up to 95, then i'm out",
        "raise up to 95 then i drop out",
    ),
    ("1861", "drop"): (
        "drop out",
        "drop out of the auction",
        "drop out of the bidding",
        "get out of this auction",
        "drop out now",
    ),
    ("1861", "agree"): ("agree", "agree to the sale", "agree to it", "agree with this", "agree to the offer"),
    ("1861", "refuse"): ("refuse", "refuse the sale", "refuse it", "refuse this offer", "refuse the price"),
    ("1861", "redeem 1"): (
        "redeem a share",
        "redeem one share",
        "buy back one share",
        "buy back a share",
        "redeem 1 own share",
    ),
    ("1861", "take 2"): ("take two shares", "take 2 shares", "take two", "take 2", "take the 2 shares"),
    ("1863", "loan 1"): ("take a loan", "take one loan", "take out a loan", "borrow a loan", "get a loan"),
    ("1863", "loan 2"): (
        "take two loans",
        "take out 2 loans",
        "borrow 2",
        "take 2 loans from the bank",
        "borrow two loans",
    ),
    ("1863", "repay 2"): (
        "repay two loans",
        "pay back 2 loans",
        "repay 2",
        "pay off two of the loans",
        "repay 2 loans to the bank",
    ),
    ("1863", "dividend 120"): (
        "pay a dividend of 120",
        "declare a dividend of £120",
        "pay 120 as a dividend",
        "declare 120 as dividend",
        "pay out a dividend of £120",
    ),
    ("1863", "buy MET from charter"): (
        "buy a MET share from the charter",
        "buy MET from its charter",
        "buy a share of the MET from the charter",
        "buy one MET from the charter",
        "buy the MET share from the charter",
    ),
    ("1844", "sell 1 JN"): (
        "sell a share of JN",
        "sell one of my JN shares",
        "sell one JN",
        "sell my share in JN",
        "sell one JN share",
    ),
    ("1841", "buy SFMA from offering"): (
        "buy a share of SFMA from the initial offering",
        "buy SFMA from the treasury",
        "buy an SFMA share from the IPO",
        "buy one share of SFMA from the offering",
        "buy a share in the SFMA from the treasury",
    ),
}
"""Title and order as the notation writes it -> phrases that mean it; each stands in every one of ``_AROUND``."""

ALONE = {
    "no dividend": "pay none",
    "full dividend": "pay full",
    "half dividend": "pay half",
    "half pay": "pay half",
    "best routes": "run best",
    "no run": "run none",
    "turn over": "done",
    "I'm done": "done",
    "I am done.": "done",
    "all done": "done",
    "We are done with this turn": "done",
    "I'm passing": "pass",
    "yes, I agree": "agree",
    "no, I refuse it": "refuse",
    "token in I13": "token I13",
    "marker on I13": "token I13",
    "Keep the money.": "pay none",
    "run best, then keep the money": "run best; pay none",
    "My max is 95": "limit 95",
    "Maximum bid: 95": "limit 95",
    "run the best routes, keep the money, end my turn": "run best; pay none; done",
}

ASKED = (
    "SW laid tile 88 in B8, turned 0",
    "SW ran its best routes",
    "laid tile 88 in B8, turned 0",
    "sell shares of MKN",
    "sell my shares of MKN",
    "sell all my MKN",
    "sell 2 shares",
    "sell MKN",
    "buy shares of NW",
    "buy a share",
    "buy 2 shares of NW",
    "buy a train",
    "buy a train from the pool",
    "buy 3",
    "105",
    "no thanks",
    "no token",
    "I'm out",
    "Bob sells 1 share of NW",
    "agree train 2",
    "sell 20% of NW",
    "pass (unless Bob sells)",
    "run best and whatever",
    "pay. maybe half.",
    "sell 2 NW (or 3)",
    "buy a 2 train from M-K",
    "buy the 2 of M-K",
    "run the trains",
    "run my trains",
    "pay",
    "pay some of it",
    "keep it",
    "keep",
    "keep all",
    "pay half or nothing",
    "keep half of the money",
    "place 8 on K9",
    "lay tile 8 on K9",
    "place a token",
    "put a token there",
    "bid more",
    "raise",
    "open the TSR and bid",
    "start SE at 150 or 165",
    "I won't pass",
    "I will not pass",
    "should I pass",
    "may I keep the money",
    "if he passes, I pass",
    "pass unless Bob sells",
    "don't keep the money",
    "keep the money or pay half",
    "not done",
    "nearly done",
    "buy a 3 or a 4",
    "agree or refuse",
    "buy NW from the bank",
    "drop or bid 60",
    "take shares",
    "redeem shares",
    "sell one or two MKN",
    "pass for the rest of the round",
    "do not bid more than 95",
    "auto bid on WVR",
    "maximum bid on WVR",
    "bid 70 max 95",
    "bought 1 NW then sold 1 MKN",
    "NW bid 95 on WVR",
    "NW put WVR up for auction at 95",
    "run 2 G15, G15",
    "lay 8 in Moscow",
    "token in Bialystok",
    "Ann bought 1 NW, then sold 1 MKN",
    "NW took 2 shares",
    "pass until Bob sells 2 then 3",
    "pass until Bob acts, then buy NW",
    "each turn run best, then keep it or not",
    "each turn run best then pay half of it",
)
"""Phrases that leave something open."""


@lru_cache
def names(title: str) -> Vocabulary:
    return vocabulary(engine.load_title(title), ("Ann", "Bob", "Cat"))


def read(title: str, text: str) -> tuple[str, bool]:
    """The orders in ``text`` as the notation writes them, and True if something cannot be read."""
    found = grammar.read(text, names(title), default_actor="Ann")
    return "; ".join(grammar.write(order, names(title)) for order in found.orders), bool(found.errors)


@pytest.mark.parametrize(("title", "order"), PHRASES)
def test_a_phrase_that_means_one_order_is_read_as_that_order(title: str, order: str) -> None:
    phrases = [around.format(phrase) for phrase, around in product(PHRASES[title, order], _AROUND)]
    assert len(set(phrases)) >= 40
    assert {phrase: read(title, phrase) for phrase in phrases} == dict.fromkeys(phrases, (order, False))


def test_every_phrase_is_an_order_and_no_prose() -> None:
    for (title, order), phrases in PHRASES.items():
        for phrase in phrases:
            for text in (f"Hello,\n\n{phrase}\n\nBest wishes\nAnn", f"pass\n{phrase}"):
                assert phrase in without_prose(text, names(title)).text, (title, order, phrase)
    for phrase in ALONE:
        assert phrase in without_prose(f"Hello,\n\n{phrase}\n\nBest wishes", names("1861")).text


@pytest.mark.parametrize(("text", "orders"), ALONE.items())
def test_a_phrase_without_a_verb_is_read(text: str, orders: str) -> None:
    assert read("1861", text) == (orders, False)


@pytest.mark.parametrize("text", ASKED)
def test_a_phrase_that_could_mean_several_orders_is_asked(text: str) -> None:
    orders, asked = read("1861", text)
    assert asked and not orders


SENTENCES = (
    (
        "1861",
        """SW lays tile 88 in B8, turned 0.
        Then it runs its best routes.
        It pays its revenue in full.
        It buys a new 3-train.
        Then its turn is done.""",
        "lay 88 B8 0; run best; pay full; train 3; done",
    ),
    (
        "1841",
        """SFL lays tile 208 in E9, turned 1.
        SFL runs its best routes.
        SFL pays full.
        SFL buys the 4-train from SFLi for L. 120.
        SFL is done.""",
        "lay 208 E9 1; run best; pay full; train 4 from SFLi for 120; done",
    ),
    ("1844", "STB buys P5 for 100 francs.\nSTB lays tile 4 in D17 with 1 turn.", "buy P5 for 100; lay 4 D17 1"),
    ("1844", "FNM: lay #6 on K20 rotation 2, run auto, pay out, done", "lay 6 K20 2; run best; pay full; done"),
    ("1844", "buy b1 H7 10/50/80/10", "buy B1 in H7 with panel 10/50/80/10"),
    ("1863", "CLR lays tile LU05 in H13, turned 1, and then tile 4 in D9, turned 1.", "lay LU05 H13 1; lay 4 D9 1"),
    ("1863", "Bob: take 1 share from the charter", "take 1"),
    ("1863", "Bid 25 on BAK, up to 45.", "bid 25 on BAK; limit 45"),
    ("1861", "Raise N to 150, max 170", "bid 150 on N; limit 170"),
    ("1867", "auto bid up to 160", "limit 160"),
    ("1867", "bid up to 160", "limit 160"),
    ("1867", "AE: convert to GTR, then buy 2 treasury shares", "convert to GTR; take 2"),
    ("1861", "Run best. Pay full. Done.", "run best; pay full; done"),
    ("1861", "run best. no train. done", "run best; done"),
    ("1861", "NW: no tile. Run best. Pay full. No train.", "run best; pay full"),
    ("1861", "skip track, run best, pay full", "run best; pay full"),
    ("1861", "NW places no token and runs its best routes", "run best"),
    ("1861", "MK lays tile #57 with rotation 2 on H8 (Moscow)", "lay 57 H8 2"),
    ("1861", "MK places a token on H8 (Moscow)", "token H8"),
    ("1861", "Buy a 10% NW share from the market", "buy NW from pool"),
    ("1861", "split the dividend", "pay half"),
    ("1844", "Bid P6 for 195. Auto bid: max bid 240 on P6, pass after that.", "bid 195 on P6; limit 240 on P6"),
    ("1844", "par fnm 80 and go upto 125 for p7", "start FNM at 80; limit 125 on P7"),
    ("1861", "bid 70, up to 95, then drop", "bid 70; limit 95"),
    ("1844", "sell 1 ab then buy sbb director", "sell 1 AB; buy SBB director"),
    ("1844", "sell 1 ab, and then buy sbb director", "sell 1 AB; buy SBB director"),
    ("1844", "fnm: run best then pay full then done", "run best; pay full; done"),
    ("1867", "AE: convert to nyc\nthen ill take 2 shares", "convert to NYC; take 2"),
    ("1867", "AE: convert to nyc, then take 2", "convert to NYC; take 2"),
    ("1863", "PCN: 24 q6 0, 58 q12 1, dividend 75 done", "lay 24 Q6 0; lay 58 Q12 1; dividend 75; done"),
    ("1841", "sell 1 sflp 1 sftg then buy c-irsff", "sell 1 SFLP, 1 SFTG; buy C-IRSFF"),
    ("1841", "sell 1 sflp, 1 sftg then buy the irsff concession", "sell 1 SFLP, 1 SFTG; buy C-IRSFF"),
    ("1841", "SFTN buys 4 tokens", "tokens 4"),
    (
        "1867",
        "op lays tile 201 in j12 turn 2 then takes a loan and buys a new 2 train and is done",
        "lay 201 J12 2; train 2; done",
    ),
    ("1861", "open spw for 120 plz", "open SP-W 120"),
    (
        "1863",
        "Float PIC as a major, par price \u00a3110, 2 tokens, contribute 1 share of MET, rest from my own cash",
        "float PIC as major at 110 tokens 2 with 1 MET",
    ),
    ("1863", "float PIC as a minor at par 100", "float PIC as minor at 100 tokens 1"),
    ("1867", "then pass til anybody acts", "pass until anybody acts"),
    ("1867", "Bid $80 on St. Clair Tunnel", "bid 80 on SCT"),
    ("1867", "bid 155 for Brockville and Ottawa", "bid 155 on BO"),
    ("1867", "sell 2 shares of Canadian Pacific", "sell 2 CPR"),
    ("1867", "open kp 130 in ottawa\nthen pass til anybody acts", "open KP 130 in J12; pass until anybody acts"),
    ("1867", "open kp in ottawa for 130", "open KP 130 in J12"),
    ("1867", "CA lays tile 9 in Trois-Rivieres, turn 2", "lay 9 M9 2"),
    ("1867", "CA: run 2 Montreal-Ottawa", "run 2 L12-J12"),
    ("1861", "NW: token St. Petersburg", "token E1"),
    ("1844", "JN buys a 5H train for 400 SFR from The Depot", "train 5H"),
    ("1861", "NW: lay 8 Moscow 1", "lay 8 H8 1"),
    ("1861", "raise to 130 for the moscow nizhnii novgorod please", "bid 130 on M-NN"),
    ("1861", "bid 130 on Moscow-Kursk", "bid 130 on M-K"),
    ("1861", "NW: run 3 Moscow-Kursk", "run 3 H8-G13"),
    ("1861", "MK: upgrade Kharkov to the brown tile 623, turn 0", "lay 623 G15 0"),
    ("1844", "JN: lay 204 E10 Solothurn turned 1", "lay 204 E10 1"),
    ("1841", "CFCC: lay tile 5 in Cremona (H10), turned 3", "lay 5 H10 3"),
    ("1841", "CGTF: home token in Bologna (L14)", "token L14"),
    ("1863", "Bid \u00a310 for CSL, home token in Nine Elms", "start CSL at 10 in I22"),
    ("1863", "met declines", "decline"),
    ("1861", "N and NW merge into GRR", "merge N, NW into GRR"),
    ("1844", "FNM builds tile 57 on K20 rot 1", "lay 57 K20 1"),
    ("1844", "Put tile 57 rotated 1 in K20", "lay 57 K20 1"),
    ("1844", "57 on K20, rotation 1", "lay 57 K20 1"),
    ("1844", "K20 tile 57 turn 1", "lay 57 K20 1"),
    ("1844", "run for maximum, dividends in full, end turn", "run best; pay full; done"),
    ("1844", "FNM: best run, pay it out, buy 3, done", "run best; pay full; train 3; done"),
    ("1844", "FNM: buy a 3T from the bank", "train 3"),
    ("1844", "get 3H off MOB for 70 SFR", "train 3H from MOB for 70"),
    ("1844", "sell 2x FNM", "sell 2 FNM"),
    ("1861", "run best pay full done", "run best; pay full; done"),
    ("1861", "Ann sells 1 share of MVR", "sell 1 MVR"),
    ("1867", "Ann bids $155 for BO", "bid 155 on BO"),
    ("1861", "SW: 8 e3 3, 88 b8 4, run best, full, done", "lay 8 E3 3; lay 88 B8 4; run best; pay full; done"),
    ("1844", "FNM: run best, pay, done", "run best; pay full; done"),
    ("1844", "sell 1 jn buy cha ipo", "sell 1 JN; buy ChA from ipo"),
    ("1867", "kp up to 150 then im out", "limit 150 on KP"),
    ("1867", "bid up to 150, then drop out", "limit 150"),
    ("1863", "put CHO up for auction, with a minimum of £40", "auction CHO at 40"),
    ("1863", "MET takes a loan (+£100)", "loan 1"),
    ("1841", "SFL buys a 3 train for L. 300 from SFLi", "train 3 from SFLi for 300"),
    ("1867", "NO & PM merge to form CPR", "merge NO, PM into CPR"),
    ("1844", "VZ pays out (14 SFR per share)", "pay full"),
    ("1844", "105 on P5", "bid 105 on P5"),
    ("1844", "stay in till 120", "limit 120"),
    ("1867", "BO becomes CPR", "convert to CPR"),
    ("1844", "FNM buys a 3-train and buys a 2-train and is done", "train 3; train 2; done"),
    ("1844", "FNM: buy train 2 and train 3, and done", "train 2; train 3; done"),
    ("1844", "FNM buys no train and is done.", "done"),
    ("1844", "FNM: run best, and then pay full, and then done", "run best; pay full; done"),
    ("1861", "NW: run best\nhalf\ndone", "run best; pay half; done"),
    ("1861", "Sell one NW and then buy a share of MK.", "sell 1 NW; buy MK"),
    ("1863", "DIS merges with CIR, CIR survives", "merge DIS into CIR"),
    ("1863", "DIS merges with CIR and DIS survives", "merge CIR into DIS"),
    ("1841", "buy 2 more SFL", "take 2 of SFL"),
    ("1867", "NO lays tile 7 in E11, turned 5.\nNO then pays half.\nNO is done.", "lay 7 E11 5; pay half; done"),
)
"""Texts of people who had read nothing but mails."""


@pytest.mark.parametrize(("title", "text", "orders"), SENTENCES)
def test_sentences_that_tell_the_orders_are_read(title: str, text: str, orders: str) -> None:
    assert read(title, text) == (orders, False)
    letter = f"Dear game master,\n\n{text}\n\nWith kind regards\nAnn"
    assert read(title, without_prose(letter, names(title)).text) == (orders, False)


def test_a_company_alone_on_a_line_acts_in_what_follows() -> None:
    found = grammar.read("ChA\nlay 9 C22 1\nrun best\nVZ\npay out; done", names("1844"), default_actor="Ann")
    told = {
        section.actor: [grammar.write(each.order, names("1844")) for each in section.orders]
        for section in found.sections
    }
    assert told == {"ChA": ["lay 9 C22 1", "run best"], "VZ": ["pay full", "done"]} and not found.errors


@pytest.mark.parametrize("text", ["hex E11", "company NW", "board", "phase"])
def test_what_can_be_shown_needs_no_word_before_it(text: str) -> None:
    found = grammar.read(text, names("1861"), default_actor="Ann")
    assert [(word.kind, word.argument) for word in found.words] == [("show", text)] and not found.errors


def test_a_name_of_the_game_is_no_little_word() -> None:
    """A player or company may be called as an article is."""
    own = Vocabulary("1861", players=("My", "Ann"), companies={"The": (), "NW": ()}, hexes=frozenset({"F18"}))
    found = grammar.read("sell 2 shares of The\nMy: pass", own, default_actor="Ann")
    assert [grammar.write(order, own) for order in found.orders] == ["sell 2 The", "pass"] and not found.errors


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("1867", "Bid 150 for KP, home in J12"),
        ("1863", "keep Nine Elms"),
        ("1867", "no convert to nyc"),
        ("1863", "MET: take a loan or not"),
    ],
)
def test_names_and_orders_of_two_meanings_are_asked(title: str, text: str) -> None:
    """Bid or found; a private or a space; a company called `NO` or a refusal."""
    assert read(title, text) == ("", True)


def test_a_mistyped_order_behind_a_comma_is_the_only_fault() -> None:
    found = grammar.read("24 q6 0, 58 q12 1, divident 75", names("1863"), default_actor="PCN")
    assert [grammar.write(order, names("1863")) for order in found.orders] == ["lay 24 Q6 0", "lay 58 Q12 1"]
    assert [(error.piece, error.nearest) for error in found.errors] == [("divident", "dividend")]


def test_thanks_below_an_order_do_not_continue_it() -> None:
    for thanks in ("thanks", "please", "now", "for now"):
        found = grammar.read(f"run best\n{thanks}", names("1861"), default_actor="NW")
        assert [grammar.write(order, names("1861")) for order in found.orders] == ["run best"]
        assert all(error.reason != "wrapped" for error in found.errors)
