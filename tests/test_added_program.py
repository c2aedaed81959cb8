#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program is added by three files: its kernel, its invariant and its test. A copy of the source tree with such files is
configured, and what is made of lists of kernels, programs and tests is compiled.

usage: test_added_program.py BUILD [--run]      with --run all is built, which takes minutes, and the program run
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = 'docs', 'include', 'invariants', 'kernels', 'src', 'tests', 'tools', 'traces'
SKIPPED = 77

FILES = {
    'kernels/keep.cu': """// SPDX-License-Identifier: MIT
/* A[i] = a[i]. */
#include "kernel.h"

EXTERN_C __global__ void NAME(keep)(const elem *a, elem *A, size_t n)
{
    size_t i = GLOBAL_THREAD;
    if (i < n)
        A[i] = a[i];
}
LAUNCHABLE(keep, const elem *, elem *, size_t)
""",
    'invariants/keep.c': """// SPDX-License-Identifier: MIT
/* The input, copied onto itself. The kernel is in kernels/keep.cu. */
#include "invariants.h"

/* explain: keep
 *
 * keep: A[i] = a[i] for all i, in one round. Any n. A starts as a.
 */
const struct rd_program rd_program_keep = {
    .name = "keep",
    .summary = "copies the input (any n)",
    .law = "input a[n]\\narray A[n]\\nlaw for 0 <= i < n: A[i] = a[i]\\nupdate for 0 <= i < n: A[i] = a[i]\\n",
    .launch = "keep(a, A, n) by n threads",
    .goal = RD_GOAL_INPUT,
    .n = 11,
    .n_block = 4,
};
""",
    'tests/test_keep.c': """// SPDX-License-Identifier: MIT
#include "harness.h"

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_OF("keep", holds_for_every_small_n)};
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
""",
}

# Objects that the lists are compiled into.
OBJECTS = [
    'kernels/libsim_kernels_f32.a.p/meson-generated_.._families.c.o',
    'src/libreductio_seldom.a.p/.._invariants_keep.c.o',
    'src/libreductio_seldom.a.p/device_kernel_names.c.o',
    'src/libreductio_seldom.a.p/program_program.c.o',
    'src/libreductio_objects.a.p/device_sim_sim_device.c.o',
    'tests/test_keep.p/test_keep.c.o',
]


def compiler_of(build):
    """The C compiler of a build folder, with what stands in front of it: ccache gcc."""
    entries = json.loads((build / 'compile_commands.json').read_text(encoding='utf-8'))
    words = shlex.split(next(entry['command'] for entry in entries if entry['file'].endswith('.c')))
    return ' '.join(words[:next(k for k, word in enumerate(words) if word.startswith('-'))])


def copy_tree(folder):
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns('__pycache__'))
    for name in 'meson.build', 'meson_options.txt', 'README.md':
        shutil.copy(ROOT / name, folder)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding='utf-8')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--run', action='store_true')
    arguments = parser.parse_args()
    if not shutil.which('meson') or not shutil.which('ninja'):
        print('skipped: there is no meson or no ninja on the path')
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix='reductio-') as name:
        folder = pathlib.Path(name).resolve()
        build = folder / 'build'
        copy_tree(folder)
        environment = {**os.environ, 'CC': compiler_of(arguments.build.resolve()), 'CCACHE_BASEDIR': str(folder), 'CCACHE_NOHASHDIR': '1'}

        def run(*command):
            done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  check=False)
            if done.returncode != 0:
                sys.exit(done.stdout + '\n' + shlex.join(map(str, command)) + ' failed')
            return done.stdout

        run('meson', 'setup', build, '-Dcuda=disabled', '-Dman=disabled', '-Dtests=enabled', '-Dwerror=true', '-Dunits=false')
        tests = run('meson', 'test', '-C', build, '--list').splitlines()
        assert any(re.split(r'[\s:]', test)[-1] == 'keep' for test in tests), 'its test is not found'
        run('ninja', '-C', build, *(['tests/test_keep', 'tests/test_rounds', 'src/cli/reductio'] if arguments.run else OBJECTS))
        assert ' X(keep, KEEP, false, RD_PARAM_CONST_ELEMS, RD_PARAM_ELEMS, RD_PARAM_SIZE)' in (
            build / 'kernels/kernel_list.h').read_text(encoding='utf-8')
        assert (build / 'src/program_list.h').read_text(encoding='utf-8').endswith(' X(keep)\n')
        if arguments.run:
            run('meson', 'compile', '-C', build, 'records')
            assert '\nkeep: ' in (folder / 'tests/rounds.txt').read_text(encoding='utf-8')
            assert '\n## keep\n' in (folder / 'docs/LAWS.md').read_text(encoding='utf-8')
            run(build / 'tests/test_rounds')
            run(build / 'tests/test_keep')
            assert 'HOLDS keep n=11 ' in run(build / 'src/cli/reductio', 'run', 'keep', '--device', 'sim', '--no-last', '--quiet')
    return 0


if __name__ == '__main__':
    sys.exit(main())
