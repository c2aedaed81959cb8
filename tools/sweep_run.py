# SPDX-License-Identifier: MIT
"""Runs the programs of a checkout whole, for `sweep.py --run`, and tells how each has ended.

A program is a target of a CMakeLists.txt; in a folder without one, each file with a main(), together with the sources
beside it that have none."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

TARGET = re.compile(r"^[ \t]*(?:cuda_)?add_executable\s*\(([^)]*)\)", re.M)
LIBRARIES = re.compile(r"^[ \t]*target_link_libraries\s*\(([^)]*)\)", re.M)
DEFINITIONS = re.compile(r"^[ \t]*target_compile_definitions\s*\(([^)]*)\)", re.M)
FOLDERS = re.compile(r"^[ \t]*(?:target_)?include_directories\s*\(([^)]*)\)", re.M)
COPIED = re.compile(r"\$\{CUDA_INCLUDE_DIR\}/(\w+\.h)\b")  # headers that a build puts beside the program, which looks for them
MAIN = re.compile(r"^[ \t]*(?:extern[ \t]+\"C\"[ \t]+)?(?:int|void|auto)\s+(?:CUDARTAPI\s+)?main\s*\(", re.M)
EDITED = (".cu", ".cuh", ".cpp", ".c", ".h", ".hpp")
SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")
MPI = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<mpi\.h>", re.M)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)

# What a program says of itself.
FAILED = re.compile(r"\bFAIL(ED|URE)?\b|\btests? failed|doesn't match|do(es)? not match|verification failed|\bmismatch", re.I)
HARMLESS = re.compile(r"\(%\) of bytes mismatched|\b(0|no) (fail|mismatch|error)|fail(ed|ures?)?\s*[:=]\s*0\b|failed as expected", re.I)
PASSED = re.compile(r"\bPASS(ED)?\b|test passed|\bsuccess|\bOK\b|verified|completed", re.I)
BY_SIGNAL = "the program's end is ended by a signal"  # of a run under another schedule, which is stopped by one
WAIVED = 2  # EXIT_WAIVED of NVIDIA's samples
TICKS = os.sysconf("SC_CLK_TCK")
WATCH_S, REPORT_S = 0.5, 20


class Program:
    """Its sources, and what its build says of it."""

    def __init__(self, name, folder, sources):
        self.name, self.folder, self.sources = name, folder, sources
        self.options, self.folders = [], []


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def toolkit_include():
    nvcc = shutil.which("nvcc")
    return os.path.join(os.path.dirname(os.path.realpath(nvcc)), "..", "include") if nvcc else ""


def words_of(text, folder):
    """The words of a command of CMake's, without its comments."""
    text = re.sub(r"#[^\n]*", "", text)
    return [word.strip('"').replace("${CMAKE_CURRENT_SOURCE_DIR}", folder) for word in text.split()]


def library_options(words):
    options = []
    for word in words:
        if word.startswith("OpenMP::"):
            options += ["-Xcompiler", "-fopenmp"]
        elif word.startswith("CUDA::") and not word.startswith("CUDA::cudart"):
            options.append("-l" + {"cuda_driver": "cuda"}.get(word[6:], word[6:].removesuffix("_static")))
    return list(dict.fromkeys(options)) if "-Xcompiler" not in options else options


def images_of(folder, text):
    """The files that a build makes fatbins, cubins or PTX of: the program loads them as modules."""
    if not re.search(r"-(fatbin|cubin|ptx)\b", text):
        return []
    names = re.findall(r"CMAKE_CURRENT_SOURCE_DIR}/([\w./]+\.cu)\b", text)
    return [path for path in (os.path.normpath(os.path.join(folder, name)) for name in dict.fromkeys(names)) if os.path.exists(path)]


def programs_of_cmake(folder, text):
    programs = []
    for words in (words_of(match, folder) for match in TARGET.findall(text)):
        sources = [os.path.normpath(os.path.join(folder, word)) for word in words[1:] if word.endswith(SOURCES)]
        if not sources or not all(os.path.exists(path) for path in sources):
            continue
        sources += [path for path in images_of(folder, text) if path not in sources]
        program = Program(words[0], folder, sources)
        for match in LIBRARIES.findall(text):
            if words_of(match, folder)[:1] == words[:1]:
                program.options += library_options(words_of(match, folder)[1:])
        for match in DEFINITIONS.findall(text):
            others = words_of(match, folder)
            if others[:1] == words[:1]:
                program.options += ["-D" + word for word in others[1:] if word not in ("PRIVATE", "PUBLIC")]
        for match in FOLDERS.findall(text):
            program.folders += [os.path.normpath(os.path.join(folder, word)) for word in words_of(match, folder)]
        program.folders = [path for path in dict.fromkeys(program.folders) if os.path.isdir(path)]
        programs.append(program)
    return programs


def programs_of_folder(folder, names):
    paths = [os.path.join(folder, name) for name in sorted(names) if name.endswith(SOURCES)]
    mains = [path for path in paths if MAIN.search(COMMENT.sub("", read(path)))]
    others = [path for path in paths if path not in mains]
    return [Program(os.path.splitext(os.path.basename(path))[0], folder, [path] + others) for path in mains]


def find(root):
    """All programs below a folder that have a kernel, or call CUDA."""
    found, covered = [], set()
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in (".git", "build"))
        programs = programs_of_cmake(folder, read(os.path.join(folder, "CMakeLists.txt")))
        if not programs and not any(folder.startswith(path + os.sep) for path in covered):
            if any(name.endswith(".cu") for name in names):
                programs = programs_of_folder(folder, names)
        elif programs:
            covered.add(folder)
        found += programs
    return found


def outcome_in(text):
    """The object that `--json` prints behind the program's output, and that output."""
    at = text.rfind('\n{\n  "') if not text.startswith('{\n  "') else -1
    while at >= -1:
        try:
            return json.loads(text[at + 1:]), text[:at + 1]
        except ValueError:
            at = text.rfind('\n{\n  "', 0, at) if at > 0 else -2
    return None, text


def own_words(text, pattern):
    lines = [line.strip() for line in text.splitlines() if pattern.search(line)]
    return lines[-1][:120] if lines else ""


def last_line(text):
    """None, or one: the last line of a text that has a letter."""
    return [line.strip()[:120] for line in text.splitlines() if re.search("[A-Za-z]", line)][-1:]


def first_error(said):
    errors = [line for line in said.splitlines() if re.search(r"\b(fatal )?error:|undefined (reference|symbol)", line)]
    own = [line[len("reductio: "):] for line in said.splitlines() if line.startswith("reductio: ")]
    return (errors[0] if errors else own[-1] if own else said.strip().splitlines()[-1] if said.strip() else "no word")


def judge(done, stopped):
    """(outcome, why, hazards): of a run that has ended, or was stopped."""
    outcome, said = outcome_in(done.stdout)
    if outcome is None or outcome.get("error"):
        error = outcome["error"] if outcome else first_error(done.stderr)
        if "errors are above" in error:
            return "not compiled", first_error(done.stderr), []
        if "is nowhere" in error or "no library, defines" in error:
            return "not compiled", error, []
        return "not simulated", error, []
    hazards = [f"{hazard['name']} {hazard['places'][0].get('place', '') if hazard.get('places') else ''}".strip()
               for hazard in outcome["hazards"] if not (stopped and BY_SIGNAL in hazard["message"])]
    ended, status = outcome["ended"], outcome["exit_status"]
    both = said + "\n" + done.stderr
    if ended == "timeout":
        return "time limit", "", hazards
    if ended not in ("returned", "exit"):
        missing = own_words(both, re.compile("does not simulate|not simulated"))
        sentence = missing or (outcome["lacks"][0] if outcome["lacks"] else outcome["end"])
        return ("not simulated" if missing or ended == "failed" else "crashed"), sentence, hazards
    if status == WAIVED and re.search(r"waiv|require|support", both, re.I):
        return "waived", own_words(both, re.compile("waiv|not support|require", re.I)), hazards
    absent = re.search(r"file <([^>\n]+)> not found|Error reading file (\S+)", both)
    if absent and status != 0:
        return "no data", f"the checkout lacks {absent[1] or absent[2]}", hazards
    if status != 0 and outcome["lacks"]:
        return "not simulated", outcome["lacks"][0], hazards
    failures = "\n".join(line for line in both.splitlines() if not HARMLESS.search(line))
    if status != 0 or FAILED.search(failures):
        return "failed", own_words(failures, FAILED) or "; ".join([outcome["end"], *last_line(both)]), hazards
    return "passed", own_words(said, PASSED), hazards


def processes_below(root):
    """{process: seconds of a processor}, with those of its children that have ended: of a process and all below it."""
    parents, seconds = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        words = read(f"/proc/{name}/stat").rpartition(")")[2].split()
        if words:
            parents[int(name)] = int(words[1])
            seconds[int(name)] = sum(int(word) for word in words[11:15]) / TICKS
    below = {root}
    while True:
        more = {process for process, parent in parents.items() if parent in below} - below
        if not more:
            return {process: seconds.get(process, 0) for process in below}
        below |= more


def send(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def stop_program(root, processes):
    """Ends the programs that Reductio has started, so that it still tells what it has found; the compiler with all."""
    own = os.readlink(f"/proc/{root}/exe")

    def is_program(process):
        try:
            return process != root and os.readlink(f"/proc/{process}/exe") == own
        except OSError:
            return False

    programs = [process for process in processes if is_program(process)]
    send(programs or processes, signal.SIGALRM if programs else signal.SIGKILL)


def mpi_options(sources):
    """What a compiler wrapper of MPI's would add, for a program that includes it."""
    if not shutil.which("pkg-config") or not any(MPI.search(read(path)) for path in sources):
        return []
    for package in ("ompi-cxx", "ompi-c", "mpich"):
        found = subprocess.run(["pkg-config", "--cflags", "--libs", package], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout.split()
    return []


def run_command(command, here, limit_s):
    """Runs it, for so many seconds of a processor; with those that it took, with all that it has started, and whether it was stopped."""
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        process = subprocess.Popen(command, cwd=here, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        stopped_at = None
        while True:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            processes = processes_below(process.pid)
            if stopped_at is None and sum(processes.values()) >= limit_s:
                stopped_at = time.monotonic()
                stop_program(process.pid, processes)
            elif stopped_at is not None and time.monotonic() - stopped_at > REPORT_S:
                send(processes, signal.SIGKILL)
            time.sleep(WATCH_S)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        done = subprocess.CompletedProcess(command, process.returncode, out.read(), err.read())
    return done, usage.ru_utime + usage.ru_stime, stopped_at is not None


def with_constant(text, name, value):
    """"N" is a `#define N`, or a variable whose declaration sets it; what is no name, as "0xAFFFF", is replaced as it stands."""
    if not name.isidentifier():
        return text.replace(name, value)
    text = re.sub(rf"^([ \t]*#[ \t]*define[ \t]+{name}[ \t]+)\(?[\w* ]+\)?", rf"\g<1>({value})", text, flags=re.M)
    return re.sub(rf"^(.*\b(?:int|uint|size_t)[ \t]+{name}[ \t]*=|[ \t]+{name}[ \t]*=)[ \t]*\d[^,;\n]*([,;])", rf"\g<1> {value}\2", text, flags=re.M)


def set_constants(folder, given):
    """Gives constants of a program's files the values of "@CONSTANT=VALUE"; tells which are in none."""
    sizes = dict(word[1:].split("=", 1) for word in given if word.startswith("@"))
    missing = set(sizes)
    for path in glob.glob(os.path.join(folder, "**/*.*"), recursive=True) if sizes else []:
        if not path.endswith(EDITED):
            continue
        text = before = read(path)
        for name, value in sizes.items():
            before_this = text
            text = with_constant(text, name, value)
            if text != before_this:
                missing.discard(name)
        if text != before:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return missing


def run_one(arguments, checkout, program, given):
    folders = list(program.folders)
    for source in program.sources:
        folders += [folder for folder in checkout.folders_of(source) if folder not in folders]
    with tempfile.TemporaryDirectory() as scratch:
        here = os.path.join(scratch, os.path.basename(program.folder))
        shutil.copytree(program.folder, here, symlinks=True)
        for name in COPIED.findall(read(os.path.join(program.folder, "CMakeLists.txt"))):
            if os.path.exists(os.path.join(toolkit_include(), name)):
                shutil.copy(os.path.join(toolkit_include(), name), here)
        missing = set_constants(here, given)
        if missing:
            return program, "no such constant", ", ".join(sorted(missing)), [], 0, given

        def is_edited(path):
            return any(word.startswith("@") for word in given) and (path + os.sep).startswith(program.folder + os.sep)

        def place(path):
            return here + path[len(program.folder):] if is_edited(path) else path

        command = [os.path.realpath(arguments.reductio), "run", *map(place, program.sources), *program.options, *mpi_options(program.sources)]
        for folder in folders:
            command += ["-I", place(folder)]
        command += ["--json", "--no-last", "--device", "sim", "--write", here, "--write", "/dev/shm", "--timeout", str(arguments.timeout)]
        command += arguments.option + ["--", *(word for word in given if not word.startswith("@"))]
        done, seconds, stopped = run_command(command, here, arguments.cpu)
    if arguments.logs:
        os.makedirs(arguments.logs, exist_ok=True)
        with open(os.path.join(arguments.logs, program.name + ".txt"), "w", encoding="utf-8") as file:
            file.write(" ".join(command) + "\n" + done.stdout + "\n--- stderr\n" + done.stderr)
    outcome, why, hazards = judge(done, stopped)
    if stopped:
        outcome, why, hazards = "time limit", f"{arguments.cpu} CPU s", [it for it in hazards if not it.startswith("crash")]
    why = why.replace(here, program.folder).replace(checkout.root + os.sep, "")
    why = re.sub(r"/tmp/reductio-\w+/", "", why)
    return program, outcome, why, hazards, seconds, given


def read_arguments(path):
    """Lines "NAME ARGUMENT...": small problems, for programs that take their size from the command line, or "@CONSTANT=VALUE"."""
    table = {}
    for line in read(path).splitlines() if path else []:
        words = line.split("#")[0].split()
        if words:
            table[words[0]] = words[1:]
    return table


def run_all(arguments, checkout, pool):
    programs = find(checkout.root)[arguments.skip :: arguments.every]
    if arguments.file:
        programs = [it for it in programs if it.name in arguments.file]
    given = read_arguments(arguments.arguments)
    counts = {}
    print("| program | outcome | findings | CPU s | why |\n|---|---|---|---|---|")
    tasks = [pool.submit(run_one, arguments, checkout, program, given.get(program.name, [])) for program in programs]
    for task in tasks:
        program, outcome, why, hazards, seconds, words = task.result()
        counts[outcome] = counts.get(outcome, 0) + 1
        name = os.path.relpath(program.folder, checkout.root).removeprefix("Samples/")
        if os.path.basename(name) != program.name:
            name += ":" + program.name
        name += " " + " ".join(words) if words else ""
        why = why.replace("|", "\\|").replace("\n", " ")
        print(f"| {name} | {outcome} | {', '.join(sorted(set(hazards)))} | {seconds:.1f} | {why} |", flush=True)
    print("\n" + ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items())) + f", of {len(programs)} programs.")
