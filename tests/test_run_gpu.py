#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that nvcc compiles for a GPU, and what their recorder tells, without a GPU: fake_cuda_runtime.c stands for CUDA's
runtime.

    test_run_gpu.py REDUCTIO

Exits with 77 where there is no nvcc."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
HERE = os.path.dirname(os.path.abspath(__file__))
REDUCTIO = os.path.abspath(sys.argv.pop(1))
NVCC = os.environ.get('NVCC') or shutil.which('nvcc', path=os.environ['PATH'] + ':/usr/local/cuda/bin')
TEMPORARY = tempfile.TemporaryDirectory(prefix='reductio-')
FOLDER = TEMPORARY.name

# A program with several ends: its argument says which. A fault is defined in the kernel, or in what stands for it.
FOLD = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef KERNEL_FAULT
#define KERNEL_FAULT 0
#endif
#ifndef GPU_FAULT
#define GPU_FAULT KERNEL_FAULT
#endif

__global__ void fold(int *A, size_t half)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < half)
        A[i] += A[i + half - KERNEL_FAULT * (i > 0)];
}
extern "C" void emulate__Z4foldPim(dim3 grid, dim3 block, void **arguments)
{
    int *A = *(int **)arguments[0];
    size_t half = *(size_t *)arguments[1], threads = (size_t)grid.x * block.x;
    for (size_t i = 0; i < half && i < threads; i++)
        A[i] += A[i + half - GPU_FAULT * (i > 0)];
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    const size_t n = 16;
    int a[n], sum, rounds, *A;
    for (size_t j = 0; j < n; j++)
        a[j] = (int)(j * j);
    if (strcmp(how, "refused") == 0) {
        fold<<<1, 2048>>>(a, 0);
        return cudaGetLastError() == cudaSuccess;
    }
    if (strcmp(how, "read") == 0) {
        int n_read = scanf("%d", &rounds);
        for (int r = 0; n_read == 1 && r < rounds; r++)
            fold<<<1 + r, 32>>>(a, 0);
        return 0;
    }
    //@ requires n = 2^k
    //@ input a[n]
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i
    for (size_t w = n; w > 1; w /= 2)
        fold<<<(w / 2 + 255) / 256, 256>>>(A, w / 2);
    //@ ensures A[0] = sum of a[j]
    cudaMemcpy(&sum, A, sizeof sum, cudaMemcpyDeviceToHost);
    printf("sum %d\n", sum);
    cudaFree(A);
    if (strcmp(how, "exit") == 0)
        exit(3);
    return 0;
}
"""

# A law in a kernel; a variable of the device's; launches of all forms.
FORMS = r"""
#include <stdio.h>
__device__ int variable[4];
template <class T> __global__ void add(T x)
{
    //@ invariant i >= 0
    for (int i = 0; i < 1; i++)
        variable[threadIdx.x] += x;
}
extern "C" void emulate__Z3addIiEvT_(dim3 grid, dim3 block, void **arguments)
{
    int all[4];
    cudaMemcpyFromSymbol(all, variable, sizeof all);
    for (unsigned i = 0; i < block.x; i++)
        all[i] += *(int *)arguments[0];
    cudaMemcpyToSymbol(variable, all, sizeof all);
    (void)grid;
}
int main()
{
    const int n = 4;
    int a[n] = {1, 2, 3, 4};
    //@ input a[n]
    cudaMemcpyToSymbol(variable, a, sizeof a);
    dim3 grid(1);
    add<int><<<1, 4>>>(1);
    add<int> <<<grid, dim3(4, 1)>>>(2);
    add<int><<<{1, 1}, {4}, 0, 0>>>(3);
    add<int><<<n > 3 ? 1 : 2,
               4>>>(4);
    //@ ensures for 0 <= i < n: variable[i] = a[i] + 10
    return 0;
}
"""


def write(name, text):
    with open(os.path.join(FOLDER, name), 'w', encoding='utf-8') as file:
        file.write(text)


def run(file, *arguments, device='cuda', fake='', **more):
    flags = ['-cudart=none', '-L' + FOLDER, '-lfake_cuda', '-Xlinker', '--export-dynamic', '-Xlinker',
             '--rpath=' + FOLDER, '-arch=sm_90'] if device == 'cuda' else []
    rest = arguments[arguments.index('--'):] if '--' in arguments else ()
    options = arguments[:len(arguments) - len(rest)]
    return subprocess.run([REDUCTIO, 'run', file, *flags, '--device', device, '--no-last', *options, *rest],
                          cwd=FOLDER, capture_output=True, text=True, timeout=120,
                          env={**os.environ, **more.pop('env', {}), 'FAKE_CUDA': fake, 'NVCC': more.pop('nvcc', NVCC)},
                          **more)


class Gpu(unittest.TestCase):
    def assert_ends(self, done, status, last):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertRegex(done.stdout.splitlines()[-1], last)

    def assert_same(self, *arguments, status):
        said = {}
        for device in ('sim', 'cuda'):
            done = run('fold.cu', *arguments, '--trace', device + '.ndjson', device=device)
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
            said[device] = [line.replace(f' {device}: ', ' DEVICE: ') for line in done.stdout.splitlines()[:-1]
                            if line and not line.startswith('not contained')]
        self.assertEqual(said['sim'], said['cuda'])
        diff = subprocess.run([REDUCTIO, 'diff', 'sim.ndjson', 'cuda.ndjson'], cwd=FOLDER, capture_output=True, text=True)
        self.assertEqual(diff.returncode, 0, diff.stdout + diff.stderr)
        return done

    def test_right_program_has_the_simulators_trace(self):
        done = self.assert_same(status=0)
        self.assert_ends(done, 0, r'^HOLDS fold\.cu on the GPU: exit status 0, 4 launches, 0 hazards in the simulator: '
                         r'1 invariant and 2 assertions, 32 cells asserted; not, or not all, contained$')
        self.assertEqual(done.stdout.count('sum 1240'), 1)

    def test_wrong_program_has_the_simulators_trace(self):
        done = self.assert_same('-DKERNEL_FAULT=1', status=1)
        self.assert_ends(done, 1, r'^VIOLATED fold\.cu on the GPU: .* violated')

    def test_fault_that_the_gpu_hides_is_found_beside_it(self):
        done = run('fold.cu', '-DKERNEL_FAULT=1', '-DGPU_FAULT=0')
        self.assert_ends(done, 1, r'^VIOLATED fold\.cu on the GPU: exit status 0, .*violated-in-simulator 1')

    def test_hazards_off_says_so_and_keeps_the_exit_status(self):
        done = run('fold.cu', '--hazards', 'off', '--', 'exit')
        self.assert_ends(done, 1, r'^VIOLATED .* exit status 3, 4 launches, hazards not looked for: 1 invariant')
        self.assertRegex(done.stdout, r'HOLDS fold\.cu:\d+ .* cuda: .* 31 cells asserted, hazards not looked for')
        self.assertNotIn('0 hazards', done.stdout)

    def test_no_gpu_is_a_failure_of_the_environment(self):
        done = run('fold.cu', '--hazards', 'off', fake='none')
        self.assertEqual((done.returncode, done.stderr.splitlines()[-1]),
                         (2, 'reductio: there is no GPU: cudaErrorNoDevice (as CUDA says); use --device sim'))

    def test_illegal_address_is_a_finding_with_the_launch(self):
        done = run('fold.cu', '--hazards', 'off', fake='fault')
        self.assert_ends(done, 1, r'^VIOLATED .* 1 hazard \(kernel-fault 1\), others not looked for')
        line = 1 + FOLD[:FOLD.index('fold<<<(w')].count('\n')
        self.assertIn('the GPU stops a kernel with cudaErrorIllegalAddress (as CUDA says), as a copy of an array that a law '
                      'speaks of shows', ' '.join(done.stdout.split()))
        self.assertIn('the last one launched is fold at fold.cu:%d' % line, done.stdout)
        self.assertNotIn('HOLDS         ', done.stdout)

    def test_hang_is_a_finding(self):
        done = run('fold.cu', '--hazards', 'off', '--timeout', '2', fake='hang')
        self.assert_ends(done, 1, r'^VIOLATED .* stopped after 2 s, 1 launch, 1 hazard \(no-termination 1\)')

    def test_refused_launch_is_a_finding_and_no_launch(self):
        done = run('fold.cu', '--hazards', 'off', '--', 'refused')
        self.assert_ends(done, 1, r'^VIOLATED .* exit status 0, 0 launches, 1 hazard \(illegal-launch 1\)')
        self.assertIn('cudaErrorInvalidConfiguration', done.stdout)

    def test_file_on_standard_input_is_read_by_both(self):
        write('two', '2')
        with open(os.path.join(FOLDER, 'two'), encoding='utf-8') as file:
            done = run('fold.cu', '--', 'read', stdin=file)
        self.assert_ends(done, 3, r' 2 launches, 0 hazards in the simulator: ')
        self.assertNotIn('is another one', done.stdout)

    def test_run_beside_that_is_another_one_is_told(self):
        done = run('fold.cu', '--', 'read', input='2')
        self.assert_ends(done, 3, r' 2 launches, 0 hazards in the simulator, not all was looked at: ')
        self.assertIn("the simulator's run beside the GPU is another one: 2 launches on the GPU, 0 there", done.stdout)

    def test_all_forms_of_launches_and_a_variable_of_the_device(self):
        done = run('forms.cu', '--hazards', 'off', '--json')
        self.assertIn('"launches": 4', done.stdout, done.stderr)
        self.assertIn('"hazards_by": "off"', done.stdout)
        done = run('forms.cu', '--hazards', 'off')
        self.assert_ends(done, 3, r' 4 launches, hazards not looked for, not all was looked at: .* 4 cells asserted')
        self.assertIn('not looked at: laws in kernels: by the simulator only', done.stdout)
        self.assertRegex(done.stdout, r'ensures for 0 <= i < n: variable\[i\] = a\[i\] \+ 10\n +HOLDS')

    def test_refusals_of_nvcc(self):
        write('refused.cu', '#ifdef __NVCC__\n#error not here\n#endif\nint main() { return 0; }\n')
        done = run('refused.cu')
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stderr, r'(?s)refused\.cu[:(]2.*not here.*nvcc refuses \'refused\.cu\'; its errors are above\n$')
        done = run('fold.cu', nvcc='/nonexistent/nvcc')
        self.assertEqual((done.returncode, done.stderr),
                         (2, "reductio: no nvcc: '/nonexistent/nvcc' can't be run; install the CUDA Toolkit, set NVCC, or use "
                             "--device sim\n"))

    def test_mistake_in_an_annotation_has_its_own_place(self):
        write('mistake.cu', FOLD.replace('< w: A[i]', '< w: Q[i]'))
        done = run('mistake.cu', '--hazards', 'off')
        self.assertEqual(done.returncode, 2, done.stdout)
        line = 1 + FOLD[:FOLD.index('//@ invariant')].count('\n')
        self.assertRegex(done.stderr, r'mistake\.cu[:(]%d\b.*"?Q"?' % line)

    def test_hazards_are_not_to_be_switched_off_in_the_simulator(self):
        done = run('fold.cu', '--hazards', 'off', device='sim')
        self.assertEqual(done.returncode, 2)
        self.assertIn("use --device cuda", done.stderr)

    def test_all_functions_that_are_wrapped_are_bound(self):
        folder = os.path.join(HERE, '..', 'src', 'check', 'include', 'gpu')
        with open(os.path.join(folder, 'wraps'), encoding='utf-8') as file:
            bound = set(re.findall(r'--wrap=(\w+)', file.read()))
        wrapped = set()
        for name in ('calls', 'frames'):
            path = os.path.join(FOLDER, name + '.o')
            subprocess.run([NVCC, '-c', os.path.join(folder, name + '.c'), '-o', path], check=True)
            symbols = subprocess.run(['nm', '--defined-only', path], capture_output=True, text=True, check=True).stdout
            wrapped |= set(re.findall(r' T __wrap_(\w+)', symbols))
        self.assertEqual(bound, wrapped)

    def test_all_that_annotations_call_is_recorded(self):
        sources = os.path.join(HERE, '..', 'src')
        with open(os.path.join(sources, 'device', 'sim', 'runtime', 'law.h'), encoding='utf-8') as file:
            declared = set(re.findall(r'(rd_sim_law_\w+)\(', file.read()))
        with open(os.path.join(sources, 'check', 'include', 'gpu', 'laws.c'), encoding='utf-8') as file:
            defined = set(re.findall(r'^[\w ]+ (rd_sim_law_\w+)\(', file.read(), re.M))
        self.assertLessEqual(declared, defined)


if __name__ == '__main__':
    if not NVCC or not os.access(NVCC, os.X_OK):
        print('skipped: there is no nvcc')
        sys.exit(SKIPPED)
    subprocess.run([NVCC, '-shared', '-cudart=none', '-Xcompiler', '-fPIC', os.path.join(HERE, 'fake_cuda_runtime.c'), '-o',
                    os.path.join(FOLDER, 'libfake_cuda.so')], check=True)
    write('fold.cu', FOLD)
    write('forms.cu', FORMS)
    unittest.main(verbosity=2)
