"""Who sits where and who writes: seats and their secret addresses, what a sender's word is worth, who is reached."""
