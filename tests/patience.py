# SPDX-License-Identifier: MIT
"""Time limit for what should come at once: so long that a machine with much else to do doesn't meet it.
What never ends is also ended by Meson, with the test."""

WAIT_S = 600
