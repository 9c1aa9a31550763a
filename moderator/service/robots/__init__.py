"""Mail that no person wrote: recognised, noted, and never answered without end."""
