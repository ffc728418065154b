"""What tests of several rooms share: fakes, wikis, servers, and the ways to look at what came of it."""
