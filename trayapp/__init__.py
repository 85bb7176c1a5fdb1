"""Agent Ring: what the AI-agent sessions on this computer hold, and how to get it back."""

__version__ = "0.1.0"
