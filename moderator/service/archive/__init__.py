"""The archive of a service's games: volumes made of what is stored, and brought up to date."""
