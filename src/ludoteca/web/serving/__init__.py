"""What the server process needs whatever it serves: settings, limits, logs, files, child processes."""
