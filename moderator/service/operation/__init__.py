"""What whoever runs the service needs: its health and alarms, outages, copies, what he lets go on."""
