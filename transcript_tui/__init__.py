"""A terminal viewer for agent conversations that speak AG-UI."""

__version__ = "0.1.0"
