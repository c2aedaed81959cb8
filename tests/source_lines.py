# SPDX-License-Identifier: MIT
"""Conditions of tests in a build without libdw: its findings have no source lines, names of variables or types."""

import os
import unittest

HAS_LINES = os.environ.get("RD_TEST_LINES") != "no"
needs_lines = unittest.skipUnless(HAS_LINES, "no source lines in this build: there was no libdw")
