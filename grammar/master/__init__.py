"""The words that game masters write."""
