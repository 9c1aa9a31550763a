"""What a mail says: its bytes taken apart within limits, and in them what its writer wrote. No game changes here."""
