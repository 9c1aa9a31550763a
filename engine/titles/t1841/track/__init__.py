"""Track: builds, their bases, and the borders between them."""
