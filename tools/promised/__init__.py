"""What each version promises to those after it, written down, and what of it no longer holds (``docs/promises.md``)."""
