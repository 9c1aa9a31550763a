"""Orders that are kept ready after an undo: their rows, and how a game goes on with them."""
