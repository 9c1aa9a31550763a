"""The bridge to 18xx.games of the family of 1861 and 1867: what those of both titles share."""
