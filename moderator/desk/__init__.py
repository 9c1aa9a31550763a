"""The desk: the rules in a player's browser. ``sitting.py`` runs there; ``build.py`` makes the folder of pages."""
