"""The command line. Every verb imports what it needs when it is called, not before."""
