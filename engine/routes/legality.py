"""The legality of declared runs, and their income. Every check that fails is reported, not only the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.board.board import Board
from engine.core.checks import Fact, Failure
from engine.core.ids import HexId
from engine.core.orders import Route
from engine.routes.bonuses import claimed
from engine.routes.candidates import Budget
from engine.routes.enumeration import Explorer
from engine.routes.graph import Graph, Track, blocked_stops, graph_of, own_stops
from engine.routes.matching import Fit, fits, nearest
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.run_sets import against, apart
from engine.routes.terms import areas_of, barred_stretches, lacks_value, same_side, worthless
from engine.routes.value import compulsory, stations, worth

_MOST_SETS = 20_000
"""The largest number of ways to choose one track for each route that are examined."""
_FEW_UNNAMED = 2
_MOST_STEPS = 3_000_000
"""The step limit for finding any route at all."""


@dataclass(frozen=True, slots=True)
class RunCheck:
    """The verdict on a set of routes. If there are no failures, ``values``, ``tracks`` and ``counted`` have one item
    for each route. ``counted``: the stops that count, in order, each as its hex and its number in the hex. ``toll``: a
    toll that is due once for all routes, and that no value shows."""

    failures: tuple[Failure, ...]
    values: tuple[int, ...] = ()
    tracks: tuple[Track, ...] = ()
    counted: tuple[tuple[tuple[HexId, int], ...], ...] = ()
    toll: int = 0

    @property
    def total(self) -> int:
        """The revenue of all trains together."""
        return sum(self.values) - self.toll


@dataclass(frozen=True, slots=True)
class _Option:
    """One track that a route may mean, legal by itself."""

    track: Track
    mask: int
    value: int
    counted: tuple[int, ...]
    exact: bool
    """True if the route names every hex of the track."""


class Judge:
    """A judge of the routes of one company, from the board and the traits of its runs."""

    def __init__(self, board: Board, traits: RunTraits) -> None:
        self.board = board
        self.traits = traits
        self.graph = graph_of(board)
        self.own = frozenset(own_stops(board, self.graph, traits.company, traits.marker_in))
        self.blocked = blocked_stops(board, self.graph, traits.company)
        self.areas = areas_of(self.graph, traits)

    def hexes(self, stops: Iterable[int]) -> tuple[HexId, ...]:
        return tuple(self.graph.nodes[i].hex for i in stops)

    def options(self, route: Route) -> tuple[list[_Option], list[Failure]]:
        """Every track that ``route`` may mean by itself; if there is none, every failure of the route."""
        options, failures = self.readings(route)
        return _narrowed(options), failures

    def readings(self, route: Route) -> tuple[list[_Option], list[Failure]]:
        """The result of ``options``, with one difference: if every hex of a track is named, tracks with hexes that are
        left out are included, too. One of these is meant if other routes leave no room for the first."""
        facts: dict[str, Fact] = {"train": route.train, "route": route.hexes}
        failures = self.names(route, facts)
        if failures:
            return [], failures
        reach = self.traits.reach(route.train)
        barred = barred_stretches(self.graph, self.traits, reach, spare=True)
        found = fits(self.graph, route.hexes, self.blocked, barred, self.traits.loops)
        if not found:
            return [], self.why_no_track(route, facts)
        spoken: list[_Option] = []
        others: list[_Option] = []
        for fit in found:
            wrong, option, faithful = self.judge(fit, reach, facts)
            if option is None:
                failures = failures or wrong
            else:
                (spoken if faithful or option.exact else others).append(option)
        # A town that is not named does not count, if the names can be read that way.
        options = spoken or others
        return options, [] if options else failures

    def names(self, route: Route, facts: Mapping[str, Fact]) -> list[Failure]:
        """The failures of the train and the names of the hexes by themselves."""
        failures = []
        if route.train not in self.traits.trains:
            failures.append(Failure("run.no_such_train", {**facts, "trains": self.traits.trains}))
        unknown = [hex for hex in dict.fromkeys(route.hexes) if hex not in self.board.map.hexes]
        failures += [Failure("run.no_such_hex", {**facts, "hex": hex}) for hex in unknown]
        if len(route.hexes) < 2:
            failures.append(Failure("run.too_short", {**facts, "counted": len(route.hexes)}))
        if failures:
            return failures
        ends = dict.fromkeys((route.hexes[0], route.hexes[-1]))
        return [Failure("run.end_without_stop", {**facts, "hex": hex}) for hex in ends if hex not in self.graph.at]

    def judge(
        self, fit: Fit, reach: TrainReach, facts: Mapping[str, Fact]
    ) -> tuple[list[Failure], _Option | None, bool]:
        """Check a track that is possible as such. Return the failures, the option (None if there are failures), and
        True if every counted stop of it was named."""
        failures = self.reaching(fit.track, reach, facts)
        if failures:
            return failures, None, False
        empty = lacks_value(self.graph, self.traits, reach, fit.track.stops)
        if empty:
            return [self.worthless(i, facts) for i in empty], None, False
        result = worth(self.graph, self.traits, reach, self.own, fit.track, fit.named)
        if result is None:
            own = self.hexes(i for i in fit.track.stops if i in self.own)
            return [Failure("run.own_marker_not_counted", {**facts, "hexes": own, "limit": reach.stops})], None, False
        exact = fit.track.hexes(self.graph) == facts["route"]
        option = _Option(fit.track, fit.track.mask(self.graph), result.value, result.counted, exact)
        return [], option, fit.named.issuperset(result.counted)

    def together(self, sets: Iterable[tuple[_Option, ...]]) -> list[tuple[_Option, ...]]:
        """Those of the sets that the company may run as a whole."""
        return [found for found in sets if self.against_all(found) is None]

    def against_all(self, options: Sequence[_Option]) -> Failure | None:
        """The objection to the options as a set; None if there is none."""
        return against(self.traits.together, self.graph, [option.track for option in options])

    def values(self, options: Sequence[_Option]) -> tuple[int, ...]:
        """The earnings of each of the options, including claims."""
        touched = [frozenset(self.hexes(option.track.stops)) for option in options]
        claims = claimed(self.traits.claims, touched)
        return tuple(option.value + claim for option, claim in zip(options, claims, strict=True))

    def toll_once(self, options: Sequence[_Option]) -> int:
        """The toll that is due once for all of the options."""
        hex, toll = self.traits.toll_once or (None, 0)
        return toll if hex and any(option.track.touches(self.graph, hex) for option in options) else 0

    def reaching(self, track: Track, reach: TrainReach, facts: Mapping[str, Fact]) -> list[Failure]:
        """The failures that concern the marker, the ends and the length of a route."""  # rule 1861:8.1, 9.1, 9.2
        failures: list[Failure] = []
        stops, hexes = track.stops, track.hexes(self.graph)
        if same_side(self.areas, self.traits, stops[0], stops[-1]):
            ends = self.hexes((stops[0], stops[-1]))
            failures.append(Failure("run.same_side", {**facts, "hexes": ends, "side": self.areas[stops[0]].side}))
        if not self.own.intersection(stops):
            failures.append(Failure("run.no_own_marker", {**facts, "company": self.traits.company}))
        forced = compulsory(self.graph, reach, stops)
        always = [i for i in dict.fromkeys(stops) if self.graph.nodes[i].kind in reach.must_count]
        if reach.hexes is not None and (counted := track.length(self.graph)) > reach.hexes:
            over: dict[str, Fact] = {"counted": counted, "limit": reach.hexes, "hexes": hexes}
            failures.append(Failure("run.too_many_hexes", {**facts, **over}))
        elif len(always) > reach.stops:
            failures.append(
                Failure(
                    "run.too_long",
                    {**facts, "counted": len(always), "limit": reach.stops, "hexes": self.hexes(always)},
                )
            )
        elif len(forced) > reach.stops:
            tips = [i for i in (stops[0], stops[-1]) if i not in always]
            failures.append(
                Failure(
                    "run.end_not_counted",
                    {**facts, "hexes": self.hexes(tips), "counted": len(forced), "limit": reach.stops},
                )
            )
        failures += self.ending(track, reach, facts)
        there = stations(self.graph, self.traits, stops)
        if (needed := self.traits.stations or self.traits.termini) and len(there) < 2:
            kinds = tuple(sorted(needed))
            failures.append(Failure("run.two_stations", {**facts, "hexes": self.hexes(there), "kinds": kinds}))
        if min(reach.stops, len(stops)) < 2:
            failures.append(Failure("run.too_short", {**facts, "counted": min(reach.stops, len(stops))}))
        return failures

    def ending(self, track: Track, reach: TrainReach, facts: Mapping[str, Fact]) -> list[Failure]:
        """The failures that concern the kinds of the ends of a route and the markers there."""
        nodes, ends = self.graph.nodes, tuple(dict.fromkeys((track.stops[0], track.stops[-1])))
        failures = []
        if wrong := tuple(i for i in ends if self.traits.termini and nodes[i].kind not in self.traits.termini):
            kinds = tuple(sorted(self.traits.termini))
            failures.append(Failure("run.end_no_station", {**facts, "hexes": self.hexes(wrong), "kinds": kinds}))
        if not reach.held_ends:
            return failures
        if len(ends) < 2:
            failures.append(Failure("run.ends_alike", {**facts, "hex": nodes[ends[0]].hex}))
        open = {i for i in ends if nodes[i].kind in reach.open_ends and i not in self.blocked}
        free = tuple(i for i in ends if i not in self.own and i not in open)
        if free:
            company = self.traits.company
            failures.append(Failure("run.end_not_held", {**facts, "hexes": self.hexes(free), "company": company}))
        return failures

    def worthless(self, stop: int, facts: Mapping[str, Fact]) -> Failure:
        """The failure of a run to a worthless stop: one that is no stop now, because it pays nothing."""
        node = self.graph.nodes[stop]
        return Failure("run.worthless_stop", {**facts, "hex": node.hex, "kind": node.kind})

    def why_no_track(self, route: Route, facts: Mapping[str, Fact]) -> list[Failure]:
        """The failures of a route whose names no legal track fits: those of the nearest track that fits them."""
        track, furthest = nearest(self.graph, route.hexes)
        if track is None:
            furthest = min(furthest, len(route.hexes) - 1)  # the last name may be reached where there is no stop
            gap: dict[str, Fact] = {"from": route.hexes[furthest - 1], "to": route.hexes[furthest]}
            longer, _ = nearest(self.graph, route.hexes, leave_out=True)
            if longer is not None:
                named = set(route.hexes)
                unnamed = [
                    i
                    for i in longer.stops
                    if self.graph.nodes[i].kind != "town" and self.graph.nodes[i].hex not in named
                ]
                if 0 < len(unnamed) <= _FEW_UNNAMED:
                    return [Failure("run.stop_not_named", {**facts, **gap, "hexes": self.hexes(unnamed)})]
            return [Failure("run.no_track", {**facts, **gap})]
        reach = self.traits.reach(route.train)
        return self.against(track, reach, facts) + self.reaching(track, reach, facts)

    def against(self, track: Track, reach: TrainReach, facts: Mapping[str, Fact]) -> list[Failure]:
        """The failures for all rules that ``track`` breaks as a route."""  # rule 1861:8.1, 9.4
        graph, failures = self.graph, []
        colors = {hex: self.board.face(hex).color for hex in track.hexes(graph)}
        if shunned := tuple(hex for hex, color in colors.items() if color in reach.shuns):
            failures.append(Failure("run.shunned_hex", {**facts, "hexes": shunned, "color": colors[shunned[0]]}))
        for i in dict.fromkeys(track.stops):
            if graph.nodes[i].kind in reach.avoids:
                there = graph.nodes[i]
                failures.append(Failure("run.avoided_stop", {**facts, "hex": there.hex, "kind": there.kind}))
        empty = (i for i in dict.fromkeys(track.stops) if worthless(graph, self.traits, i))
        failures += [self.worthless(i, facts) for i in empty]
        nodes = [graph.nodes[i] for i in track.stops]
        for i, times in Counter(track.stops).items():
            closed = self.traits.loops and i == track.stops[0] == track.stops[-1] and not graph.nodes[i].terminal
            if times > 1 + closed:
                failures.append(Failure("run.stop_twice", {**facts, "hex": graph.nodes[i].hex}))
        cities = {(n.hex, n.index) for n in nodes if n.kind == "city" and not self.board.map.cities_apart}
        for hex, times in Counter(hex for hex, _ in cities).items():
            if times > 1:
                failures.append(Failure("run.hex_twice", {**facts, "hex": hex}))
        areas = {i: graph.nodes[i] for i in track.stops if graph.nodes[i].kind == "offboard"}
        for place, times in Counter(n.place for n in areas.values()).items():
            if times > 1:
                same = tuple(n.hex for n in areas.values() if n.place == place)
                failures.append(Failure("run.area_twice", {**facts, "hexes": same}))
        used = shared = 0
        for s in track.stretches:
            shared |= used & graph.stretches[s].mask
            used |= graph.stretches[s].mask
        if shared:
            failures.append(Failure("run.track_twice", {**facts, "hexes": graph.meeting(shared)}))
        for i in dict.fromkeys(track.stops[1:-1]):
            if graph.nodes[i].kind == "offboard":
                failures.append(Failure("run.through_offboard", {**facts, "hex": graph.nodes[i].hex}))
            elif graph.nodes[i].stem:
                failures.append(Failure("run.through_stem", {**facts, "hex": graph.nodes[i].hex}))
            elif graph.nodes[i].terminal:
                failures.append(Failure("run.through_mountain", {**facts, "hex": graph.nodes[i].hex}))
            elif i in self.blocked:
                here, standing = graph.nodes[i].hex, self.board.at(graph.nodes[i].hex, graph.nodes[i].index)
                failures.append(Failure("run.passes_blocked_city", {**facts, "hex": here, "companies": standing}))
        return failures


def check_run(board: Board, traits: RunTraits, routes: tuple[Route, ...]) -> RunCheck:
    """The verdict on ``routes``, at most one for each of the company's trains. An empty set is legal and earns
    nothing."""
    judge = Judge(board, traits)
    failures: list[Failure] = []
    for train, times in Counter(r.train for r in routes).items():
        owned = traits.trains.count(train)
        if 0 < owned < times:
            failures.append(Failure("run.train_twice", {"train": train, "owned": owned, "routes": times}))
    choices = []
    for route in routes:
        options, wrong = judge.readings(route)
        failures += wrong
        choices.append(options)
    if not all(choices):
        failures += _shared(judge.graph, routes, choices)
        return RunCheck(tuple(failures))
    sets = _sets([_narrowed(options) for options in choices]) or _sets(choices)
    if not sets:
        return RunCheck((*failures, *_shared(judge.graph, routes, choices)))
    together = judge.together(sets) or judge.together(_sets(choices))
    if not together:
        return RunCheck((*failures, *filter(None, (judge.against_all(sets[0]),))))
    sets = together
    totals = {sum(judge.values(chosen)) - judge.toll_once(chosen) for chosen in sets}
    if len(totals) > 1:
        failures += _ambiguous(judge.graph, routes, sets)
    if failures:
        return RunCheck(tuple(failures))
    chosen, nodes = sets[0], judge.graph.nodes
    counted = tuple(tuple((nodes[i].hex, nodes[i].index) for i in o.counted) for o in chosen)
    return RunCheck((), judge.values(chosen), tuple(o.track for o in chosen), counted, judge.toll_once(chosen))


def can_run(board: Board, traits: RunTraits) -> bool:
    """True if any of the trains has a legal route. Where any two stops will do, every legal route has a stop with an
    own marker and another stop next to it, and the route between these two alone is legal, too."""  # rule 1861:9.11
    graph = graph_of(board)
    own_places = own_stops(board, graph, traits.company, traits.marker_in)
    if traits.stations or traits.termini:
        blocked = blocked_stops(board, graph, traits.company)
        return any(
            Explorer(graph, traits, reach, own_places, blocked).any(Budget(_MOST_STEPS))
            for reach in dict.fromkeys(traits.reaches)
        )
    for reach in dict.fromkeys(traits.reaches):
        barred = barred_stretches(graph, traits, reach)
        if reach.stops >= 2 and any(
            s not in barred and graph.nodes[other].place != graph.nodes[own].place
            for own in own_places
            for s, other in graph.exits[own]
        ):
            return True
    return False


def _narrowed(options: list[_Option]) -> list[_Option]:
    """The first option whose every hex is named, if there is one, since a route that leaves nothing out means nothing
    else; otherwise all options."""
    return [o for o in options if o.exact][:1] or options


def _sets(choices: Sequence[Sequence[_Option]]) -> list[tuple[_Option, ...]]:
    """Every way to choose one track for each route such that no track is shared, in a fixed order. After each route, at
    most ``_MOST_SETS`` ways are kept."""
    sets: list[tuple[tuple[_Option, ...], int]] = [((), 0)]
    for options in choices:
        sets = [((*chosen, o), used | o.mask) for chosen, used in sets for o in options if apart(used, o.mask)]
        del sets[_MOST_SETS:]
    return [chosen for chosen, _ in sets]


def _shared(graph: Graph, routes: Sequence[Route], choices: Sequence[Sequence[_Option]]) -> list[Failure]:
    """A failure for each pair of routes that share track in all of their readings."""  # rule 1861:9.3
    failures = []
    by_two = all(choices) and all(any(apart(a.mask, b.mask) for a in x for b in y) for x, y in combinations(choices, 2))
    for (i, first), (j, second) in combinations(enumerate(choices), 2):
        # Three routes may conflict although any two of them fit together. Then their first readings are compared.
        pairs = [(first[0], second[0])] if by_two else [(a, b) for a in first for b in second]
        if pairs and not any(apart(a.mask, b.mask) for a, b in pairs):
            facts: dict[str, Fact] = {
                "train": routes[i].train,
                "other": routes[j].train,
                "route": routes[i].hexes,
                "other_route": routes[j].hexes,
                "hexes": graph.meeting(pairs[0][0].mask & pairs[0][1].mask),
            }
            failures.append(Failure("run.shared_track", facts))
    return failures


def _ambiguous(graph: Graph, routes: Sequence[Route], sets: Sequence[tuple[_Option, ...]]) -> list[Failure]:
    """A failure for each route that may mean different tracks, with the hexes that only some of them run through."""
    failures = []
    for n, route in enumerate(routes):
        tracks = {chosen[n].track: chosen[n].value for chosen in sets}
        if len(tracks) < 2:
            continue
        through = [dict.fromkeys(track.hexes(graph)) for track in tracks]
        everywhere = set(through[0]).intersection(*through[1:])
        telling = tuple(dict.fromkeys(h for hexes in through for h in hexes if h not in everywhere))
        choices: tuple[Fact, ...] = tuple(
            (value, *(h for h in hexes if h not in everywhere))
            for value, hexes in zip(tracks.values(), through, strict=True)
        )
        facts: dict[str, Fact] = {"train": route.train, "route": route.hexes, "hexes": telling, "choices": choices}
        failures.append(Failure("ambiguous.route", facts))
    return failures
