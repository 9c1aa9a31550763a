"""1867: a subject that reads the map as it lies."""

from __future__ import annotations

from tests.referee.bench import Subject
from tests.referee.books_1867 import GroundBooks


class GroundSubject(Subject):
    @property
    def books(self) -> GroundBooks:
        assert isinstance(self.bench.books, GroundBooks)
        return self.bench.books

    @property
    def before(self) -> GroundBooks:
        assert isinstance(self.bench.before, GroundBooks)
        return self.bench.before
