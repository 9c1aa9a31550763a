"""Defaults: the orders that are given for a player who does not answer in time, where the table has agreed on that.

``rule.py`` has the types, ``choices.py`` the ways to choose, ``common.py`` the defaults of shared decisions. A family
or a title has its table in its own ``defaults.py``: kind of decision -> rules, of which the first that finds an order
counts. ``engine.silence`` looks the tables up. No default changes a rule, so they are not part of the fingerprint.
"""
