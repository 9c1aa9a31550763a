"""The ways into a game and out of it: forming games, the waiting list, open seats, observers."""
