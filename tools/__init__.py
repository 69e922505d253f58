"""What only makers of houle run: benchmarks, golden files, generated pages, the almanac. Not part of the package."""
