"""The stock round: trade in shares, the start of companies, and lots."""
