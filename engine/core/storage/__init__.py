"""Games and positions in the form in which they are kept."""
