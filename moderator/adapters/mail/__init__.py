"""Mail: servers and folders, and the form of our own."""
