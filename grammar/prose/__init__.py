"""Prose: how orders are told from it, and the wishes in it, in several languages."""
