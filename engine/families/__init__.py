"""Rules that the titles of one family share, in a folder for each family."""
