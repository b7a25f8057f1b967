"""Other programs' logs, recognised by content and read whole; a file each, a line in the
registry. Importing a reader, as the tape does that of envelopes, imports no other."""
