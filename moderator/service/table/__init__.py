"""A game and its seats within one sitting: evidence for a seat, held and sealed orders, and mails to the seats."""
