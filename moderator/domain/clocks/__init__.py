"""Times of day and days in their zones, and the terms of a game's clocks."""
