#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library as it is installed, and what it leaves alone in those who link it.

usage: test_library.py BUILD README.md [INSTALLED]

Installs BUILD into a folder of its own, and compiles clients there by what pkg-config says. INSTALLED is such a folder that
is there already, as of an earlier version.
"""
import glob
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

import library_clients as clients

CC = os.environ.get('CC', 'cc').split()
CXX = os.environ.get('CXX', 'c++').split()
HERE = os.path.dirname(os.path.abspath(__file__))
TSAN_FOUND = 66  # its exit status
EXAMPLE = ''  # the folder of examples


def run(*command, **kwargs):
    return subprocess.run([word for words in command for word in ([words] if isinstance(words, str) else words)],
                          encoding='utf-8', capture_output=True, **kwargs)


class Package:
    """An installed library, and the folder that it was built in."""

    def __init__(self, root, work, build_folder):
        self.root, self.work, self.build_folder = root, work, build_folder
        self.lib = os.path.dirname(glob.glob(root + '/**/libreductio.a', recursive=True)[0])
        self.pc = os.path.join(self.lib, 'pkgconfig', 'reductio.pc')
        self.archive = os.path.join(self.lib, 'libreductio.a')
        self.shared = os.path.join(self.lib, 'libreductio.so')

    def config(self, *options):
        path = os.pathsep.join([os.path.dirname(self.pc), *filter(None, [os.environ.get('PKG_CONFIG_PATH')])])
        prefix = re.search(r'^prefix=(.*)$', open(self.pc, encoding='utf-8').read(), re.M).group(1)
        answer = run('pkg-config', '--define-variable=prefix=' + self.root + prefix, options, 'reductio',
                     env={**os.environ, 'PKG_CONFIG_PATH': path}, check=True)
        return answer.stdout.split()

    def build(self, name, text, *options, compiler=CC, language='c', static=False, libs=(), objects=()):
        source, program = (os.path.join(self.work, name + ending) for ending in ('.' + language, ''))
        with open(source, 'w', encoding='utf-8') as file:
            file.write(text)
        others = ['-x', 'none', *objects] if objects else []
        own = self.config('--libs', *['--static'] * static)
        if static:
            own = [self.archive if word == '-lreductio' else word for word in own]
        done = run(compiler, options, '-Wall', '-Wextra', '-Werror', '-Wno-missing-field-initializers', source, others, '-o', program,
                   self.config('--cflags'), own, list(libs))
        assert done.returncode == 0, f'{name} isn\'t built:\n{done.stderr[-3000:]}'
        return program

    def kernel(self, name, path, of_type):
        """The object of a kernel for elements of the type."""
        made = os.path.join(self.work, f'{name}_{of_type}.o')
        done = run(CC, self.config('--variable=kernel_cflags'), '-DRD_TYPE=' + of_type, '-Wall', '-Wextra', '-Werror',
                   '-x', 'c', '-c', path, '-o', made)
        assert done.returncode == 0, f'{name} isn\'t compiled:\n{done.stderr[-3000:]}'
        return made

    def tool(self, *arguments):
        program = glob.glob(self.root + '/**/bin/reductio', recursive=True)[0]
        return run(program, *arguments, env={**os.environ, 'LC_ALL': 'C.UTF-8'})

    def run(self, *program):
        return run(program, env={**os.environ, 'LD_LIBRARY_PATH': self.lib, 'OMP_NUM_THREADS': '2', 'LC_ALL': 'C.UTF-8'})


def defined(path, *options):
    """The symbols that others are linked to."""
    lines = run('nm', '--defined-only', '--extern-only', '--format=posix', options, path, check=True).stdout.splitlines()
    return {line.split()[0].split('@')[0] for line in lines if len(line.split()) > 2}


def public(package):
    """Finds the functions that the installed headers declare, as far as a regular expression can."""
    found = set()
    for path in glob.glob(package.root + '/**/include/reductio/*.h', recursive=True):
        with open(path, encoding='utf-8') as file:
            text = re.sub(r'/\*.*?\*/|^#define(?:[^\n]*\\\n)*[^\n]*$|^static inline .*?^}$', '', file.read(), flags=re.S | re.M)
        found.update(re.findall(r'^(?:const |enum |rd_bits ||struct |bool|int|void|size_t|uint|unsigned|double|char)[^;={}]*?'
                                r'\b(rd_\w+)\(', text, re.M))
        found.update(re.findall(r'^extern const [^;]*?\b(rd_\w+)(?:\[\])?;', text, re.M))
    return found


def test_exported_symbols_are_those_of_the_public_headers(package, _):
    expected = public(package)
    assert len(expected) > 200, len(expected)
    for path, options in (package.archive, []), (package.shared, ['--dynamic']):
        symbols = defined(path, *options)
        others = sorted(name for name in symbols if not name.startswith('rd_'))
        assert not others, f'{path} has {len(others)} symbols of other names: {others[:10]}'
        # Functions that a client's kernels call: their headers declare them by macros.
        hooks = {name for name in symbols if re.match('rd_(sim_|b?f16_)', name)}
        assert {'rd_sim__tsan_read4', 'rd_sim_place', 'rd_sim_add_i32', 'rd_f16_sum'} <= hooks, sorted(hooks)
        assert symbols - hooks == expected, f'{path}: {sorted((symbols - hooks) ^ expected)[:20]}'


def test_archive_has_one_object_with_all_kernels_in_it(package, _):
    symbols = run('nm', '--defined-only', '--format=posix', package.archive, check=True).stdout
    undefined = run('nm', '--undefined-only', '--format=posix', package.archive, check=True).stdout
    for name in '__tsan_read4', '__wrap_malloc', '__ubsan_handle_out_of_bounds', '__assert_fail':
        assert re.search(rf'^{name} [td]', symbols, re.M), name
    # Only the program `reductio` runs files of users, which takes a crash's signal handlers.
    assert not re.search(r'^(sigaltstack|dlopen|_Unwind_Backtrace)', undefined, re.M), undefined
    assert len(run('ar', 't', package.archive, check=True).stdout.split()) == 1


# Variables behind public functions that change: object file, variable.
STATICS = {
    ('device_sim_sim_device', 'kernels_are_busy'): 'a lock, for the next two and the shared variables of kernels: one launch at a time',
    ('device_sim_engine_threads', 'rd_sim_place'): 'where kernels find threadIdx and the like: of the launch that has the lock',
    ('device_sim_engine_threads', 'rd_sim_reduction'): 'what a launch reduces by: of the launch that has the lock',
    ('device_sim_source_elf', 'once'): 'the C library\'s, for `image`',
    ('device_sim_source_elf', 'image'): 'the program\'s own file, read once and constant from then on',
    ('device_sim_memory_shared', 'once'): 'the C library\'s, for `library_variables`',
    ('device_sim_memory_shared', 'library_variables'): 'the shared variables of the program\'s own file, read once and constant from then on',
    ('device_kernel_names', 'own_rows'): 'atomic: rows that a thread adds, each constant from then on',
    ('device_kernel_names', 'n_own'): 'atomic, behind the row that it counts',
    ('device_kernel_names', 'registering'): 'a lock, for those who add',
    ('program_sources_registered', 'sources'): 'atomic: a list to which a thread adds, and from which none takes',
    ('program_registry', 'entries'): 'atomic: a list to which a thread adds, and from which none takes',
    ('program_registry', 'registering'): 'a lock, for those who add',
    ('program_paragraph', 'paragraphs'): 'a list to which a thread adds, and from which none takes, behind the next one',
    ('program_paragraph', 'listing'): 'a lock',
    ('program_paragraph', 'once'): 'the C library\'s, for `slot`',
    ('program_paragraph', 'slot'): 'made once: each thread has its own behind it',
    ('program_paragraph', 'has_slot'): 'likewise',
}


def variables(path):
    """The names of what an object keeps outside constants and threads."""
    sections = set(re.findall(r'^ *\[ *(\d+)\] \.(?:data|bss)(?!\.rel\.ro)\S* ', run('readelf', '-SW', path, check=True).stdout, re.M))
    for line in run('readelf', '-sW', path, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 8 and words[3] == 'OBJECT' and words[6] in sections:
            yield words[7].split('.')[0]


def united(build, unit):
    """The sources that a unit of tools/units.py has compiled together, by their paths from src/; none of what is no unit."""
    path = os.path.join(build, 'src', os.path.basename(unit).removeprefix('meson-generated_.._').removesuffix('.o'))
    if not os.path.exists(path):
        return []
    with open(path, encoding='utf-8') as file:
        return re.findall(r'^#include "(.*\.c)"$', file.read(), re.M)


def source_of(sources, name):
    """The one of a unit's sources that defines a variable, as an object of it alone is called."""
    found = []
    for path in sources:
        with open(os.path.join(os.path.dirname(HERE), 'src', path), encoding='utf-8') as file:
            if re.search(rf'^(?:[ \t]+(?=static\b))?(?!extern\b|return\b)(?:[\w*]+(?:\(\w+\))?[ *]+)+{name}\b[^(\n]*[;={{]', file.read(), re.M):
                found.append(path.replace('/', '_')[:-len('.c')])
    assert len(found) == 1, f'{name} is defined by {found} of {sources}'
    return found[0]


def test_library_keeps_nothing_that_threads_share(package, _):
    sources = {path: united(package.build_folder, path) for archive in ('reductio_objects', 'reductio_seldom', 'numeric_*')
               for path in glob.glob(os.path.join(package.build_folder, f'src/lib{archive}.a.p/*.c.o'))}
    assert sum(len(files) or 1 for files in sources.values()) > 200, sources
    found = {(source_of(files, name) if files else os.path.basename(path)[:-len('.c.o')], name)
             for path, files in sources.items() for name in variables(path)}
    assert found == set(STATICS), sorted(found ^ set(STATICS))


def test_shared_library_has_a_soname(package, _):
    said = run('readelf', '--dynamic', package.shared, check=True).stdout
    assert re.search(r'SONAME.*\[libreductio\.so\.\d+(\.\d+)?\]', said), said
    assert os.path.islink(package.shared)


def test_pkg_config_gives_a_folder_and_no_option(package, _):
    # Headers of the libraries behind it are found on the system's path, or where the client says.
    text = open(package.pc, encoding='utf-8').read()
    assert re.search(r'^Cflags: -I\$\{includedir\}$', text, re.M), text
    assert re.search(r'^Libs: -L\$\{libdir\} -lreductio$', text, re.M), text
    assert '-fopenmp' not in package.config('--cflags', '--libs')


def test_client_of_readme_runs_the_fold_round_by_round(package, codes):
    for name, kwargs in {
            'c': {},
            'c_static': {'static': True},
            'cpp': {'compiler': CXX, 'language': 'cpp'},
            'cpp_static': {'compiler': CXX, 'language': 'cpp', 'static': True}}.items():
        done = package.run(package.build('readme_' + name, codes[0], **kwargs))
        lines = done.stdout.splitlines()
        assert done.returncode == 0 and len(lines) == 6, (name, done)
        assert lines[1] == 'round 1: HOLDS: for 0 <= i < 8: A[i] = sum of a[j], j mod 8 = i', lines[1]
        version = package.config('--modversion')[0]
        assert lines[-1] == f'HOLDS, 0 hazards, by reductio {version}', lines[-1]


def test_hazards_are_found_and_named_as_in_the_program(package, _):
    for static in False, True:
        done = package.run(package.build('hazard_' + str(static), clients.HAZARD, static=static))
        assert done.returncode == 0 and done.stdout.startswith('race: '), (static, done)
        assert 's[1] (shared)' in done.stdout, (static, done.stdout)
        if os.environ.get('RD_TEST_LINES') == 'yes':
            assert 'kernels/ladder_stride.cu:' in done.stdout, (static, done.stdout)


def example(name):
    return os.path.join(EXAMPLE, name)


def thirds(package):
    """The example with a program of its own, as it is built in each way: name, program."""
    objects = [package.kernel('thirds', example('thirds.cu'), of_type) for of_type in ('i32', 'u64')]
    with open(example('thirds.c'), encoding='utf-8') as file:
        text = file.read()
    for static in False, True:
        for name, options, kwargs in ('c', [], {}), ('cpp', ['-std=c++20'], {'compiler': CXX, 'language': 'cpp'}), \
                ('tsan', ['-fsanitize=thread'], {}):
            name = f'thirds_{name}_{static}'
            yield name, package.build(name, text, *options, objects=objects, static=static, **kwargs)


def test_client_with_a_program_of_its_own_has_twenty_lines(package, _):
    with open(example('thirds.c'), encoding='utf-8') as file:
        text = file.read()
    assert text[text.index('int main'):].count('\n') <= 20


def test_client_runs_a_program_of_its_own_and_its_fault(package, _):
    for name, program in thirds(package):
        for fault, verdict in ('thirds', 'HOLDS'), ('thirds:twice', 'VIOLATED'):
            trace = os.path.join(package.work, name + fault + '.ndjson')
            done = package.run(program, fault, trace)
            assert (done.returncode, done.stdout) == (0, verdict + '\n'), (name, fault, done)


def test_trace_of_a_registered_program_is_asserted_without_it(package, _):
    program = next(thirds(package))[1]
    right, wrong = (os.path.join(package.work, name + '.ndjson') for name in ('right', 'wrong'))
    package.run(program, 'thirds', right)
    package.run(program, 'thirds:twice', wrong)
    done = package.tool('verify', right)
    assert done.returncode == 0 and done.stdout.startswith('HOLDS thirds n=27 i32'), done
    done = package.tool('verify', wrong)
    assert done.returncode == 1 and 'step 1, A[0]: expected 27, actual 17; 9 cells are wrong' in done.stdout, done
    page = os.path.join(package.work, 'page.html')
    done = package.tool('report', wrong, '-o', page)
    assert done.returncode in (0, 1), done
    with open(page, encoding='utf-8') as file:
        text = file.read()
    assert 'thirds:twice' in text and 'sum of a[j], j mod w = i' in text
    script = os.path.join(package.work, 'script')
    with open(script, 'w', encoding='utf-8') as file:
        file.write('next\nquit\n')
    done = package.tool('step', '--trace', wrong, '--script', script)
    assert '17!' in done.stdout and 'for 0 <= i < 9: A[i] = sum of a[j], j mod 9 = i' in done.stdout, done
    # Another law is another program, and a forged one is noticed: its claim is not what the steps state.
    with open(right, encoding='utf-8') as file:
        text = file.read()
    with open(right, 'w', encoding='utf-8') as file:
        file.write(text.replace('j mod w = i', 'j mod w < 1', 1))
    done = package.tool('verify', right)
    assert done.returncode != 0 and 'HOLDS' not in done.stdout.split('\n')[0], done
    with open(right, 'w', encoding='utf-8') as file:
        file.write(text.replace('"program":"thirds"', '"program":"fold"', 1))
    done = package.tool('verify', right)
    assert done.returncode == 2 and "'fold' is the name of another program" in done.stdout + done.stderr, done


def page_of(package, program, name, folder):
    """The page of a program, written while its process is in that folder."""
    page = os.path.join(package.work, 'own.html')
    done = package.run(program, name, folder, page)
    assert (done.returncode, done.stdout) == (0, ''), done
    with open(page, encoding='utf-8') as file:
        return file.read()


def test_page_of_a_registered_program_shows_its_kernel_with_the_lines_that_ran(package, _):
    source = os.path.join(package.work, 'pages', 'thirds.cu')
    os.makedirs(os.path.dirname(source))
    shutil.copy(example('thirds.cu'), source)
    objects = [package.kernel('pages', source, of_type) for of_type in ('i32', 'u64')]
    program = package.build('pages_client', clients.PAGES, objects=objects)
    with open(source, encoding='utf-8') as file:
        lines = file.read().splitlines()
    added = {name: 1 + max(k for k, line in enumerate(lines) if 'A[i] = ' in line and term in line)
             for name, term in (('thirds', '2 * w'), ('thirds:twice', 'w - 1 - i'))}
    for name, line in added.items():
        text = page_of(package, program, name, '/')
        box = re.search(r'<details class="code of-kernel".*?</details>', text, re.S).group(0)
        assert f'kernel: {source}' in box and f'data-path="{source}"' in box, box
        shown = dict(re.findall(r'data-l="(\d+)"[^>]*>(.*?)</span>', box))
        assert html.unescape(shown[str(line)]) == lines[line - 1], shown
        if os.environ.get('RD_TEST_LINES') == 'yes':
            assert re.search(rf'"lines":\[(?:\[\d+\],)*\[{line}\]', text), (line, re.findall(r'"lines":.{0,80}', text))
            if name == 'thirds:twice':
                assert f'class="l site" data-l="{line}" data-site="race' in box, box
    # Another text than the one that was compiled, and none.
    with open(source, 'w', encoding='utf-8') as file:
        file.write('\n'.join(['', *lines]))
    text = html.unescape(page_of(package, program, 'thirds', '/'))
    assert f"Its source isn't shown: '{source}' has changed since it was compiled." in text, text
    os.remove(source)
    text = html.unescape(page_of(package, program, 'thirds', '/'))
    assert f"'{source}', of which it was compiled, can't be read: No such file" in text, text


def test_page_and_stepper_of_a_trace_say_why_there_is_no_kernel(package, _):
    program = next(thirds(package))[1]
    trace, page, script = (os.path.join(package.work, name) for name in ('absent.ndjson', 'absent.html', 'absent.script'))
    package.run(program, 'thirds', trace)
    assert package.tool('report', trace, '-o', page).returncode == 0
    with open(page, encoding='utf-8') as file:
        text = file.read()
    assert 'kernel: thirds<' in text and 'the trace has no source of it, and the kernel isn' in text
    assert 'third of the array' not in text
    with open(script, 'w', encoding='utf-8') as file:
        file.write('next\nquit\n')
    done = package.tool('step', '--trace', trace, '--script', script)
    assert ' kernel thirds ' in done.stdout and 'the trace has no source of it' in done.stdout, done


def test_trace_of_a_registered_program_of_maxima_is_asserted_without_it(package, _):
    source = os.path.join(package.work, 'highest.cu')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(clients.HIGHEST_KERNEL)
    objects = [package.kernel('highest', source, of_type) for of_type in ('i32', 'u64')]
    program = package.build('highest_max', clients.HIGHEST, objects=objects)
    for name, verdict, status in ('highest', 'HOLDS', 0), ('highest:less', 'VIOLATED', 1):
        trace = os.path.join(package.work, 'highest.ndjson')
        done = package.run(program, name, trace)
        assert done.stdout == f"{verdict}\n'{name}' reduces by 'max' alone, and not by 'sum'\n", done
        with open(trace, encoding='utf-8') as file:
            text = file.read()
        assert '"operation":"max"' in text and '"op":"max"' in text and 'max of a[j], j mod 4 = i' in text, text
        done = package.tool('verify', trace)
        assert done.returncode == status and done.stdout.startswith(f'{verdict} {name} n=8 '), done
        page = os.path.join(package.work, 'highest.html')
        assert package.tool('report', trace, '-o', page).returncode == 0
        # The trace of another operation is one of another program.
        with open(trace, 'w', encoding='utf-8') as file:
            file.write(text.replace('"operation":"max"', '"operation":"min"'))
        done = package.tool('verify', trace)
        assert done.returncode == 2 and "reduces by 'min' alone, and not by 'max'" in done.stdout + done.stderr, done


def test_registered_programs_are_of_every_type_and_operation(package, _):
    arithmetic, bits = ['sum', 'product', 'min', 'max'], ['and', 'or', 'xor']
    source = os.path.join(package.work, 'operations.cu')
    for of_type in 'i32', 'u32', 'i64', 'u64', 'f32', 'f64', 'f16', 'bf16':
        operations = arithmetic + (bits if of_type[0] in 'iu' else [])
        with open(source, 'w', encoding='utf-8') as file:
            file.write(('#define BITS\n' if operations[4:] else '') + clients.OPERATIONS_KERNEL)
        kernels = [f'halves_{operation}_{of_type}' for operation in operations]
        text = clients.OPERATIONS.replace('@DECLARED@', 'extern const struct rd_launchable ' + ', '.join(kernels) + ';')
        text = text.replace('@LISTED@', ', '.join('&' + kernel for kernel in kernels))
        program = package.build('operations', text, objects=[package.kernel('operations', source, of_type)])
        for operation in operations:
            trace = os.path.join(package.work, 'operations.ndjson')
            done = package.run(program, of_type, operation, trace)
            assert (done.returncode, done.stdout) == (0, 'HOLDS\n'), (of_type, operation, done)
            done = package.tool('verify', trace)
            over = '' if operation == 'sum' else operation + ' of '
            assert done.returncode == 0 and done.stdout.startswith(f'HOLDS halves n=8 {over}{of_type} '), (of_type, operation, done)
            # A cell that is another is seen.
            with open(trace, encoding='utf-8') as file:
                lines = file.read().splitlines(True)
            last = max(k for k, line in enumerate(lines) if '"step"' in line)
            cells = re.search(r'"cells":\[([^,\]]+)', lines[last])
            lines[last] = lines[last][:cells.start(1)] + ('1' if cells.group(1) != '1' else '2') + lines[last][cells.end(1):]
            with open(trace, 'w', encoding='utf-8') as file:
                file.writelines(lines)
            done = package.tool('verify', trace)
            assert done.returncode in (1, 2, 3), (of_type, operation, done)


def test_shared_memory_and_constants_of_a_client_are_its_own(package, _):
    source = os.path.join(package.work, 'blocks.cu')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(clients.BLOCKS_KERNEL)
    kernel = package.kernel('blocks', source, 'i32')
    for static in False, True:
        done = package.run(package.build('blocks_' + str(static), clients.BLOCKS, static=static, objects=[kernel]))
        lines = done.stdout.splitlines()
        assert done.returncode == 0, (static, done)
        assert [line.rpartition(' ')[0] for line in lines if not line.startswith('race: ')] == [
            'ladder-shuffles-twice HOLDS', 'blocks HOLDS', 'blocks:early VIOLATED', 'ladder-shuffles-twice HOLDS'], (static, done)
        race = next(line for line in lines if line.startswith('race: '))
        assert 'fixed[1] (shared)' in race, race
        if os.environ.get('RD_TEST_LINES') == 'yes':
            assert 'blocks.cu:' in race, race


def test_client_under_tsan_finds_its_own_two_races(package, _):
    for static in False, True:
        program = package.build('races_' + str(static), clients.RACES, '-fsanitize=thread', '-g', '-pthread', static=static)
        done = package.run(program)
        assert 'HOLDS' in done.stdout, (static, done)
        races = re.findall(r'WARNING: ThreadSanitizer: data race', done.stderr)
        counters = set(re.findall(r"Location is global '(\w+)'", done.stderr))
        assert (len(races), counters) == (2, {'first', 'second'}), (static, len(races), counters, done.stderr[:3000])
        assert done.returncode == TSAN_FOUND, (static, done.returncode)


def test_client_under_tsan_with_runs_in_two_threads_hears_of_no_race(package, _):
    for static in False, True:
        program = package.build('runs_' + str(static), clients.TWO_RUNS, '-fsanitize=thread', '-g', '-pthread', static=static)
        for _ in range(10):
            done = package.run(program)
            assert (done.stdout, done.stderr, done.returncode) == ('HOLDS\n' * 2, '', 0), (static, done)


def test_client_has_the_headers_of_the_system(package, _):
    for static in False, True:
        assert package.run(package.build('system_' + str(static), clients.SYSTEM, static=static)).returncode == 0, static


def test_each_header_compiles_alone(package, _):
    for path in sorted(glob.glob(package.root + '/**/include/reductio/*.h', recursive=True)):
        for compiler, language in (CC, 'c'), (CXX, 'c++'):
            done = run(compiler, '-fsyntax-only', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-x', language,
                       package.config('--cflags'), '-include', 'reductio/' + os.path.basename(path), '-', input='int unused;\n')
            assert done.returncode == 0, done.stderr[:2000]


def test_headers_name_headers_that_a_client_has(package, _):
    """But for the tables that kernels share, which are written for those, too."""
    paths = glob.glob(package.root + '/**/include/reductio/*.h', recursive=True)
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'include', 'reductio')
    for path in (path for path in paths if os.path.exists(os.path.join(own, os.path.basename(path)))):
        with open(path, encoding='utf-8') as file:
            text = file.read()
        kernels = glob.glob(package.root + '/**/include/reductio/kernel/*.h', recursive=True)
        known = {os.path.basename(other) for other in paths + kernels} | set(re.findall(r'#include <([^>]+)>', text)) | {'limits.h'}
        named = {os.path.basename(name) for name in re.findall(r'[\w/]+\.h\b', text)}
        assert named <= known, (path, named - known)


def test_examples_in_headers_run(package, _):
    """A header's first comment may have a program in it, each line of which begins so: ` *     `."""
    for header, says in ('run.h', 'HOLDS, 0 hazards\n'), ('device.h', 'SIMT simulator on the CPU: 1024 threads a block\n'):
        path, = glob.glob(package.root + '/**/include/reductio/' + header, recursive=True)
        with open(path, encoding='utf-8') as file:
            comment = file.read().partition('*/')[0]
        code = '\n'.join(line[len(' *     '):] for line in comment.splitlines() if line.startswith(' *     ') or line == ' *')
        for compiler, language in (CC, 'c'), (CXX, 'cpp'):
            done = package.run(package.build('example_' + header[:-2] + '_' + language, code, compiler=compiler, language=language))
            assert (done.returncode, done.stdout) == (0, says), (header, language, done)


def test_cmocka_test_of_readme_passes(package, codes):
    if run('pkg-config', '--exists', 'cmocka').returncode != 0:
        return
    libs = run('pkg-config', '--libs', 'cmocka', check=True).stdout.split()
    for options, kwargs in ([], {}), (['-std=c++20'], {'compiler': CXX, 'language': 'cpp'}):
        done = package.run(package.build('readme_cmocka', codes[1], *options, libs=libs, **kwargs))
        assert done.returncode == 0 and '1 test(s) run' in done.stdout + done.stderr, done


def codes_of(readme):
    """The client, and the test with cmocka."""
    with open(readme, encoding='utf-8') as file:
        section = re.search(r'^## As a library\n(.*?)^## ', file.read(), re.S | re.M).group(1)
    codes = re.findall(r'```c\n(.*?)```', section, re.S)
    assert len(codes) == 2 and all('int main' in code for code in codes), len(codes)
    return codes


def main(build, readme, installed=None):
    global EXAMPLE
    EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(readme)), 'docs', 'example')
    if any(not shutil.which(tool) for tool in ('pkg-config', 'nm', 'ar', 'readelf', CC[0], CXX[0])):
        print('skipped: a client takes compilers of C and C++, pkg-config and the binary utilities')
        return 77
    codes, failed = codes_of(readme), 0
    with tempfile.TemporaryDirectory() as work:
        if not installed:
            installed = os.path.join(work, 'installed')
            run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', installed, check=True)
        package = Package(os.path.abspath(installed), work, build)
        for name, test in list(globals().items()):
            if not name.startswith('test_'):
                continue
            try:
                test(package, codes)
                print('ok', name)
            except (AssertionError, subprocess.CalledProcessError) as error:
                failed += 1
                print('FAILED', name, error)
    return failed != 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
