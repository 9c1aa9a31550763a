"""Files of corrected facts, and what can be wrong in them."""
