"""Mail that goes out: written into the outbox with what it tells of, sent afterwards."""
