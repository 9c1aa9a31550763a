"""The operator's tools: health and alarms, outages, copies, and the release of mails that are held back."""
