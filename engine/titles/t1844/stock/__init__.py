"""The stock round: trade in shares, and the start of companies."""
