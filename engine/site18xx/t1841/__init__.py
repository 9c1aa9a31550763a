"""1841 on 18xx.games."""
