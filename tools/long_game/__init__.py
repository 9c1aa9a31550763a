"""A whole game of 1861 by mail alone, with all that may happen on the way: its script, a service for it, its pages."""
