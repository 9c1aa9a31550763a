"""Orders given ahead: the occasion that each waits for, standing orders, and what can be said of them beforehand."""
