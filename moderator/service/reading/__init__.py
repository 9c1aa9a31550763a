"""Reading of mail: its bytes are parsed within limits, and the writer's own text is found. No game changes here."""
