"""Games as other libraries want them."""
