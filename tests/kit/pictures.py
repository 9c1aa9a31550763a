"""The properties of a picture of a hex, by geometry of its own: nothing overlaps, nothing leaves the hex."""

from __future__ import annotations

from math import hypot

import engine
from engine.svg.hexes import SIDE, Point
from engine.svg.label_places import Label
from engine.svg.labels import Labelled, Wanted, labels
from engine.svg.stations import INSET, badge_lines, circle_of
from engine.svg.stops import Spot, spots
from engine.svg.view import HexView, hex_views

MAY_BE_LEFT_OUT = {"number", "coordinate", "tag"}
"""Labels that the margin of the map, or the words of the hex, tell too."""

SO_FAR: dict[str, int] = {}
"""Orders of a game of a title whose rules are still being written."""


def faults_of_labels(wanted: Wanted) -> list[str]:
    """Everything that is wrong with the labels of a hex."""
    found = labels(wanted)
    faults = [f"no place for the {kind}" for kind in found.missing if kind not in MAY_BE_LEFT_OUT]
    for i, one in enumerate(found.labels):
        faults += [f"{one.kind} leaves the hex"] if leaves(one, wanted.flat) else []
        faults += [f"{one.kind} on {other.kind}" for other in found.labels[i + 1 :] if overlap(one, other)]
        faults += [f"{one.kind} on a stop" for spot in spots(wanted.face, wanted.flat) if covers(one, spot)]
    return faults + _not_said(wanted, found)


def _not_said(wanted: Wanted, found: Labelled) -> list[str]:
    """Values, name, letter and cost that the labels do not say."""
    said = {label.kind: " ".join(label.lines) for label in found.labels}
    face = wanted.face
    priced = [s for s in (*face.cities, *face.towns) if isinstance(s.revenue, int) and s.revenue]
    missing = []
    if priced and "value" not in said:
        missing.append("value")
    if wanted.name and said.get("name", "").replace("/ ", "/") != wanted.name:
        missing.append("name")
    if face.label and said.get("letter") != face.label:
        missing.append("letter")
    if face.terrain and said.get("cost") != str(face.terrain):
        missing.append("cost")
    return [f"the {kind} is not said" for kind in missing]


def _inside(point: Point, flat: bool) -> bool:
    """Inside a hex, by the sides of the polygon."""
    x, y = point if flat else point[::-1]
    return abs(y) <= SIDE * 3**0.5 / 2 and 3**0.5 * abs(x) + abs(y) <= SIDE * 3**0.5


def leaves(label: Label, flat: bool) -> bool:
    (x, y), r = label.at, label.radius
    left, top, right, bottom = label.box
    corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
    if r:
        corners = [(x + r * a, y + r * b) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, -0.7))]
    return not all(_inside(corner, flat) for corner in corners)


def overlap(a: Label, b: Label) -> bool:
    if a.radius and b.radius:
        return hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) < a.radius + b.radius
    if a.radius or b.radius:
        disc, box = (a, b) if a.radius else (b, a)
        return _disc_on_box(disc.at, disc.radius, box)
    return a.box[0] < b.box[2] and b.box[0] < a.box[2] and a.box[1] < b.box[3] and b.box[1] < a.box[3]


def _disc_on_box(at: Point, radius: float, box: Label) -> bool:
    left, top, right, bottom = box.box
    nearest = min(max(at[0], left), right), min(max(at[1], top), bottom)
    return hypot(at[0] - nearest[0], at[1] - nearest[1]) < radius


def covers(label: Label, spot: Spot) -> bool:
    """The label lies on a circle of the stop, or on its dot."""
    for at in spot.circles or ((spot.at,) if spot.shape == "dot" else ()):
        if label.radius and hypot(at[0] - label.at[0], at[1] - label.at[1]) < label.radius + spot.radius:
            return True
        if not label.radius and _disc_on_box(at, spot.radius, label):
            return True
    return False


def faults_of_markers(view: HexView) -> list[str]:
    """Markers that do not lie in a circle of their city, or whose letters do not fit in."""
    faults = []
    cities = [spot for spot in spots(view.face, view.wanted.flat) if spot.kind == "c"]
    if len(cities) != len(view.circles):
        faults.append(f"{len(view.circles)} cities for {len(cities)}")
    for spot, holders in zip(cities, view.circles, strict=False):
        places = [circle_of(spot, i) for i in range(len(holders))]
        own = places[: len(spot.circles)]
        faults += [f"{holders[i]} in no circle" for i, at in enumerate(own) if at not in spot.circles]
        if len(set(places)) != len(places):
            faults.append("two markers in one place")
        for _, name in holders:
            lines, size = badge_lines(name, spot.radius - INSET)
            if not size > 5:
                faults.append(f"{name} in letters of {size}: {lines}")
    return faults


def faults_of(game: engine.Game) -> list[str]:
    """Everything that is wrong with the map of a position, with the hex."""
    found = []
    for hex, view in hex_views(game.title, game.state).items():
        found += [f"{hex}: {fault}" for fault in faults_of_labels(view.wanted) + faults_of_markers(view)]
    return found
