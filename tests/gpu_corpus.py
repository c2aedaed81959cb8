#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The right kernels of tests/hazards leave the same bytes on a GPU as in the simulator.

    gpu_corpus.py REDUCTIO FILE.cu...      runs and compares; exits 77 without a GPU
    gpu_corpus.py --compile FILE.cu...     only compiles, for machines without one

For each file it writes a driver: the file itself, gpu_driver.cuh, and a table of the kernels that are to be
`clean`. Each kernel runs twice, with what is `uninit` set to different bytes: a byte that still is what was set,
both times, was never written, and is not compared. A line

    // gpu NAME: REASON

in the corpus says why a kernel's results may differ; it then has to run, and is not compared."""
import concurrent.futures
import ctypes
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from test_hazards import cases

FORMATS = {'i8': 'b', 'u8': 'B', 'i16': 'h', 'u16': 'H', 'i32': 'i', 'u32': 'I', 'i64': 'q', 'u64': 'Q',
           'f32': 'f', 'f64': 'd'}
UNINIT = (0x5a, 0xa5)
COMPILE_S, RUN_S = 120, 30
SKIPPED = 77


def gpus():
    try:
        driver = ctypes.CDLL('libcuda.so.1')
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


# ---- the corpus ----

def size_bytes(text):
    powers = {'K': 2**10, 'M': 2**20, 'G': 2**30}
    return int(text.rstrip('KMG')) * powers.get(text[-1], 1)


class Kernel:
    """A kernel and how it is launched, as its `run` line says it."""

    def __init__(self, name, options, source, why_not_compared):
        self.name, self.why_not_compared = name, why_not_compared
        self.cooperative = 'this_grid' in source
        self.grid, self.block, self.shared, self.heap, self.args, self.compiler = '1', '1', '0', '0', [], []
        # Without the device's runtime, cudaMalloc() in a kernel is a stub that returns cudaErrorUnknown.
        self.linker = ['-rdc=true', '-lcudadevrt'] if re.search(r'\bcudaMalloc\(', source) else []
        names = iter(options)
        for option in names:
            if option.startswith(('-D', '-I')) and len(option) > 2:
                self.compiler.append(option)
                continue
            value = next(names)
            if option in ('-D', '-I'):
                self.compiler.append(option + value)
            elif option == '--std':
                self.compiler.append('-std=' + value)
            elif option == '--arg':
                self.args.append(value)
            elif option in ('--grid', '--block', '--shared', '--heap'):
                setattr(self, option[2:], value)

    def shape(self):
        dims = [','.join((dim.split(',') + ['1', '1'])[:3]) for dim in (self.grid, self.block)]
        return dims + [self.shared, str(size_bytes(self.heap))]


def source_of(text, name):
    """The text of a file from a kernel's `run` line up to the next one."""
    return re.split(r'^// run ', text.split('// run %s:' % name, 1)[1], maxsplit=1, flags=re.M)[0]


def clean_kernels(path):
    text = open(path, encoding='utf-8').read()
    reasons = dict(re.findall(r'^// gpu (\w+): (.+)$', text, re.M))
    kernels = []
    for name, options, wants in cases(path):
        if wants == ['clean']:
            kernels.append(Kernel(name, options, source_of(text, name), reasons.pop(name, None)))
    assert not reasons, '%s: a `gpu` line for no clean kernel: %s' % (path, sorted(reasons))
    return kernels


# ---- drivers ----

def driver_source(path, kernels):
    here = os.path.dirname(os.path.abspath(__file__))
    entries = ['    {"%s", gpu_driver::launch<%s>, %s},\n' % (k.name, k.name, 'true' if k.cooperative else 'false')
               for k in kernels]
    return ('#define main main_of_the_corpus\n#include "%s"\n#undef main\n#include "%s"\n\n'
            'static const gpu_driver::entry entries[] = {\n%s    {nullptr, nullptr, false},\n};\n\n'
            'int main(int argc, char **argv)\n{\n    return gpu_driver::run(entries, argc, argv);\n}\n'
            % (os.path.abspath(path), os.path.join(here, 'gpu_driver.cuh'), ''.join(entries)))


def compile_driver(path, kernels, compiler, linker, folder, arch):
    """The program's path, or what the compiler says."""
    source = os.path.join(tempfile.mkdtemp(dir=folder), 'driver.cu')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(driver_source(path, kernels))
    program = os.path.join(os.path.dirname(source), 'driver')
    done = subprocess.run(['nvcc', '-arch=' + arch, '-fmad=false', '-w', *(compiler or ['-std=c++17']), source,
                           *linker, '-o', program], capture_output=True, text=True, timeout=COMPILE_S)
    return (program, '') if done.returncode == 0 else (None, done.stdout + done.stderr)


def compile_drivers(paths, folder, arch, kernels_of=clean_kernels):
    """[(path, kernels, program, message)]: one driver for each set of compiler options in a file."""
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for path in paths:
            sets = {}
            for kernel in kernels_of(path):
                sets.setdefault((tuple(kernel.compiler), tuple(kernel.linker)), []).append(kernel)
            for (compiler, linker), kernels in sets.items():
                jobs.append((path, kernels, pool.submit(compile_driver, path, kernels, compiler, linker, folder, arch)))
    return [(path, kernels, *job.result()) for path, kernels, job in jobs]


# ---- buffers ----

def is_buffer(spec):
    return re.match(r'[iuf]\d+\[', spec) is not None


def splitmix(state):
    while True:
        state = (state + 0x9e3779b97f4a7c15) % 2**64
        z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9 % 2**64
        z = (z ^ z >> 27) * 0x94d049bb133111eb % 2**64
        yield z ^ z >> 31


def packed(kind, numbers):
    """Numbers as the bytes of a type; whole ones modulo its size."""
    if kind[0] == 'f':
        return struct.pack('<%d%s' % (len(numbers), FORMATS[kind]), *numbers)
    size = int(kind[1:]) // 8
    return b''.join((int(number) % 256**size).to_bytes(size, 'little') for number in numbers)


def filled(spec, uninit):
    """The bytes that an argument's buffer starts with."""
    kind, count, fill = re.match(r'(\w+)\[(\d+)\]:(.*)$', spec).groups()
    count, size = int(count), int(kind[1:]) // 8
    if fill == 'uninit':
        return bytes([uninit]) * (count * size)
    if fill.startswith('@'):
        return packed(kind, [float(word) if kind[0] == 'f' else int(word)
                             for word in open(fill[1:], encoding='utf-8').read().replace(',', ' ').split()])
    if fill.startswith('random:'):
        bits = [z for z, _ in zip(splitmix(int(fill[7:], 0)), range(count))]
        return packed(kind, [(z >> 11) * 2.0**-52 - 1 for z in bits] if kind[0] == 'f' else bits)
    makers = {'zero': lambda i: 0, 'one': lambda i: 1, 'iota': lambda i: i}
    if fill.startswith('plus'):
        makers[fill] = lambda i: i + int(fill[4:], 0)
    elif fill.startswith('mod'):
        makers[fill] = lambda i: (i * 2654435761 % 2**64 >> 7) % int(fill[3:], 0)
    return packed(kind, [makers[fill](i) for i in range(count)])


def same_float(kind, left, right):
    """Also any two NaNs: which one comes out of an addition, CUDA leaves open."""
    return left == right or (kind[0] == 'f' and all(
        math.isnan(struct.unpack('<' + FORMATS[kind], cell)[0]) for cell in (left, right)))


# ---- comparing ----

def run_on_gpu(program, kernel, folder, uninit, n_runs=1):
    """[bytes of each buffer after each run, one behind the other], or what went wrong."""
    arguments, files = [], []
    for number, spec in enumerate(kernel.args):
        if is_buffer(spec):
            files.append(os.path.join(folder, '%s.%d' % (kernel.name, number)))
            with open(files[-1], 'wb') as file:
                file.write(filled(spec, uninit))
            arguments.append('@' + files[-1])
        else:
            arguments.append('0' if ':' in spec else spec) # a pointer that a right kernel does not follow
    try:
        done = subprocess.run([program, '-n', str(n_runs), kernel.name, *kernel.shape(), *arguments],
                              capture_output=True, text=True, timeout=RUN_S)
    except subprocess.TimeoutExpired:
        return None, 'does not end within %d s on the GPU' % RUN_S
    if done.returncode != 0:
        return None, 'on the GPU: ' + (done.stderr.strip() or 'exit status %d' % done.returncode)
    return [open(file, 'rb').read() for file in files], ''


def run_in_simulator(reductio, path, kernel, options):
    """[cells as text] of each buffer afterwards, or what went wrong."""
    done = subprocess.run([reductio, 'check', path, '--kernel', kernel.name, '--quiet', '--print', 'all', *options],
                          capture_output=True, text=True, timeout=COMPILE_S)
    if done.returncode != 0:
        return None, 'in the simulator: ' + done.stdout + done.stderr
    count = sum(map(is_buffer, kernel.args))
    return [line.split(': ', 1)[1].split() for line in done.stdout.splitlines()[-count:]] if count else [], ''


def differences(kernel, runs, texts):
    """Lists the differences of the runs on the GPU, with each of UNINIT, from the simulator's cells."""
    found = []
    specs = [(number, spec) for number, spec in enumerate(kernel.args) if is_buffer(spec)]
    for k, (number, spec) in enumerate(specs):
        kind, size = spec.split('[')[0], int(spec.split('[')[0][1:]) // 8
        if all(run[k] == filled(spec, uninit) for run, uninit in zip(runs, UNINIT)) and ':uninit' in spec:
            found.append('argument %d: never written on the GPU' % number)
        cells = [packed(kind, [float(text) if kind[0] == 'f' else int(text)]) for text in texts[k]]
        if len(cells) * size != len(runs[0][k]):
            found.append('argument %d: %d cells from the simulator' % (number, len(cells)))
            continue
        for i, cell in enumerate(cells):
            one, other = (run[k][i * size:(i + 1) * size] for run in runs)
            never_written = [a == UNINIT[0] and b == UNINIT[1] for a, b in zip(one, other)]
            if any(never_written):
                # The simulator's memory is zero before it is written.
                same = all(c == 0 if skip else a == b == c
                           for a, b, c, skip in zip(one, other, cell, never_written))
            else:
                same = one == other and same_float(kind, one, cell)
            if not same:
                found.append('argument %d, cell %d: %s on the GPU, %s in the simulator'
                             % (number, i, one.hex(), cell.hex()))
    return found


def compare(reductio, path, program, kernel, options, folder):
    runs = []
    for uninit in UNINIT:
        buffers, message = run_on_gpu(program, kernel, folder, uninit)
        if buffers is None:
            return [message]
        runs.append(buffers)
    if kernel.why_not_compared:
        return []
    texts, message = run_in_simulator(reductio, path, kernel, options)
    return [message] if texts is None else differences(kernel, runs, texts)


def run(reductio, paths, folder):
    failed = compared = 0
    too_large = []
    for path, kernels, program, message in compile_drivers(paths, folder, 'native'):
        options = {name: options for name, options, _ in cases(path)}
        for kernel in kernels:
            faults = (compare(reductio, path, program, kernel, options[kernel.name], folder) if program
                      else [message])
            if any('cudaErrorMemoryAllocation' in fault for fault in faults):
                too_large.append(kernel.name)
                continue
            failed += bool(faults)
            compared += not kernel.why_not_compared
            for fault in faults[:4]:
                print('%s: %s: %s' % (path, kernel.name, fault))
    if too_large:
        print('not run, as the GPU has not the memory: ' + ', '.join(too_large))
    print('%d kernels compared with the GPU, %d failed' % (compared, failed))
    return 1 if failed or compared == 0 else 0


def compile_only(paths, folder, kernels_of=clean_kernels):
    drivers = compile_drivers(paths, folder, 'sm_90', kernels_of)
    for path, _, program, message in drivers:
        if not program:
            print('%s: nvcc refuses it:\n%s' % (path, message))
    print('%d drivers with %d kernels' % (len(drivers), sum(len(kernels) for _, kernels, _, _ in drivers)))
    return 1 if not drivers or any(not program for _, _, program, _ in drivers) else 0


def main():
    only = sys.argv[1] == '--compile'
    if not shutil.which('nvcc') or not (only or gpus()):
        print('skipped: there is no %s' % ('nvcc' if not shutil.which('nvcc') else 'GPU'))
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix='reductio-gpu-') as folder:
        return compile_only(sys.argv[2:], folder) if only else run(sys.argv[1], sys.argv[2:], folder)


if __name__ == '__main__':
    sys.exit(main())
