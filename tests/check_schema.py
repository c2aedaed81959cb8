#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Validates traces against traces/schema.json: check_schema.py SCHEMA FILE...

Of a Markdown file, the lines of its json and ndjson blocks are validated. Exits 0 where all is
well, 1 where a line is not valid or there was none to validate, 2 on bad usage, and 77 (which test
runners read as 'skipped') where python3-jsonschema is missing. With RD_TEST_SHORT it takes one trace of seven.
"""

import json
import os
import re
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: there is no python3-jsonschema")
    sys.exit(77)

KINDS = {"version", "run", "step", "hazard", "verdict", "interrupted"}
BLOCK = re.compile(r"^```(?:nd)?json\n(.*?)^```", re.MULTILINE | re.DOTALL)


def lines(path):
    """Yields the line number and the text of each record of a file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not path.endswith(".md"):
        yield from enumerate(text.splitlines(), 1)
        return
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        yield from enumerate(block.group(1).splitlines(), first)


def check(validator, path):
    """Returns how many records of a file are valid, and the kinds of them; None after a failure."""
    kinds, count, failed = set(), 0, False
    for number, line in lines(path):
        try:
            record = json.loads(line)
            error = jsonschema.exceptions.best_match(validator.iter_errors(record))
        except json.JSONDecodeError as problem:
            print(f"{path}:{number}: not JSON: {problem}")
            failed = True
            continue
        if error:
            where = "/".join(str(part) for part in error.absolute_path)
            print(f"{path}:{number}: {where or 'the record'}: {error.message[:300]}")
            failed = True
            continue
        kinds.add(record["record"])
        count += 1
    if count == 0:
        print(f"{path}: no record")
        failed = True
    missing = KINDS - kinds if path.endswith(".md") else set()
    if missing:
        print(f"{path}: no example of {', '.join(sorted(missing))}")
        failed = True
    return None if failed else count


def sample(paths):
    documents = [path for path in paths if path.endswith(".md")]
    traces = [path for path in paths if not path.endswith(".md")]
    return documents + traces[::7 if "RD_TEST_SHORT" in os.environ else 1]


def main(arguments):
    if len(arguments) < 2:
        print("usage: check_schema.py SCHEMA FILE...", file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    counts = [check(validator, path) for path in sample(arguments[1:])]
    if None in counts:
        return 1
    print(f"{sum(counts)} records of {len(counts)} files are valid")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
