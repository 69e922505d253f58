"""Tests of houle; folders mirror the rooms."""

import os

os.environ["HOULE_STRICT"] = "1"  # a section or figure of a report that fails breaks a test
