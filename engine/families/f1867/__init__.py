"""1867 and its cousins: minors that grow into public companies, loans, and a state railway that takes over."""
