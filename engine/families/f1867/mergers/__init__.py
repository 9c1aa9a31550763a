"""The merger round, and the state railway."""
