"""A question in words: the menu of legal orders, finished answers, the lots, and what follows."""
