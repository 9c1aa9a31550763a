"""1861 on 18xx.games."""
