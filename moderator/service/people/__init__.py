"""The people in the games: their addresses, proof of senders, requests that need a ``yes``, and seats that cannot be
reached."""
