"""A company's turn: track, markers, runs, trains and costs."""
