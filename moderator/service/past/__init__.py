"""The past of games: their log, the data stored so that the log need not be replayed, and the handling of a replay that
leads to another position than was told."""
