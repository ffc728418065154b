"""The page that proves itself: the wiki in a browser, on this machine only."""
