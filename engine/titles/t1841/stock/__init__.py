"""The stock round: trade in shares, the start of companies, and the limits of holdings."""
