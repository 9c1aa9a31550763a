"""Rules that cousins share: titles of one family, in a folder for each family."""
