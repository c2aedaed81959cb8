#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole programs on a GPU and in the simulator: the same output, the same verdict, the same trace.

    gpu_programs.py REDUCTIO FOLDER

FOLDER has annotated programs, all of which hold. Exits with 77 where there is no GPU, or no nvcc."""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from gpu_corpus import SKIPPED, gpus

REDUCTIO = os.path.abspath(sys.argv.pop(1))
FOLDER = os.path.abspath(sys.argv.pop(1))
DEVICES = ('sim', 'cuda')

# Faults: the file, what stands there, and in its place.
FAULTY = {
    'fold-wrong-half.cu': ('fold.cu', 'A[i + half]', 'A[i + half - 1]'),
    'scan-too-far.cu': ('scan.cu', 'from[i - D]', 'from[i - D + (D == 4)]'),
    'tournament-wrong-law.cu': ('tournament.cu', 'i <= j < min(i + D, n)', 'i <= j < i + 1'),
    'maximum-adds.cu': ('maximum.cu', 'A[i] = max(A[i], A[i + half])', 'A[i] = A[i] + A[i + half]'),
    'map-eleven.cu': ('map.cu', 'in[i] + 10', 'in[i] + 11'),
    'two-launches-wrong-ensures.cu': ('two_launches.cu', 'ensures A[0] = sum of a[j]', 'ensures A[0] = max of a[j]'),
    'block-sum-adds-one.cu': ('block_sum.cu', 'cache[t] += cache[t + s / 2]', 'cache[t] += cache[t + s / 2] + (t == 1)'),
    'fold-too-many.cu': ('fold.cu', 'const size_t n = 16', 'const size_t n = 12'),
}

HEAD = """
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
__global__ void set(int *A, int i) { A[i] = 1; }
__global__ void spin(volatile int *A) { while (A[0] == 0) ; }
__device__ int variable[4];
__global__ void add() { variable[threadIdx.x] += 10; }
"""

# Programs with what their last line must say on a GPU, and their exit status, with the simulator and without.
OTHERS = {
    'address.cu': ('int main(void) { set<<<1, 1>>>((int *)8, 0); return cudaDeviceSynchronize() != cudaSuccess; }',
                   (r'^VIOLATED .* on the GPU: exit status 1, 1 launch, .*kernel-fault 1', 1), ('kernel-fault 1', 1)),
    'unseen.cu': ('int main(void) { set<<<1, 1>>>((int *)8, 0); return 0; }',
                  ('kernel-fault 1', 1), ('kernel-fault 1', 1)),
    'exit.cu': ('int main(void) { set<<<1, 1>>>((int *)8, 0); exit(0); }', ('kernel-fault 1', 1), ('kernel-fault 1', 1)),
    'assert.cu': ('__global__ void check(int n) { assert(n > 3); }\n'
                  'int main(void) { check<<<1, 1>>>(3); return cudaDeviceSynchronize() != cudaErrorAssert; }',
                  ('kernel-fault 1', 1), (r'^VIOLATED .* exit status 0, 1 launch, 1 hazard \(kernel-fault 1\)', 1)),
    'stream.cu': ('int main(void) { int *A; cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); '
                  'cudaMalloc(&A, 4); cudaMemset(A, 0, 4); cudaDeviceSynchronize(); spin<<<1, 1, 0, s>>>(A); '
                  'return cudaStreamSynchronize(s); }',
                  ('no-termination', 1), (r'^VIOLATED .* stopped after 6 s, 1 launch, .*no-termination 1', 1)),
    'graph.cu': ('int main(void) { int *A; cudaStream_t s; cudaGraph_t g; cudaGraphExec_t e; cudaStreamCreate(&s); '
                 'cudaMalloc(&A, 4); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); set<<<1, 1, 0, s>>>(A, 0); '
                 'cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); '
                 'cudaStreamSynchronize(s); cudaGraphExecDestroy(e); cudaGraphDestroy(g); cudaStreamDestroy(s); '
                 'return cudaFree(A); }',
                 ('not all was looked at', 3),
                 (r'^INCONCLUSIVE .* exit status 0, 0 launches, hazards not looked for, not all was looked at', 3)),
    'hang.cu': ('int main(void) { int *A; cudaMalloc(&A, 4); cudaMemset(A, 0, 4); spin<<<1, 1>>>(A); '
                'return cudaDeviceSynchronize(); }',
                (r'^VIOLATED .* stopped after 6 s, 1 launch, .*no-termination', 1),
                (r'^VIOLATED .* stopped after 6 s, 1 launch, .*no-termination 1', 1)),
    'refused.cu': ('int main(void) { int *A; cudaMalloc(&A, 4); set<<<1, 2048>>>(A, 0); cudaGetLastError(); '
                   'cudaFree(A); return 0; }',
                   ('illegal-launch', 1), ('illegal-launch 1', 1)),
    'status.cu': ('int main(void) { printf("three\\n"); return 3; }',
                  (r'^VIOLATED .* exit status 3, 0 launches, 0 hazards in the simulator', 1),
                  (r'^VIOLATED .* exit status 3, 0 launches, hazards not looked for', 1)),
    'plain.cu': ('int main(void) { int *A; cudaMalloc(&A, 4); set<<<1, 1>>>(A, 0); cudaFree(A); return 0; }',
                 (r'^INCONCLUSIVE .* 1 launch, 0 hazards in the simulator: no invariant was asserted', 3),
                 (r'^INCONCLUSIVE .* hazards not looked for: no invariant was asserted', 3)),
    'variable.cu': ('int main(void) { const int n = 4; int a[n] = {1, 2, 3, 4};\n//@ input a[n]\n'
                    'cudaMemcpyToSymbol(variable, a, sizeof a); add<<<1, 4>>>();\n'
                    '//@ ensures for 0 <= i < n: variable[i] = a[i] + 10\nreturn 0; }',
                    (r'^HOLDS .* 0 hazards in the simulator: 1 assertion, 4 cells', 0),
                    (r'^HOLDS .* hazards not looked for: 1 assertion, 4 cells', 0)),
    'race.cu': ('__global__ void both(int *A) { A[0] = threadIdx.x; }\n'
                'int main(void) { int *A; cudaMalloc(&A, 4); both<<<1, 2>>>(A); cudaFree(A); return 0; }',
                (r'^VIOLATED .* hazard.*race', 1), ('hazards not looked for', 3)),
}


class Result:
    def __init__(self, file, device, *more):
        self.trace = os.path.join(TEMPORARY, '%s-%s-%d.ndjson' % (os.path.basename(file), device, len(more)))
        done = subprocess.run([REDUCTIO, 'run', file, '--device', device, '--timeout', '6', '--no-last', '--trace',
                               self.trace, *more], capture_output=True, text=True, timeout=100)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.said = self.out + self.err
        self.last = self.out.splitlines()[-1] if self.out else ''


def write(name, text):
    path = os.path.join(TEMPORARY, name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


def jobs():
    """All runs: nvcc takes its time, so they are made side by side."""
    for name in sorted(os.listdir(FOLDER)):
        for device in DEVICES:
            yield os.path.join(FOLDER, name), device
    for name, (source, old, new) in FAULTY.items():
        with open(os.path.join(FOLDER, source), encoding='utf-8') as file:
            text = file.read()
        assert old in text, name
        path = write(name, text.replace(old, new))
        for device in DEVICES:
            yield path, device
    for name, (text, _, _) in OTHERS.items():
        path = write(name, HEAD + text)
        yield path, 'cuda'
        yield path, 'cuda', '--hazards', 'off'


def run_all():
    todo = list(jobs())
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) * 3 // 4)) as pool:
        done = pool.map(lambda job: Result(*job), todo)
        return {(os.path.basename(job[0]),) + job[1:]: result for job, result in zip(todo, done)}


def told(result):
    """What a run says, but for where it ran: the simulator contains a program, as far as the machine lets it."""
    text = result.out.replace(' on the GPU', '').replace(' in the simulator', '')
    text = re.sub(' (sim|cuda): ', ' DEVICE: ', text.replace('; not, or not all, contained', ''))
    return [line for line in text.splitlines() if not line.startswith(('not contained: ', 'the program could write '))]


class Programs(unittest.TestCase):
    def both(self, name):
        return tuple(RESULTS[name, device] for device in DEVICES)

    def assert_same(self, name):
        sim, cuda = self.both(name)
        self.assertEqual(cuda.status, sim.status, sim.said + cuda.said)
        self.assertEqual(told(cuda), told(sim))
        self.assertEqual(os.path.exists(cuda.trace), os.path.exists(sim.trace))
        if os.path.exists(sim.trace):
            done = subprocess.run([REDUCTIO, 'diff', sim.trace, cuda.trace], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_annotated_programs_are_the_same(self):
        for name in sorted(os.listdir(FOLDER)):
            with self.subTest(name):
                self.assert_same(name)
                cuda = RESULTS[name, 'cuda']
                self.assertIn(cuda.status, (0, 3) if name == 'block_sum.cu' else (0,), cuda.said)
                self.assertIn(' on the GPU: exit status 0, ', cuda.last)
                self.assertIn(' 0 hazards in the simulator', cuda.last)

    def test_faulty_programs_are_the_same(self):
        for name in FAULTY:
            with self.subTest(name):
                self.assert_same(name)
                self.assertEqual(RESULTS[name, 'cuda'].status, 1, RESULTS[name, 'cuda'].said)

    def test_failures_are_findings(self):
        for name, (_, beside, alone) in OTHERS.items():
            for more, (words, status) in (((), beside), (('--hazards', 'off'), alone)):
                with self.subTest(name, more=more):
                    result = RESULTS[(name, 'cuda') + more]
                    self.assertRegex(result.last, words, result.said)
                    self.assertEqual(result.status, status, result.said)

    def test_fault_names_the_launch(self):
        for name in ('address.cu', 'unseen.cu', 'exit.cu'):
            result = RESULTS[name, 'cuda', '--hazards', 'off']
            self.assertRegex(' '.join(result.out.split()),
                             r'the GPU stops a kernel with cudaErrorIllegalAddress .* the last one launched is set at '
                             r'\S*' + name + ':%d ' % (1 + HEAD.count('\n')))

    def test_program_of_two_files_with_arguments(self):
        write('adds.cu', '__global__ void add(int *A, int x) { A[threadIdx.x] += x; }\n'
                         'void add_to(int *A, int n, int x) { add<<<1, n>>>(A, x); }\n')
        main = write('main.cpp', """
            #include <cuda_runtime.h>
            #include <stdio.h>
            #include <stdlib.h>
            void add_to(int *A, int n, int x);
            int main(int argc, char **argv)
            {
                const int n = 8, x = argc > 1 ? atoi(argv[1]) : 0;
                int a[n] = {3, 1, 4, 1, 5, 9, 2, 6}, *A;
                //@ input a[n]
                cudaMallocHost(&A, sizeof a);
                cudaMemcpy(A, a, sizeof a, cudaMemcpyDefault);
                int added = 0;
                //@ invariant for 0 <= i < n: A[i] = a[i] + added
                for (int k = 0; k < 3; k++) {
                    add_to(A, n, x);
                    added += x;
                }
                //@ ensures for 0 <= i < n: A[i] = a[i] + 3 * x
                cudaDeviceSynchronize();
                printf("%d\\n", A[0]);
                cudaFreeHost(A);
                return 0;
            }""")
        for device in DEVICES:
            RESULTS['main.cpp', device] = Result(main, device, os.path.join(TEMPORARY, 'adds.cu'), '-std=c++17', '-O2', '--',
                                                 '7')
        self.assert_same('main.cpp')
        self.assertEqual(RESULTS['main.cpp', 'cuda'].out.splitlines()[0], '24', RESULTS['main.cpp', 'cuda'].said)

    def test_hazards_off_says_so(self):
        name = 'fold.cu'
        result = Result(os.path.join(FOLDER, name), 'cuda', '--hazards', 'off')
        self.assertEqual(result.status, 0, result.said)
        self.assertRegex(result.last, r'^HOLDS .* on the GPU: exit status 0, 4 launches, hazards not looked for: ')


if __name__ == '__main__':
    if not gpus() or not shutil.which(os.environ.get('NVCC', 'nvcc'), path=os.environ['PATH'] + ':/usr/local/cuda/bin'):
        print('skipped: there is no GPU, or no nvcc')
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix='reductio-') as TEMPORARY:
        RESULTS = run_all()
        PROGRAM = unittest.main(verbosity=2, exit=False)
    sys.exit(not PROGRAM.result.wasSuccessful())
