# SPDX-License-Identifier: MIT
"""What a short run (RD_TEST_SHORT) leaves out: of a sweep all but one case of some, and tests that take long."""
import itertools
import os
import unittest

SHORT = "RD_TEST_SHORT" in os.environ
# Of their kind, shorter ones are in a short run.
takes_long = unittest.skipIf(SHORT, "takes long")


def part(cases, every=7):
    """The cases of a sweep that this run has."""
    return cases[::every] if SHORT else cases


class OneOfSome:
    """Mixed into a class whose tests are many of one kind: a short run has one of EVERY, in the order of their names."""

    EVERY = 3
    __count = itertools.count()

    def setUp(self):
        if SHORT and next(self.__count) % self.EVERY:
            self.skipTest("takes long")
        super().setUp()
