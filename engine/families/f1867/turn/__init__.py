"""A company's turn."""
