"""Packages that stand in the place of heavy ones, found first by who has this folder on its path."""
