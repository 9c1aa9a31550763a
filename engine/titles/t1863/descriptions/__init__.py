"""Descriptions of decisions, for the players."""
