"""The concessions: their auction, and their trade in later rounds."""
