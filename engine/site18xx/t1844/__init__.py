"""1844 on 18xx.games."""
