"""Legal orders for a player who wrote something that is none, or that the rules refuse."""
