"""The merger round: conversions, mergers and refinancing."""
