"""A page of HTML as a browser shows it: its text line by line, what lies over it, and what it says of itself."""
