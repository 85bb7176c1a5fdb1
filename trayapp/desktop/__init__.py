"""What a desktop asks of an app that lives in the tray: one instance, start at login, no Dock icon. One module each."""
