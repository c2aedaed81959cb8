#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares arithmetic that C++ leaves undefined: the kernels of check/arithmetic.cu on a GPU, in the simulator, and in
the table of arithmetic_table.py.

    gpu_arithmetic.py REDUCTIO [--all]     runs and compares; exits 77 without a GPU
    gpu_arithmetic.py --compile            only compiles, for machines without one

Lines that differ are printed, with --all all of them. A division by zero is left open by PTX: what GPUs give is
printed where it is not as in the table, and is no failure, nor is what differs between GPU and simulator there."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile

from arithmetic_table import CASES
from gpu_corpus import COMPILE_S, FORMATS, RUN_S, SKIPPED, gpus, packed

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, 'check', 'arithmetic.cu')


def compile_driver(folder, arch):
    entries = ''.join('    {"%s", gpu_driver::launch<%s>, false},\n' % (case.kernel, case.kernel) for case in CASES)
    path = os.path.join(folder, 'driver.cu')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#include "%s"\n#include "%s"\n\nstatic const gpu_driver::entry entries[] = {\n%s'
                   '    {nullptr, nullptr, false},\n};\n\nint main(int argc, char **argv)\n{\n'
                   '    return gpu_driver::run(entries, argc, argv);\n}\n'
                   % (SOURCE, os.path.join(HERE, 'gpu_driver.cuh'), entries))
    done = subprocess.run(['nvcc', '-arch=' + arch, '-fmad=false', '-w', '-std=c++17', path, '-o',
                           os.path.join(folder, 'driver')], capture_output=True, text=True, timeout=COMPILE_S)
    if done.returncode != 0:
        sys.exit('nvcc refuses it:\n' + done.stdout + done.stderr)
    return os.path.join(folder, 'driver')


def unpacked(kind, data):
    return list(struct.unpack('<%d%s' % (len(data) * 8 // int(kind[1:]), FORMATS[kind]), data))


def on_gpu(program, case, folder):
    """The cells of each output."""
    files = []
    for number, (kind, cells) in enumerate(case.inputs + [(kind, [0] * len(cells)) for kind, cells in case.outputs]):
        files.append(os.path.join(folder, '%s.%d' % (case.kernel, number)))
        with open(files[-1], 'wb') as file:
            file.write(packed(kind, cells))
    done = subprocess.run([program, case.kernel, '1,1,1', '%d,1,1' % case.threads, '0', '0',
                           *('@' + file for file in files)], capture_output=True, text=True, timeout=RUN_S)
    if done.returncode != 0:
        sys.exit('%s on the GPU: %s' % (case.kernel, done.stderr.strip()))
    outputs = zip(case.outputs, files[len(case.inputs):])
    return [unpacked(kind, open(file, 'rb').read()) for (kind, _), file in outputs]


def in_simulator(reductio, case, folder):
    arguments = []
    for number, (kind, cells) in enumerate(case.inputs):
        path = os.path.join(folder, '%s.%d.txt' % (case.kernel, number))
        with open(path, 'w', encoding='utf-8') as file:
            file.write(' '.join(map(repr, cells)))
        arguments += ['--arg', '%s[%d]:@%s' % (kind, len(cells), path)]
    for kind, cells in case.outputs:
        arguments += ['--arg', '%s[%d]:zero' % (kind, len(cells))]
    done = subprocess.run([reductio, 'check', SOURCE, '--kernel', case.kernel, '--grid', '1', '--block',
                           str(case.threads), '--quiet', '--print', 'all', *arguments], capture_output=True, text=True,
                          timeout=COMPILE_S)
    if done.returncode not in (0, 1):
        sys.exit('%s in the simulator: %s' % (case.kernel, done.stdout + done.stderr))
    lines = done.stdout.splitlines()[-len(case.outputs):]
    return [list(map(int, line.split(': ', 1)[1].split())) for line in lines]


def compare(case, gpu, simulator, say_all):
    """Counts the lines that differ where PTX defines the result."""
    failed = 0
    for number, (kind, cells) in enumerate(case.outputs):
        for i, wanted in enumerate(cells):
            inputs = [x[i] for _, x in case.inputs]
            open_case = 'division' in case.counts and inputs[1] == 0
            results = gpu[number][i], simulator[number][i], wanted
            differs = len(set(results)) > 1
            failed += differs and not open_case
            if differs or say_all:
                print('%-22s %s output %d of %s: GPU %s, simulator %s, table %s%s'
                      % (case.kernel, kind, number, inputs, *results,
                         '' if not differs else ' (left open by PTX)' if open_case else ' DIFFERS'))
    return failed


def main():
    only = sys.argv[1] == '--compile'
    if not shutil.which('nvcc') or not (only or gpus()):
        print('skipped: there is no %s' % ('nvcc' if not shutil.which('nvcc') else 'GPU'))
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix='reductio-gpu-') as folder:
        program = compile_driver(folder, 'sm_90' if only else 'native')
        if only:
            print('%d kernels compiled' % len(CASES))
            return 0
        failed = lines = 0
        for case in CASES:
            lines += sum(len(cells) for _, cells in case.outputs)
            failed += compare(case, on_gpu(program, case, folder), in_simulator(sys.argv[1], case, folder),
                              '--all' in sys.argv)
    print('%d results compared with the GPU, %d differ' % (lines, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
