"""Games: begun, moved, told about, kept going by their deadlines."""
