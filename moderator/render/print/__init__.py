"""Documents on paper, as files for Typst."""
