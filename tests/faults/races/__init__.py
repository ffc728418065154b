"""Races: an editor, or the user's own git, at work on the pages in the very moments in which curator exchanges them."""
