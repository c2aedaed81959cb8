#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sweep.py CHECKOUT [FILE...]: how many CUDA files of somebody's repository compile under Reductio.

Compiles every .cu of a checkout as `reductio` does, and prints a table: the file, and "compiles", "part" with the file that
compiles and includes it, "refused" with Reductio's sentence, or "compiler" with the first error of the compiler; at the end the
checkout's row of docs/coverage.md. The folders for -I are found as a build would name them: those of
the checkout in which an included file is. With --run, runs its programs whole instead (sweep_run.py), and says how each has
ended."""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import time

import sweep_run

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)
HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "../src/check/meson.build"), encoding="utf-8") as headers:
    OF_CUDA = {name for name in re.findall(r"^  '([\w./]+)': ", headers.read(), re.M) if not name.startswith("helper_")}
HEADERS = (".h", ".hpp", ".cuh", ".inl", ".hxx", ".hh", ".inc", ".cu", ".cpp", ".c", ".cc")
TIMEOUT_S = 120


class Checkout:
    """The files of a checkout, by name."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.by_name, self.sources, self.texts = {}, [], {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if name not in (".git", "build"))
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith(".cu"):
                    self.sources.append(path)
                if name.endswith(HEADERS) or "." not in name:
                    self.by_name.setdefault(name, []).append(path)

    def includes_of(self, path):
        if path not in self.texts:
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    self.texts[path] = INCLUDE.findall(file.read())
            except OSError:
                self.texts[path] = []
        return self.texts[path]

    @staticmethod
    def is_system(name):
        """A header of the system's or of CUDA's, which nobody means to find in the checkout: <unistd.h>, <cuda.h>."""
        if name in OF_CUDA:
            return True
        folders = ["/usr/include", "/usr/include/x86_64-linux-gnu"] + sorted(glob.glob("/usr/include/c++/*"))
        return any(os.path.exists(os.path.join(folder, name)) for folder in folders)

    def nearest(self, name, source):
        """The file that an include of this name means: with most of the folders that lead to the source."""
        ending = os.sep + os.path.normpath(name).lstrip("./")
        found = [path for path in self.by_name.get(os.path.basename(name), []) if path.endswith(ending)]

        def shared(path):
            return len(os.path.commonpath([path, source]))

        return max(found, key=lambda path: (shared(path), -len(path)), default=None)

    def includers_of(self, wanted):
        """The files that include this one."""
        found = []
        for path in sorted({path for paths in self.by_name.values() for path in paths} - {wanted}):
            for _, name in self.includes_of(path):
                if os.path.basename(name) != os.path.basename(wanted):
                    continue
                beside = os.path.realpath(os.path.join(os.path.dirname(path), name))
                if (beside if os.path.exists(beside) else self.nearest(name, path)) == wanted:
                    found.append(path)
        return found

    def whole_of(self, source, compiles):
        """The file that compiles of which this one is a part, included by it or by what it includes."""
        seen, waiting = {source}, [source]
        while waiting:
            for path in self.includers_of(waiting.pop(0)):
                if compiles(path):
                    return path
                if path not in seen:
                    seen.add(path)
                    waiting.append(path)
        return None

    def folders_of(self, source):
        """The folders that the file, and what it includes, want for -I."""
        folders, seen, waiting = [], {source}, [source]
        while waiting:
            path = waiting.pop()
            for sign, name in self.includes_of(path):
                beside = os.path.join(os.path.dirname(path), name)
                own = os.path.realpath(beside) if sign == '"' and os.path.exists(beside) else None
                known = [os.path.realpath(os.path.join(folder, name)) for folder in folders
                         if os.path.exists(os.path.join(folder, name))]
                if not own and self.is_system(name):
                    continue
                target = own or (known[0] if known else self.nearest(name, source))
                if not target or target in seen:
                    continue
                if not own and not known:
                    folders.append(target[:-len(os.path.normpath(name).lstrip("./"))].rstrip(os.sep))
                seen.add(target)
                waiting.append(target)
        return folders


def first_error(said, root):
    """The sentence of Reductio's where it refuses the file itself, else the compiler's first error."""
    lines = said.splitlines()
    absent = re.search(r"^reductio: (?:.*/)?([^/\n]+) includes '([^'\n]+)', which is nowhere", said, re.M)
    if absent:
        return "refused", f"{absent[1]} includes `{absent[2]}`, which is nowhere"
    errors = [line for line in lines if re.search(r"\b(fatal )?error:", line)]
    own = [line[len("reductio: "):] for line in lines if line.startswith("reductio: ")]
    if errors:
        return "compiler", errors[0].replace(root + os.sep, "")
    if own and "errors are above" not in own[-1]:
        return "refused", own[-1].replace(root + os.sep, "")
    return "compiler", (own or lines or ["no word"])[-1]


def compile_one(arguments, checkout, source):
    command = [arguments.reductio, "check", "--compile-only", source]
    for folder in checkout.folders_of(source):
        command += ["-I", folder]
    begin = time.monotonic()
    try:
        done = subprocess.run(command, env=arguments.environment, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return source, "compiler", f"does not end within {TIMEOUT_S} s", time.monotonic() - begin
    seconds = time.monotonic() - begin
    if done.returncode == 0:
        return source, "compiles", "", seconds
    return source, *first_error(done.stderr, checkout.root), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout")
    parser.add_argument("file", nargs="*", help="these alone, by the ends of their paths")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--reductio", default="reductio", help="the program")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth file")
    parser.add_argument("--syntax-only", action="store_true", help="by the compiler's front end alone, which makes no code")
    parser.add_argument("--name", help="of the repository, in the last row")
    parser.add_argument("--commit", default="", help="in the last row")
    parser.add_argument("--run", action="store_true", help="run the programs; FILE is then the name of one")
    parser.add_argument("--cpu", type=int, default=60, metavar="S", help="seconds of a processor for each program, with its compilation")
    parser.add_argument("--timeout", type=int, default=3600, metavar="S", help="of each run, by the clock")
    parser.add_argument("--arguments", metavar="FILE", help="of the programs: lines of a name and its arguments, or @CONSTANT=VALUE for one in its source")
    parser.add_argument("--option", action="append", default=[], help="for 'reductio run'")
    parser.add_argument("--logs", metavar="FOLDER", help="what each program has printed")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="the first N programs")
    parser.set_defaults(environment=None)
    arguments = parser.parse_intermixed_args()
    checkout = Checkout(arguments.checkout)
    if arguments.run:
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            sweep_run.run_all(arguments, checkout, pool)
        return 0
    sources = checkout.sources[:: arguments.every]
    if arguments.file:
        sources = [path for path in sources if any(path.endswith(end) for end in arguments.file)]
    counts = {"compiles": 0, "part": 0, "refused": 0, "compiler": 0}
    if arguments.syntax_only:
        arguments.environment = dict(os.environ, CXX=os.environ.get("CXX", "g++") + " -fsyntax-only")
    rows = []
    print("| file | outcome | why | s |\n|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        tasks = [pool.submit(compile_one, arguments, checkout, source) for source in sources]
        for task in tasks:
            rows.append(task.result())
            print(f"{len(rows)} of {len(sources)}", end="\r", file=sys.stderr, flush=True)
    known = {row[0]: row[1] == "compiles" for row in rows}

    def compiles(path):
        """Whether a file of the checkout does, perhaps one that was not asked for."""
        if path not in known:
            known[path] = path in checkout.sources and compile_one(arguments, checkout, path)[1] == "compiles"
        return known[path]

    for source, outcome, why, seconds in rows:
        whole = checkout.whole_of(source, compiles) if outcome != "compiles" else None
        if whole:
            outcome, why = "part", "of " + os.path.relpath(whole, checkout.root)
        counts[outcome] += 1
        why = why.replace("|", "\\|")
        print(f"| {os.path.relpath(source, checkout.root)} | {outcome} | {why} | {seconds:.1f} |")
    print(f"\n{counts['compiles']} of {len(sources)} files compile, {counts['part']} are parts of these, "
          f"{counts['refused']} are refused in a sentence, {counts['compiler']} by the compiler.\n")
    print("| repository | commit | files | compile | parts of these | refused | by the compiler |\n|---|---|---|---|---|---|---|")
    print(f"| {arguments.name or os.path.basename(checkout.root)} | {arguments.commit} | {len(sources)} | "
          + " | ".join(str(n) for n in counts.values()) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
