"""Records: their text, their limits, and those of 18xx.games."""
