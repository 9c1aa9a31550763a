"""1841: a subject that reads the books of companies that own companies."""

from __future__ import annotations

from tests.referee.bench import Subject
from tests.referee.companies import ChainBooks


class ChainSubject(Subject):
    @property
    def books(self) -> ChainBooks:
        assert isinstance(self.bench.books, ChainBooks)
        return self.bench.books

    @property
    def before(self) -> ChainBooks:
        assert isinstance(self.bench.before, ChainBooks)
        return self.bench.before
