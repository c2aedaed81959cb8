# SPDX-License-Identifier: MIT
"""Time limit for what should come at once: so long that a machine with much else to do doesn't meet it.
What never ends is also ended by Meson, with the test."""
import subprocess

WAIT_S = 600


class Process(subprocess.Popen):
    """One that is ended where the block it belongs to fails: a test that fails doesn't wait for it."""

    def __exit__(self, kind, value, trace):
        if kind:
            self.kill()
        super().__exit__(kind, value, trace)
