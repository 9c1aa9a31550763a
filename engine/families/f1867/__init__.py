"""The family of 1861 and 1867: minors that grow into public companies, loans, a state railway that takes over."""
