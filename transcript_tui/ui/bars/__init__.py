"""The lines around the transcript: the facts of a session, in pieces, as widgets."""
