"""1861 and its cousins on 18xx.games: what their bridges share."""
