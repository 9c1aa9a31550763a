"""The past of games: their log, what is stored so that it need not be played again, and what happens where playing it
again leads elsewhere than it was told."""
