"""The main screen, in the parts that it is made of, and the dialogs over it."""
