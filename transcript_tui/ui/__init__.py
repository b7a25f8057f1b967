"""The transcript → the screen. Nothing outside of this package knows Textual and Rich."""
