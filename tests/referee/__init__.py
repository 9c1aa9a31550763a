"""An independent referee: it follows the events of a game, keeps books of its own, and checks the arithmetic of the
rules against the rulebooks.

It was written from the rulebooks alone, for 1841 from the clarifications and what is known of its rulebook, for 1863
also from the rulings on what its rulebook leaves open. Editions that follow 18xx.games are not judged here: records of
games, of people and of chance, cover them. 1867 is the exception: it has no rulebook and few records, and is judged by
a description of what the site does. Its figures stand in tables of its own (``tables_1861``, ``tables_1844``,
``tables_1841``, ``tables_1863``, ``tables_1867``), and it imports nothing of ``engine.titles`` and ``engine.steps``:
what the other tests share with the code, this one does not. From the engine it knows the types of events and orders,
and the description of a position (``docs/position.md``).

    python -m tests.referee --games 20           # random games of all titles, by seed
    python -m tests.referee.mutations            # is it a good referee? faults put into the rules, one at a time

One file for each subject: ``state`` (the books), ``market`` (prices), ``money`` (payments), ``shares``, ``trains``,
``track`` (tiles and markers), ``rounds`` (order of play and the end); ``loans`` is 1861's own (loans, nationalisation,
mergers) and ``sbb`` 1844's (launches, debts, the SBB). In 1841 and 1863 companies own companies: they have books of
their own (``companies``, ``books_1863``) and subjects of their own, in the files whose names end with their numbers;
1867 has the subjects of 1861 where both play alike; what is its own is in files of that name: the map
as it lies (``tiles_1867``, ``books_1867``), homes, runs, offers, trains that leave or are traded in.
``thrift_1863`` keeps the companies of 1863 alive, so that games come to their last phases; ``courses_1841`` leads
games of 1841 to rare positions. ``bench`` is what all share.
Each check names its rule: ``v2.0 §9.1`` is a section of 1861's rulebook, ``p. 14`` a page of 1844's, ``1841 §2.22`` a
clarification or a section of 1841's rulebook, ``1863 §6.d`` a section of 1863's, ``1863 R46`` a ruling on it, ``1867
7.4`` a rule of 1867 in ``docs/rules`` (where 1867 plays as 1861 does, 1861's section is named), and
``ruling …`` one of ``docs/rulings.md``.
"""
