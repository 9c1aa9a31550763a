"""Games that are played again by mail, to count how often a table waits for one."""
