"""The record of a game, made from its journal, and the game rebuilt from it."""
