"""The stock round: trade in shares and shorts, and the start of companies."""
