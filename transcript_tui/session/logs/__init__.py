"""Other programs' logs, recognised by content and read whole; a file each, one line here."""

from transcript_tui.session.logs.foreign import Foreign
from transcript_tui.session.logs.registry import FOREIGN, recognise

__all__ = ["FOREIGN", "Foreign", "recognise"]
