"""What the readers of office files share, and what such a file says beside its text: styles, number formats, grounds."""
