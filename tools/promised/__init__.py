"""The promises of each version, written down, and those that no longer hold (``docs/promises.md``)."""
