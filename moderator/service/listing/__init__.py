"""Lists and pages for commands: read from the tables, given as values (``moderator.domain.listed``)."""
