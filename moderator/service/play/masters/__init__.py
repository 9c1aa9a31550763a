"""Acts of game masters on a game."""
