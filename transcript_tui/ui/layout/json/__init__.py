"""JSON: read as it arrives, indented, whole or not; its words, and the letters in its escapes."""
