"""A game and its seats, as one sitting deals with them: what proves a seat, what waits, what seats are told."""
