"""1867 on 18xx.games."""
