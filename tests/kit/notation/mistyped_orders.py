"""Orders as people mistype them, and sentences that order something: none of them is prose, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

MISTYPED: Final = tuple(
    line.strip()
    for line in """
opne TSR 25
unlessBob acts
unless,Bob acts or GRR is sold
open.TSR.25
open-TSR-25
N: run bst
ok, run bst
please run bst
for nw:
Orders for NW
oepn TSR
open TRS 25
opn TSR 25
open Tsarskoye Selo 25
opened TSR at 25
aucton TSR 25
bdi 30
bid Go
bid 3O
bid thirty
bid 1,000
bid: 30
biding 30
bids 30
bd 30
vid 30
b1d 30
BID30
drpo
dorp
droop
drop it
lmit 60
limt 60
limit60
limit sixty
limits 60 on TSR
psas
pas
passs
pss
pass this time
passing
I pass
please pass
ok, pass
sel 2 MKN
sell two MKN
sell 2 MNK
slel 2 MKN
selling 2 MKN
seII 2 MKN
sell all my NW
by NW
bu NW
buy N-W
bye NW
buying NW
please buy NW for me
only if Bob sells, buy NW
I'd like to buy NW
buy a share of NW
strat SE at 150 in F18
start SE for 150
stort SE at 100
start South Eastern
take too
taek 2
tkae 1
GRR lays 8 K9 1
GRR: lya 8 K9 1
GR: run bst
GRT: run best
grr; lay 8 K9
lay8 K9 1
lay K9
ly 8 K9 1
alay 8 K9 1
lay 8 K99 1
8 K9 1
lay tile eight on K9
tokn I13
toekn I13
tokne at I13
marekr I13
run besst
rum best
rnu best
rn best
runbest
run the best
run 3 G15–I13-H88
3 G15-I13-H8
pay ful
pya full
pau half
withold
whithhold
train4
trian 4
train for
tarin 4
train 2 from R-P for 70
buy train form bank
settel
setle
dnoe
doen
done with this turn
don
I'm done
redem 1
redeem one
convrt to NW
mrege N into NW
merge N with NW
agre
agree with train 2 to GRR
refsue
refuze WVR to GRR for 60
declin
discrd 3
discard the 3
keeep E9
natonalise yes
nationalize maybe
chekc
check this please
chek
partal
parital
withdarw
withdraw everything
showw map
press Bbo: hello
press Bob
prses Bob: shall we merge?
BEGN 1861-1 at 1
Ann
as Ann
Ann pass
Anm: pass
Bob: pas
GRR
NW
N
TSR 25
25 on TSR
25
R90
> open TSR 25
| open TSR 25
- pas
1. sel 1 NW
"opne TSR 25"
*bdi 30*
""".strip().split("\n")
)
"""As the first line of a mail; those that are a name alone say who acts there, and below orders are a signature."""

_NEIGHBOURS: Final = {
    letter: row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890")
    for place, letter in enumerate(row)
} | {" ": "vbnm.,-_"}


def slips(order: str) -> Iterator[str]:
    """Everything that one slip of a finger makes of an order: a letter left out, doubled, swapped with the next, or a
    neighbouring key instead of it or beside it."""
    for place, letter in enumerate(order):
        before, after = order[:place], order[place + 1 :]
        yield before + after
        yield before + letter * 2 + after
        if after and letter != after[0]:
            yield before + after[0] + letter + after[1:]
        for neighbour in _NEIGHBOURS.get(letter.casefold(), ""):
            yield before + neighbour + after
            yield before + neighbour + letter + after
