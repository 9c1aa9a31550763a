"""``railpost archive``, and the archive that a running service keeps up to date."""
