"""What is measured: measures, targets, verdicts, and the words for them."""
