"""Read off the sources which facts a check gets, also where they are put together before or handed on by a function."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

Function: TypeAlias = ast.FunctionDef | None
Names: TypeAlias = frozenset[str]
_DEEPEST: Final = 6
"""The number of functions through which facts are followed."""


class Facts:
    """The calls in some modules by the name of the called function, to follow what is handed on."""

    def __init__(self, trees: Iterable[ast.Module]) -> None:
        self._calls: dict[tuple[str, ast.Module | None], list[tuple[Function, ast.Call]]] = {}
        self._defined: dict[str, list[ast.FunctionDef]] = {}
        self._module: dict[ast.FunctionDef, ast.Module] = {}
        for tree in trees:
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    self._module[node] = tree
                    self._defined.setdefault(node.name, []).append(node)
            for function, call in calls(tree):
                own = isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "self"
                self._calls.setdefault((called(call), tree if own else None), []).append((function, call))

    def of(self, call: ast.Call, function: Function, position: int) -> Names | None:
        """The names of the facts that ``call`` gives to a check: those of ``Failure`` in an object after the key, at
        ``position``, those of others by name. None if they cannot be read off."""
        if not isinstance(call.func, ast.Name):
            parts = [frozenset({k.arg}) if k.arg else self._in(k.value, function, 0) for k in call.keywords]
            return _union(parts)
        given = [k.value for k in call.keywords if k.arg == "facts"] or call.args[position + 1 : position + 2]
        return self._in(given[0], function, 0) if given else frozenset()

    def _in(self, node: ast.expr, function: Function, depth: int) -> Names | None:
        """The keys that an object surely has."""
        if depth > _DEEPEST:
            return None
        match node:
            case ast.Dict(keys=keys, values=values):
                return _union(
                    self._in(value, function, depth) if key is None else _literal(key)
                    for key, value in zip(keys, values, strict=True)
                )
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                return _union((self._in(left, function, depth), self._in(right, function, depth)))
            case ast.IfExp(body=body, orelse=orelse):
                return _both((self._in(body, function, depth), self._in(orelse, function, depth)))
            case ast.Call(func=ast.Name(id="dict"), args=[given]):
                return self._in(given, function, depth)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name)):
                return self._made(name, depth)
            case ast.Name(id=name):
                return self._named(name, function, depth)
        return None

    def _made(self, name: str, depth: int) -> Names | None:
        """The keys that every object surely has that the only function of that name returns."""
        made = self._defined.get(name, [])
        if len(made) != 1:
            return None
        given_back = [node.value for node in ast.walk(made[0]) if isinstance(node, ast.Return) and node.value]
        return _both([self._in(value, made[0], depth + 1) for value in given_back])

    def _named(self, name: str, function: Function, depth: int) -> Names | None:
        if function is None:
            return None
        assigned = [value for target, value in _assignments(function) if target == name]
        if assigned:
            return _both([self._in(value, function, depth + 1) for value in assigned])
        names = [a.arg for a in (*function.args.posonlyargs, *function.args.args) if a.arg not in ("self", "cls")]
        if name not in (*names, *(a.arg for a in function.args.kwonlyargs)):
            return None
        found: list[Names | None] = []
        method = function.args.args[:1] and function.args.args[0].arg == "self"
        own = self._calls.get((function.name, self._module.get(function)), []) if method else []
        for caller, call in own or self._calls.get((function.name, None), []):
            given = [k.value for k in call.keywords if k.arg == name]
            if not given and name in names:
                given = call.args[names.index(name) :][:1]
            if given:
                found.append(self._in(given[0], caller, depth + 1))
        return _both(found)


def calls(tree: ast.AST, function: Function = None) -> Iterator[tuple[Function, ast.Call]]:
    """Every call with the function it stands in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield function, node
        yield from calls(node, node if isinstance(node, ast.FunctionDef) else function)


def called(call: ast.Call) -> str:
    """The name of the called function; empty for any other expression."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _assignments(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


def _literal(node: ast.expr) -> Names | None:
    return frozenset({node.value}) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _union(parts: Iterable[Names | None]) -> Names | None:
    """The names in any of ``parts``. One that cannot be read off can only add to them; None if that is all there is."""
    found = list(parts)
    known = [part for part in found if part is not None]
    return frozenset[str]().union(*known) if known or not found else None


def _both(parts: Sequence[Names | None]) -> Names | None:
    """The names in all ``parts``; None if there are none of them, or one cannot be read off."""
    found = [part for part in parts if part is not None]
    return found[0].intersection(*found[1:]) if found and len(found) == len(parts) else None
