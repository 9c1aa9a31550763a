"""The service and the processes that it consists of."""
