"""Pages as values: frontmatter, Markdown, links, citations, edits."""
