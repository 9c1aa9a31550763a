"""Programs that look after the project; no part of what is installed."""
