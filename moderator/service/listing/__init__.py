"""Lists and pages for commands: read from the tables, and returned as values (``moderator.domain.list_rows``)."""
