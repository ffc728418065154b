"""What style sheets say of how an element looks, and whether it is seen: selectors, colours, lengths, rules."""
