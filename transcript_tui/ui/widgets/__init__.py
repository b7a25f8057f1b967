"""What several views draw with."""
