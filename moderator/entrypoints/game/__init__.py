"""``railpost game``: begin games, show them, and act in them."""
