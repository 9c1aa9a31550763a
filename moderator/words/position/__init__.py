"""A position in words: players, companies, shares, the board, the market and trains."""
