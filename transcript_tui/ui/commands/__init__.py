"""What the keys do: one module a group of the help screen, one method a row of the table."""
