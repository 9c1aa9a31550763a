"""One mail inside its transaction, stage by stage, from its bytes to the answer."""
