"""A board in the terminal: a game that you play against yourself or against robots.

``play.py`` is the command; ``table.py`` has the game with everything that can be taken back; ``terminal_map.py`` draws
the map in letters and dots.
"""
