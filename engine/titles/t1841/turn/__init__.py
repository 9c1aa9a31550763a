"""A company's turn but for its track: runs, trains, tokens of others, and trade in shares."""
