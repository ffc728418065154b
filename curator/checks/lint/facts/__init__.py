"""What a lint run knows: facts of each page, kept by blob, and the sources as they lie."""
