"""Emergency money and bankruptcy."""
