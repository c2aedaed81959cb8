#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The public library in several threads at once, under the ThreadSanitizer, which finds no race in it; and one where there is
one.

usage: test_threads.py BUILD README.md

All but the simulator and its kernels is compiled for the sanitizer: these have hooks of its names, which are bound among
them, as in the archive that is installed.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import test_library as library

SKIPPED = 77
HERE = os.path.dirname(os.path.abspath(__file__))
OBJECTS = 'libreductio_objects.a'
FOLDERS = f'src/{OBJECTS}.p/', 'src/libreductio_seldom.a.p/'


def entries(build):
    """What is compiled into the library, by the object's path in the build folder."""
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
        return {entry['output']: entry for entry in json.load(file) if entry['output'].startswith(FOLDERS)}


def sources_of(build, entry):
    """What an object is made of, by its path from src/: of a unit, several."""
    path = os.path.normpath(os.path.join(entry['directory'], entry['file']))
    return library.united(build, path) or [os.path.relpath(path, os.path.join(os.path.dirname(HERE), 'src'))]


def is_looked_at(sources):
    of_library = [path for path in sources if not path.startswith('..' + os.sep)]
    of_sim = [path for path in of_library if path.startswith(os.path.join('device', 'sim') + os.sep)]
    assert of_sim in ([], of_library), f'a unit of both: {sources}'
    return of_sim != of_library


def recompile(entry, made, source=None):
    """Compiles an object of the library for the sanitizer; of another text, where there is one."""
    words = shlex.split(entry['command'])
    for option in '-MF', '-MQ', '-o':
        at = words.index(option)
        del words[at:at + 2]
    words = [word for word in words if word not in ('-MD', '-fopenmp', '-Werror')]
    words[words.index('-c') + 1] = source or entry['file']
    subprocess.run([*words, '-fsanitize=thread', '-Wno-unknown-pragmas', '-o', made], cwd=entry['directory'], check=True,
                   stderr=subprocess.PIPE)
    return made


def unlooked(build, work, members):
    """One object of all others, with hooks that are its own."""
    whole, names = os.path.join(work, 'whole.o'), os.path.join(work, 'names')
    paths = [path for path in library.run('ar', 't', os.path.join(build, 'src', OBJECTS), check=True).stdout.split()
             if os.path.basename(path) not in members]
    folder = os.path.join(build, 'src')
    paths = [path if os.path.isabs(path) else os.path.join(folder, path) for path in paths]
    library.run(library.CC, '-r', '-nostdlib', '-o', whole, paths, '-Wl,--force-group-allocation', check=True)
    with open(names, 'w', encoding='utf-8') as file:
        file.writelines(name + '\n' for name in library.defined(whole) if name.startswith('__') and not name.startswith(('__start_', '__stop_')))
    library.run('objcopy', '--localize-symbols=' + names, whole, check=True)
    return whole


class Threads:
    def __init__(self, package):
        build = package.build_folder
        self.package = package
        self.entries = {path: entry for path, entry in entries(build).items() if is_looked_at(sources_of(build, entry))}
        self.sources = {path: sources_of(build, entry) for path, entry in self.entries.items()}
        assert sum(map(len, self.sources.values())) > 100, self.sources
        folder = os.path.join(package.work, 'looked_at')
        os.mkdir(folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.objects = dict(zip(self.entries, pool.map(
                lambda path: recompile(self.entries[path], os.path.join(folder, os.path.basename(path))), self.entries)))
        self.whole = unlooked(package.build_folder, package.work, {os.path.basename(path) for path in self.entries})
        self.kernels = [package.kernel('threads', os.path.join(library.EXAMPLE, 'thirds.cu'), of_type) for of_type in ('i32', 'u64')]

    def run(self, name, objects):
        program, folder = (os.path.join(self.package.work, name + ending) for ending in ('', '_out'))
        os.mkdir(folder)
        libs = [word for word in self.package.config('--libs', '--static') if word != '-lreductio']
        library.run(library.CC, '-g', '-fsanitize=thread', '-Wall', '-Wextra', '-Werror', os.path.join(HERE, 'threads.c'), objects.values(),
                    self.whole, self.kernels, self.package.config('--cflags'), libs, '-pthread', '-o', program, check=True)
        return library.run(program, folder, env={**os.environ, 'OMP_NUM_THREADS': '1', 'LC_ALL': 'C.UTF-8',
                                                       'TSAN_OPTIONS': 'halt_on_error=1'})  # who has raced may never end


def test_threads_have_no_race_in_the_library(threads):
    done = threads.run('clean', threads.objects)
    assert 'ThreadSanitizer' not in done.stderr, done.stderr[:6000]
    assert (done.returncode, done.stdout) == (0, 'done\n'), (done.returncode, done.stdout, done.stderr[-3000:])


def test_a_race_in_the_library_is_seen(threads):
    """What each thread has of its own is one for all."""
    path, = (path for path, sources in threads.sources.items() if 'program/paragraph.c' in sources)
    with open(os.path.join(os.path.dirname(HERE), 'src/program/paragraph.c'), encoding='utf-8') as file:
        text = file.read()
    source, unit = (os.path.join(threads.package.work, name) for name in ('paragraph.c', 'raced.c'))
    with open(source, 'w', encoding='utf-8') as file:
        own = 'static _Thread_local struct cache *of_thread;'
        assert own in text, own
        file.write(text.replace(own, own.replace('_Thread_local ', '')))
    with open(unit, 'w', encoding='utf-8') as file:
        file.writelines(f'#include "{source if name == "program/paragraph.c" else name}"\n' for name in threads.sources[path])
    made = recompile(threads.entries[path], os.path.join(threads.package.work, 'raced.o'), unit)
    done = threads.run('raced', {**threads.objects, path: made})
    assert re.search(r'SUMMARY: ThreadSanitizer: data race \S*/paragraph\.c:', done.stderr), done.stderr[:6000]


def main(build, readme):
    library.EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(readme)), 'docs', 'example')
    build, failed = os.path.abspath(build), 0
    with tempfile.TemporaryDirectory() as work:
        probe = library.run(library.CC, '-fsanitize=thread', '-x', 'c', '-', '-o', os.path.join(work, 'probe'), input='int main(void) { return 0; }')
        if probe.returncode != 0 or library.run(os.path.join(work, 'probe')).returncode != 0:
            print('skipped: there is no ThreadSanitizer')
            return SKIPPED
        installed = os.path.join(work, 'installed')
        library.run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', installed, check=True)
        threads = Threads(library.Package(installed, work, build))
        for name, test in list(globals().items()):
            if not name.startswith('test_'):
                continue
            try:
                test(threads)
                print('ok', name)
            except (AssertionError, subprocess.CalledProcessError) as error:
                failed += 1
                print('FAILED', name, getattr(error, 'stderr', None) or error)
    return failed != 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
