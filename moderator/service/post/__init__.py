"""Outgoing mail: written into the outbox together with the change that it reports, and sent afterwards."""
