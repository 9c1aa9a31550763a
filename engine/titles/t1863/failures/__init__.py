"""Companies that are taken apart: liquidation, acquisition and the LPTB."""
