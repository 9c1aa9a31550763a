"""Reading mail: its bytes are taken apart within limits, and the writer's own text is found. No game changes here."""
