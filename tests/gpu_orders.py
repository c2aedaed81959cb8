#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Order-dependent kernels side by side with the simulator: the results that a GPU gives, and what `check` says.

    gpu_orders.py REDUCTIO [--runs N] FILE.cu...   runs and compares; exits 77 without a GPU
    gpu_orders.py --compile FILE.cu...             only compiles, for machines without one

Each kernel runs N times, 200 by default, from the same memory, in one process with a time limit; `__device__`
variables would keep what a run left there. A kernel fails where the GPU gives several results and `check` names
neither an order nor a race, or the kernel is to be `clean`; and where it does not end and `check` does not say so.
One result of a kernel that `check` condemns is no failure: a GPU need not show each order."""
import argparse
import collections
import concurrent.futures
import os
import shutil
import sys
import tempfile

from gpu_corpus import Kernel, SKIPPED, UNINIT, compile_drivers, compile_only, gpus, is_buffer, run_on_gpu, source_of
from test_hazards import MAX_ERRORS, cases
from test_orders import run as check

ORDERS = {'order-dependent', 'race'}
HANGS = 'no-termination'
MOST = 4 # results whose frequency is printed

Seen = collections.namedtuple('Seen', 'counts error') # how often each result was seen, or what went wrong


def all_kernels(path):
    text = open(path, encoding='utf-8').read()
    return [Kernel(name, options, source_of(text, name), None) for name, options, _ in cases(path)]


def results_of(buffers, n_runs):
    """Counts each result of all buffers, from the buffers' bytes after each run, one behind the other."""
    assert buffers and all(buffer and len(buffer) % n_runs == 0 for buffer in buffers), 'not %d results' % n_runs
    sizes = [len(buffer) // n_runs for buffer in buffers]
    return collections.Counter(tuple(buffer[k * size:(k + 1) * size] for buffer, size in zip(buffers, sizes))
                               for k in range(n_runs))


def on_gpu(program, kernel, folder, n_runs):
    if not any(map(is_buffer, kernel.args)):
        return Seen({}, 'no buffer, hence no result')
    buffers, message = run_on_gpu(program, kernel, folder, UNINIT[0], n_runs)
    return Seen({}, message) if buffers is None else Seen(results_of(buffers, n_runs), '')


def faults_of(seen, wants, names):
    """Lists results of the GPU that don't go with the hazards that `check` names of the kernel."""
    if seen.error:
        return [] if 'does not end' in seen.error and HANGS in names else ['no results from the GPU']
    if len(seen.counts) <= 1:
        return []
    return ((['several results, and check names neither an order nor a race'] if not ORDERS & names else []) +
            (['several results of a kernel that is to be clean'] if wants == ['clean'] else []))


def line_of(kernel, seen, names, n_runs, faults):
    said = 'check: ' + (', '.join(sorted(names)) or 'clean')
    if seen.error:
        told = seen.error
    else:
        n = len(seen.counts)
        told = '%3d result%s in %d runs on the GPU' % (n, ' ' if n == 1 else 's', n_runs)
        if n > 1:
            most = sorted(seen.counts.values(), reverse=True)
            told += ' (%s%s times)' % (', '.join(map(str, most[:MOST])), ', ...' if n > MOST else '')
        elif ORDERS & names:
            said += ', which this GPU did not show'
    return '%-22s %s; %s%s' % (kernel.name, told, said, ''.join('; FAILED: ' + fault for fault in faults))


def names_in(reductio, path, kernel, options):
    """The names of the hazards that `check` reports by default."""
    report = check(reductio, path, kernel.name, [*options, '--max-errors', MAX_ERRORS])[1]
    if report['error']:
        sys.exit('%s: %s: %s' % (path, kernel.name, report['error']))
    return {hazard['name'] for hazard in report['hazards']}


def compare(reductio, paths, folder, n_runs):
    n = failed = several = 0
    drivers = compile_drivers(paths, folder, 'native', all_kernels)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = []
        for path, kernels, program, message in drivers:
            lines = {name: (options, wants) for name, options, wants in cases(path)}
            for kernel in kernels:
                options, wants = lines[kernel.name]
                jobs.append((kernel, wants, program, message, pool.submit(names_in, reductio, path, kernel, options)))
        for kernel, wants, program, message, checked in jobs:
            names = checked.result()
            seen = on_gpu(program, kernel, folder, n_runs) if program else Seen({}, 'nvcc refuses it:\n' + message)
            faults = faults_of(seen, wants, names)
            print(line_of(kernel, seen, names, n_runs, faults), flush=True)
            n += 1
            failed += bool(faults)
            several += len(seen.counts) > 1
    print('%d kernels, %d with several results on the GPU, %d failed' % (n, several, failed))
    return 1 if failed or n == 0 else 0


def positive(text):
    if int(text) < 1:
        raise ValueError
    return int(text)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--compile', action='store_true')
    parser.add_argument('--runs', type=positive, default=200)
    parser.add_argument('paths', nargs='+')
    options = parser.parse_args()
    if not shutil.which('nvcc') or not (options.compile or gpus()):
        print('skipped: there is no %s' % ('nvcc' if not shutil.which('nvcc') else 'GPU'))
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix='reductio-gpu-') as folder:
        if options.compile:
            return compile_only(options.paths, folder, all_kernels)
        return compare(options.paths[0], options.paths[1:], folder, options.runs)


if __name__ == '__main__':
    sys.exit(main())
