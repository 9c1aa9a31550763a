"""Commands about records, and what is made of them."""
