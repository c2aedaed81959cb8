# SPDX-License-Identifier: MIT
"""Base of the tests of `reductio check`: runs it, and holds its reports against their schema."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from patience import WAIT_S
from source_lines import HAS_LINES  # noqa: F401

try:
    import jsonschema
except ImportError:
    jsonschema = None

BINARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "reductio"
TEMPORARY = tempfile.TemporaryDirectory(prefix="reductio-")
FOLDER = os.path.join(TEMPORARY.name, "test")
CACHE = os.environ.get("CHECK_CACHE", os.path.join(TEMPORARY.name, "compiled"))
HERE = os.path.dirname(os.path.abspath(__file__))

# Schema of the members that later versions may not take away.
INDEX3 = {"type": ["array", "null"], "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}
REPORT = {
    "type": "object",
    "required": ["reductio", "file", "kernel", "grid", "block", "shared", "seed", "fmad", "interrupted", "multiplies_and_adds", "contained", "not_contained", "private", "not_private", "status", "error",
                 "threads", "counts", "hazards", "hazards_left_out", "runs", "results", "expected",
                 "judged", "buffers"],
    "properties": {
        "status": {"enum": [0, 1, 2, 3, 130]},
        "error": {"type": ["string", "null"]},
        "threads": {"type": "integer"},
        "grid": INDEX3, "block": INDEX3,
        "counts": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
        "hazards_left_out": {"type": "integer"},
        "hazards": {"type": "array", "items": {
            "type": "object",
            "required": ["name", "kind", "scope", "count", "message", "lesson", "interval", "places"],
            "properties": {
                "count": {"type": "integer", "minimum": 1},
                "schedules": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "places": {"type": "array", "maxItems": 2, "items": {
                    "type": "object",
                    "required": ["op", "block", "thread", "block_index", "thread_index"],
                    "properties": {
                        "block": {"type": ["integer", "null"]},
                        "thread": {"type": ["integer", "null"]},
                        "block_index": INDEX3, "thread_index": INDEX3,
                        "file": {"type": "string"},
                        "line": {"type": "integer"}, "column": {"type": "integer"}}}}}}},
        "runs": {"type": "array", "items": {
            "type": "object",
            "required": ["schedule", "outcome", "ended", "threads", "hazards", "printed"],
            "properties": {
                "outcome": {"enum": ["completed", "timeout", "crash", "failed"]},
                "printed": {"type": "string"}}}},
        "results": {"type": ["object", "null"]},
        "expected": {"type": "array"},
        "judged": {"type": "boolean"},
        "buffers": {"type": "array", "items": {
            "type": "object", "required": ["argument", "array", "type", "values"]}},
    },
}

# The part of SARIF 2.1.0 that a log of ours has, after the standard's own text.
MESSAGE = {"type": "object", "required": ["text"], "properties": {
    "text": {"type": "string", "minLength": 1}}}
LOCATION = {
    "type": "object", "required": ["physicalLocation"],
    "properties": {
        "id": {"type": "integer", "minimum": -1},
        "message": MESSAGE,
        "physicalLocation": {
            "type": "object", "required": ["artifactLocation"], "additionalProperties": False,
            "properties": {
                "artifactLocation": {"type": "object", "required": ["uri"], "properties": {
                    "uri": {"type": "string", "pattern": r"^[A-Za-z0-9._~/%:-]+$"}}},
                "region": {"type": "object", "required": ["startLine"], "properties": {
                    "startLine": {"type": "integer", "minimum": 1},
                    "startColumn": {"type": "integer", "minimum": 1}}}}},
        "logicalLocations": {"type": "array", "items": {"type": "object"}}},
    "additionalProperties": False,
}
SARIF = {
    "type": "object", "required": ["version", "runs"], "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "maxItems": 1, "items": {
            "type": "object", "required": ["tool"], "additionalProperties": False,
            "properties": {
                "tool": {"type": "object", "required": ["driver"], "properties": {
                    "driver": {
                        "type": "object", "required": ["name", "version", "rules"],
                        "properties": {"rules": {"type": "array", "uniqueItems": True, "items": {
                            "type": "object",
                            "required": ["id", "shortDescription", "help"],
                            "properties": {"id": {"type": "string"}, "shortDescription": MESSAGE,
                                           "help": MESSAGE}}}}}}},
                "invocations": {"type": "array", "minItems": 1, "items": {
                    "type": "object", "required": ["executionSuccessful", "exitCode"],
                    "properties": {
                        "executionSuccessful": {"type": "boolean"},
                        "exitCode": {"type": "integer"},
                        "toolExecutionNotifications": {"type": "array", "items": {
                            "type": "object", "required": ["message"],
                            "properties": {"message": MESSAGE}}}}}},
                "properties": {"type": "object"},
                "results": {"type": "array", "items": {
                    "type": "object",
                    "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
                    "additionalProperties": False,
                    "properties": {
                        "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": 0},
                        "kind": {"enum": ["fail", "open"]},
                        "level": {"enum": ["none", "note", "warning", "error"]},
                        "message": MESSAGE,
                        "occurrenceCount": {"type": "integer", "minimum": 1},
                        "locations": {"type": "array", "minItems": 1, "items": LOCATION},
                        "relatedLocations": {"type": "array", "items": LOCATION},
                        "properties": {"type": "object"}}}}}}},
    },
}


def compiler():
    """The one that compiles nothing twice, where the program lies in its build folder."""
    beside = os.path.join(os.path.dirname(BINARY), "..", "..", "tests", "cached_cxx")
    if "CHECK_CACHE" in os.environ:
        return os.environ["CXX"]
    return beside if os.path.isabs(BINARY) and os.path.exists(beside) else "g++"


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.folder = FOLDER
        os.mkdir(FOLDER)
        self.addCleanup(shutil.rmtree, FOLDER)
        shutil.copy(os.path.join(HERE, "check", "kernels.cu"), self.folder)
        self.environment = dict(os.environ, TMPDIR=self.folder, CHECK_CACHE=CACHE,
                                CXX=compiler())

    def tearDown(self):
        left = [name for name in os.listdir(self.folder) if name.startswith("reductio-")]
        self.assertEqual(left, [], "left behind")

    def write(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return name

    # A single thread, unless later arguments say otherwise.
    SHAPE = ("--grid", "1", "--block", "1")

    def check(self, *arguments, file="kernels.cu", shape=SHAPE, prefix=(), **environment):
        return subprocess.run([*prefix, BINARY, "check", file, *shape, *arguments], cwd=self.folder,
                              env=dict(self.environment, **environment), capture_output=True,
                              text=True, errors="replace", timeout=WAIT_S, check=False)

    def run_kernel(self, kernel, *arguments, **more):
        return self.check("--kernel", kernel, "-DNESTED=4", *arguments, **more)

    def assert_status(self, done, status):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)

    def assert_refused(self, done, *words):
        """Exit 2, nothing on standard output, and the last message has these words."""
        self.assert_status(done, 2)
        self.assertEqual(done.stdout, "")
        message = [line for line in done.stderr.splitlines() if line.startswith("reductio: ")]
        self.assertEqual(len(message), 1, done.stderr)
        for word in words:
            self.assertIn(word, message[0])

    def report(self, kernel, *arguments, status=None, **more):
        """Runs with --json: standard output is one object, and it is as documented."""
        done = self.run_kernel(kernel, "--json", *arguments, **more)
        report = json.loads(done.stdout)
        if jsonschema:
            jsonschema.validate(report, REPORT)
        self.assertEqual(report["status"], done.returncode)
        self.assertEqual(report["error"] is None, done.returncode != 2)
        if status is not None:
            self.assert_status(done, status)
        return report

    def log(self, path):
        with open(os.path.join(self.folder, path), encoding="utf-8") as file:
            return self.validated(json.load(file))

    @staticmethod
    def validated(log):
        if jsonschema:
            jsonschema.validate(log, SARIF)
        run = log["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
        return run
