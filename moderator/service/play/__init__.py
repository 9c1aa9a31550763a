"""The play of games: their beginning, moves, answers and news, and the deadlines that keep them going."""
