#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes between folders: as tools/dependencies.py allows, and as CONTRIBUTING.md draws them.

usage: test_dependencies.py ROOT [BUILD]

BUILD is a build with -Dunits=false, whose objects are those of single files: .ci/run has one.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOLDERS = 'include', 'invariants', 'kernels', 'src'


def dependencies(tool, *arguments):
    return subprocess.run([sys.executable, tool, *arguments], stdout=subprocess.PIPE, encoding='utf-8', check=False)


def changed(root, path, before, behind):
    """Returns the tool's words on a copy of the tree in which one file is changed."""
    with tempfile.TemporaryDirectory() as copy:
        for folder in FOLDERS:
            shutil.copytree(os.path.join(root, folder), os.path.join(copy, folder))
        with open(os.path.join(copy, path), encoding='utf-8') as file:
            text = file.read()
        assert before in text, f'{path} has no {before!r}'
        with open(os.path.join(copy, path), 'w', encoding='utf-8') as file:
            file.write(text.replace(before, behind, 1))
        return dependencies(os.path.join(root, 'tools/dependencies.py'), copy)


def test_tree_keeps_the_rules(root, _):
    done = dependencies(os.path.join(root, 'tools/dependencies.py'), root)
    assert done.returncode == 0, done.stdout


def test_picture_is_the_tree_as_it_is(root, _):
    with open(os.path.join(root, 'CONTRIBUTING.md'), encoding='utf-8') as file:
        drawn = re.search(r'```mermaid\n(.*?)```', file.read(), re.S).group(1)
    assert drawn == dependencies(os.path.join(root, 'tools/dependencies.py'), '--draw', root).stdout, \
        'put into CONTRIBUTING.md what tools/dependencies.py --draw prints'


def test_device_that_includes_a_program_is_refused(root, _):
    done = changed(root, 'src/device/sim/sim_device.c', '#include', '#include "reductio/program.h"\n#include')
    assert done.returncode == 1, done.stdout
    assert 'src/device/sim/sim_device.c includes include/reductio/program.h: sim may not include program' in done.stdout, done.stdout


def test_check_that_includes_the_simulator_is_refused(root, _):
    done = changed(root, 'src/check/kernel/child.c', '#include', '#include "device/sim/engine/engine.h"\n#include')
    assert done.returncode == 1, done.stdout
    assert 'src/check/kernel/child.c includes src/device/sim/engine/engine.h: check may not include sim' in done.stdout, done.stdout


def test_engine_that_includes_a_detector_is_refused(root, _):
    done = changed(root, 'src/device/sim/engine/barrier.c', '#include', '#include "device/sim/detect/causality.h"\n#include')
    assert done.returncode == 1, done.stdout
    assert 'src/device/sim/engine/barrier.c includes src/device/sim/detect/causality.h: engine may not include detect' in done.stdout, \
        done.stdout


def test_source_text_that_includes_the_compiler_is_refused(root, _):
    done = changed(root, 'src/check/source/lexer.c', '#include', '#include "check/compiler/headers.h"\n#include')
    assert done.returncode == 1, done.stdout
    assert 'src/check/source/lexer.c includes src/check/compiler/headers.h: source may not include compiler' in done.stdout, done.stdout


def test_execution_of_kernels_that_includes_goals_is_refused(root, _):
    done = changed(root, 'src/prove/kernel/call.c', '#include', '#include "prove/goals/segment.h"\n#include')
    assert done.returncode == 1, done.stdout
    assert 'src/prove/kernel/call.c includes src/prove/goals/segment.h: kernel may not include goals' in done.stdout, done.stdout


def test_header_beside_the_file_is_followed(root, _):
    done = changed(root, 'include/reductio/hazards.h', '#include "hazard_table.h"', '#include "hazard_table.h"\n#include "run.h"')
    assert done.returncode == 1, done.stdout
    assert 'include/reductio/hazards.h includes include/reductio/run.h: device may not include run' in done.stdout, done.stdout


def test_circle_of_headers_is_refused(root, _):
    done = changed(root, 'include/reductio/input_set.h', '#include', '#include "evidence.h"\n#include')
    assert done.returncode == 1 and 'a circle of files: include/reductio/evidence.h, include/reductio/input_set.h' in done.stdout, \
        done.stdout


def test_file_in_no_room_is_refused(root, _):
    done = changed(root, 'src/base/status.c', '#include', '#include "unheard_of.h"\n#include')
    assert done.returncode == 1 and 'src/base/status.c includes unheard_of.h, which is in no room' in done.stdout, done.stdout


def test_exception_without_its_include_is_refused(root, _):
    done = changed(root, 'src/view/results_sarif.c', '#include "device/sim/report/report.h"', '')
    assert done.returncode == 1 and 'the exception is not needed' in done.stdout, done.stdout


def circles_of_objects(root, build):
    return dependencies(os.path.join(root, 'tools/dependencies.py'), '--objects', build, root)


def test_objects_of_the_simulator_make_known_circles_only(root, build):
    done = circles_of_objects(root, build)
    assert done.returncode == 0, done.stdout


def test_circle_of_objects_is_refused(root, _):
    with tempfile.TemporaryDirectory() as build:
        for name, function, other in (('engine_grid', 'grid', 'arrays'), ('memory_arrays', 'arrays', 'grid')):
            subprocess.run(['cc', '-c', '-x', 'c', '-', '-o', os.path.join(build, f'device_sim_{name}.c.o')], check=True, encoding='utf-8',
                           input=f'void {other}(void);\nvoid {function}(void);\nvoid {function}(void) {{ {other}(); }}\n')
        done = circles_of_objects(root, build)
        assert done.returncode == 1 and 'a circle of object files: engine/grid, memory/arrays' in done.stdout, done.stdout


def test_build_without_objects_is_refused(root, _):
    with tempfile.TemporaryDirectory() as build:
        assert circles_of_objects(root, build).returncode == 1


def main(root, build=None):
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith('test_') or test is test_objects_of_the_simulator_make_known_circles_only and not build:
            continue
        try:
            test(root, build)
            print('ok', name)
        except AssertionError as error:
            failed += 1
            print('FAILED', name, error)
    return failed != 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
