"""Graphs of prices, money and wealth over a game."""
