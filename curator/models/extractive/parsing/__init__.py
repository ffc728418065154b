"""How a source is read into blocks, sections and sentences, whatever its markup."""
