# SPDX-License-Identifier: MIT
"""Reads results in each of their formats, by small parsers of our own, into one form: what a document says, and nothing
that it may not say. read_FORMAT(text) returns the verdict, None where the format has none of all subjects together, and the
subjects, each with what the format tells of it."""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import lists  # noqa: E402

FORMATS = lists.FORMATS[1:]  # all but the text, which people read
SCHEMA = json.loads((pathlib.Path(__file__).resolve().parent.parent / "docs/results.schema.json")
                    .read_text(encoding="utf-8"))
STATES = ("HOLDS", "SKIPPED", "OPEN", "VIOLATED")
EXITS = {"HOLDS": 0, "NO_HAZARD": 0, "VIOLATED": 1, "FAILED": 2, "INCONCLUSIVE": 3, "INTERRUPTED": 130}

# ---- JSON ----

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
KEYWORDS = {"$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "minimum", "minLength",
            "required", "properties", "additionalProperties", "items", "minItems", "maxItems"}


def is_of(value, name):
    return isinstance(value, TYPES[name]) and not (name in ("integer", "number") and isinstance(value, bool))


def problems(value, schema, root=SCHEMA, at="document"):
    """Yields what is not valid, by the keywords that the schema uses; a keyword that is not known is a problem, too."""
    for keyword in set(schema) - KEYWORDS:
        yield f"{at}: the schema has '{keyword}', which this validator does not know"
    if "$ref" in schema:
        assert schema["$ref"].startswith("#/$defs/")
        yield from problems(value, root["$defs"][schema["$ref"][len("#/$defs/"):]], root, at)
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(is_of(value, name) for name in names):
        yield f"{at}: {value!r} is no {' or '.join(names)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{at}: {value!r} is not {schema['const']!r}"
    if isinstance(value, int) and value < schema.get("minimum", value):
        yield f"{at}: {value} is too small"
    if isinstance(value, str) and len(value) < schema.get("minLength", 0):
        yield f"{at}: the text is empty"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{at}: it has {len(value)} items"
        for k, item in enumerate(value):
            yield from problems(item, schema.get("items", {}), root, f"{at}[{k}]")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for key in schema.get("required", []):
            if key not in value:
                yield f"{at}: '{key}' is missing"
        for key, item in value.items():
            more = schema.get("additionalProperties", {})
            if key in known:
                yield from problems(item, known[key], root, f"{at}.{key}")
            elif more is False:
                yield f"{at}: '{key}' is unknown"
            else:
                yield from problems(item, more, root, f"{at}.{key}")


def read_json(text):
    document = json.loads(text)
    found = list(problems(document, SCHEMA))
    assert not found, found
    subjects = []
    for subject in document["subjects"]:
        states = [test["state"] for test in subject["tests"]]
        assert {state: states.count(state) for state in STATES} == subject["test_counts"]
        subjects.append({"name": subject["name"], "verdict": subject["verdict"], "facts": subject["facts"],
                         "violations": subject["counts"]["violations"], "hazards": subject["counts"]["hazards"],
                         "tests": [(test["name"], test["state"]) for test in subject["tests"]],
                         "not_looked_at": subject["not_looked_at"], "not_contained": subject["not_contained"],
                         "summary": subject["summary"]})
    assert document["exit_status"] == EXITS[document["verdict"]]
    assert document["test_counts"] == {state: sum(subject["test_counts"][state] for subject in document["subjects"])
                                       for state in STATES}
    return document["verdict"], subjects


NO_NUMBER = ("not looked for", "told of the program")  # of hazards


# ---- TAP ----

POINT = re.compile(r"(not )?ok (\d+) - (.*?)(?: # (\w+) (.*))?\Z")


def plain(text):
    return re.sub(r"\\([\\#])", r"\1", text)


def read_diagnostic(lines):
    """The mapping of a YAML block each of whose values is JSON."""
    block = {}
    for line in iter(lines.pop, "  ..."):
        key, _, value = line.partition(": ")
        assert key.startswith("  ") and key.strip() not in block, line
        block[key.strip()] = json.loads(value)
    return block


def read_tap(text):
    assert text.endswith("\n")
    lines = text.split("\n")[-2::-1]
    assert lines.pop() == "TAP version 13"
    planned = int(re.fullmatch(r"1\.\.(\d+)", lines.pop())[1])
    subjects, number, subject, bailed = [], 0, None, False
    while lines:
        line = lines.pop()
        if match := POINT.match(line):
            number += 1
            bad, n, description, directive, _ = match.groups()
            assert int(n) == number and directive in (None, "SKIP"), line
            name, _, test = description.rpartition(": ")
            if subject is None:
                subject = {"name": plain(name), "tests": [], "facts": {}, "not_looked_at": [], "not_contained": None}
                subjects.append(subject)
            assert plain(name) == subject["name"]
            state = "SKIPPED" if directive else "HOLDS"
            if bad:
                assert not directive
                assert lines.pop() == "  ---"
                block = read_diagnostic(lines)
                state = {"open": "OPEN", "fail": "VIOLATED"}[block["severity"]]
                assert set(block) <= {"message", "severity", "violations", "hazards"}
                for key, kind in (("violations", "violation"), ("hazards", "hazard")):
                    for one in block.get(key, []):
                        assert not list(problems(one, SCHEMA["$defs"][kind]))
            subject["tests"].append((test, state))
        elif line.startswith("# "):
            key, colon, value = line[2:].partition(": ")
            if key == "verdict":
                subject[key] = value
            elif key == "violations":
                subject[key] = int(value)
            elif key == "hazards":
                subject[key] = None if value in NO_NUMBER else int(value)
            elif key == "not looked at":
                subject["not_looked_at"].append(plain(value))
            elif key == "not contained":
                subject["not_contained"] = plain(value)
            elif key == "summary": # the last of a subject
                subject["summary"] = plain(value)
                subject = None
            else:
                assert colon and re.fullmatch(r"\w+", key), line
                subject["facts"][key] = plain(value)
        else:
            assert line == "Bail out! interrupted" and not lines, line
            bailed = True
    assert number == planned
    verdict = max((subject["verdict"] for subject in subjects),
                  key=["HOLDS", "NO_HAZARD", "INCONCLUSIVE", "VIOLATED", "INTERRUPTED", "FAILED"].index)
    assert bailed == (verdict == "INTERRUPTED")
    return verdict, subjects


# ---- JUnit ----

OUTCOMES = {"failure": "VIOLATED", "error": "OPEN", "skipped": "SKIPPED"}


def counts(element):
    return {key: int(element.get(key)) for key in ("tests", "failures", "errors", "skipped")}


def count(states):
    return {"tests": len(states), "failures": states.count("VIOLATED"), "errors": states.count("OPEN"),
            "skipped": states.count("SKIPPED")}


def read_junit(text):
    root = ElementTree.fromstring(text.encode())
    assert root.tag == "testsuites"
    subjects, all_states = [], []
    for suite in root:
        assert [child.tag for child in suite if child.tag != "testcase"] == ["properties", "system-out"]
        properties = [(one.get("name"), one.get("value")) for one in suite.find("properties")]
        tests = []
        for case in suite.iter("testcase"):
            assert len(case) <= 1 and re.fullmatch(r"reductio\.(run|check|verify)\..*", case.get("classname"), re.S)
            assert case.get("classname").endswith("." + suite.get("name"))
            if len(case):
                assert case[0].get("message")
            tests.append((case.get("name"), OUTCOMES[case[0].tag] if len(case) else "HOLDS"))
        states = [state for _, state in tests]
        assert counts(suite) == count(states)
        all_states += states
        facts = dict(properties)
        hazards = facts.pop("hazards")
        facts.pop("not looked at", None)
        not_contained = facts.pop("not contained", None)
        subjects.append({"name": suite.get("name"), "verdict": facts.pop("verdict"),
                         "violations": int(facts.pop("violations")), "facts": facts,
                         "hazards": None if hazards in NO_NUMBER else int(hazards), "tests": tests, "not_contained": not_contained,
                         "not_looked_at": [value for name, value in properties if name == "not looked at"],
                         "summary": suite.find("system-out").text})
    assert counts(root) == count(all_states)
    return None, subjects


# ---- SARIF ----

def read_sarif(text):
    log = json.loads(text)
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"] and result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        kind = result.get("kind", "fail") # as the standard has it where there is none
        assert (kind, result["level"]) in (("fail", "error"), ("open", "none")), result
    said = run["properties"]
    verdict, (invocation,) = said["verdict"], run["invocations"]
    assert invocation["exitCode"] == EXITS[verdict]
    assert invocation["executionSuccessful"] == (verdict in ("HOLDS", "NO_HAZARD", "VIOLATED"))
    open_results = [result for result in run["results"] if result.get("kind") == "open"]
    assert len(open_results) == said["test_counts"]["OPEN"]
    failures = len(run["results"]) - len(open_results)
    assert (failures > 0) == (said["test_counts"]["VIOLATED"] > 0)
    notified = [one["message"]["text"] for one in invocation.get("toolExecutionNotifications", [])]
    subjects = [{"name": subject["name"], "verdict": subject["verdict"], "facts": subject["facts"],
                 "violations": subject["counts"]["violations"], "hazards": subject["counts"]["hazards"],
                 "counts": subject["test_counts"], "summary": subject["summary"],
                 "not_contained": subject["not_contained"]} for subject in said["subjects"]]
    return verdict, subjects, notified


# ---- all of them ----

TYPED = {"json", "sarif"}  # their facts are numbers and texts; those of others are texts
NOTIFIES = {"sarif"}  # tells what was not looked at of all subjects together
READERS = {name: globals()["read_" + name] for name in FORMATS}


def expected(subject, name, keys):
    """Returns what the format of that name must have, with these keys, where the document in JSON has `subject`."""
    states = [state for _, state in subject["tests"]]
    whole = {**subject, "counts": {state: states.count(state) for state in STATES}}
    if name not in TYPED:
        whole["facts"] = {key: str(value) for key, value in subject["facts"].items()}
    return {key: whole[key] for key in keys}


def agree(test, documents, status):
    """Asserts that the documents, by their formats, say the same, and with the exit status; returns what they say: the verdict
    and the subjects. Each tells of each subject its name and verdict, violations and hazards, facts, tests or how many are in
    which state, and summary."""
    verdict, subjects = read_json(documents["json"])
    test.assertEqual(status, EXITS[verdict])
    test.assertEqual(set(documents), set(FORMATS))
    for name, document in documents.items():
        found, forms = READERS[name](document)[:2]
        test.assertIn(found, (verdict, None), name)
        test.assertEqual(len(forms), len(subjects), name)
        for form, subject in zip(forms, subjects):
            test.assertEqual(form, expected(subject, name, form), name)
            test.assertLessEqual({"name", "verdict", "violations", "hazards", "facts", "summary", "not_contained"}, set(form), name)
            test.assertTrue(form.keys() & {"tests", "counts"}, name)
            test.assertTrue("not_looked_at" in form or name in NOTIFIES, name)
    notified = read_sarif(documents["sarif"])[2]
    for subject in subjects:
        states = [state for _, state in subject["tests"]]
        for what in subject["not_looked_at"]:
            test.assertIn(what, notified)
        if subject["not_contained"]:
            test.assertIn("not contained: " + subject["not_contained"], notified)
        well = subject["verdict"] in ("HOLDS", "NO_HAZARD")
        test.assertEqual("OPEN" not in states and "VIOLATED" not in states, well)
        test.assertTrue("HOLDS" in states or not well)
    return verdict, subjects


def state_counts(subject):
    """Counts the tests in each state; SARIF names no tests."""
    return subject.get("counts") or {state: [test[1] for test in subject["tests"]].count(state) for state in STATES}
