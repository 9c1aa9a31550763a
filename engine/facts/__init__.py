"""The facts of a title: files of them are read, checked, completed and corrected."""
