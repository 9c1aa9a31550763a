"""Figures of a game, of its rounds, and of several games together."""
