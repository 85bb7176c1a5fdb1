"""Qt, and with `desktop/` the only place with Qt: tray, ring, popover, window, charts."""
