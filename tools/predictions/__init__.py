"""`make predictions`: how well groups of people are placed and predicted, by simulation."""
