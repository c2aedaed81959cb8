# SPDX-License-Identifier: MIT
"""How long the tests wait for what should come at once: so long that a machine with much else to do doesn't meet it.
What has no end, Meson ends too, with the test."""

WAIT_S = 600
