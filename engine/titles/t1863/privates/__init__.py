"""Private companies: their auction, trade and powers."""
