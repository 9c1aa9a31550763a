"""Mergers, transformations, and what the first 4-train brings."""
