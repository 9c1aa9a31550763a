"""Mail that no person wrote: told apart, taken note of, and never answered without end."""
