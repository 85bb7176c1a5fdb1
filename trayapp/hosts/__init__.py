"""One file per agent host, and the only place that knows that host's name, files, calls and traps."""
