"""The people in the games: seats and their secret addresses, proof of senders, and the players who can be reached."""
