"""Builds orders, programs and words for the moderator from parsed lines."""
