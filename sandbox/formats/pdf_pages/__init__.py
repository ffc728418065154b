"""What is on the pages of a PDF: its letters, what of them is seen, their order, rows and tables; words of pictures."""
