#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu: launches in two dimensions.

test_prove_user_planes.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
import re

from prove_case import ProveCase, fill, main
from short_run import takes_long

# A rectangle of h rows of w; @...@ are what a case puts in.
PLANE = """__global__ void plane(const int *x, int *A, int w, int h)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (@if@)
        @do@
}
int main(void)
{
    const int w = 37, h = 21;
    //@ requires w <= 2^14
    //@ requires h <= 2^14
    const int n = w * h;
    int a[n], *x, *A;
    for (int j = 0; j < n; j++)
        a[j] = j;
    //@ input a[h][w]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    @shape@
    plane<<<@grid@, @block@>>>(x, A, w, h);
    @behind@
    //@ ensures @ensures@
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""

MAP = {"if": "column < w && row < h", "do": "A[row * w + column] = x[row * w + column] + 1;", "shape": "", "behind": "",
       "grid": "dim3((w + 15) / 16, (h + 7) / 8)", "block": "dim3(16, 8)", "ensures": "for 0 <= i < h, 0 <= j < w: A[i*w + j] = a[i][j] + 1"}

TRANSPOSE = dict(MAP, do="A[column * h + row] = x[row * w + column];", ensures="for 0 <= i < h, 0 <= j < w: A[j*h + i] = a[i][j]")

# The same by way of tiles: what a block wrote by rows it reads by columns.
TILES = fill(PLANE, TRANSPOSE, block="dim3(16, 16)", grid="dim3((w + 15) / 16, (h + 15) / 16)").replace(
    "    if (column < w && row < h)\n        A[column * h + row] = x[row * w + column];\n",
    """    __shared__ int tile[16][17];
    if (column < w && row < h)
        tile[threadIdx.y][threadIdx.x] = x[row * w + column];
    __syncthreads();
    int of_row = blockIdx.y * 16 + threadIdx.x, of_column = blockIdx.x * 16 + threadIdx.y;
    if (of_row < h && of_column < w)
        A[of_column * h + of_row] = tile[threadIdx.x][threadIdx.y];
""")

# A thread a row, in a column of blocks.
ROWS = dict(MAP, do="""{
        int s = 0;
        for (int k = 0; k < w; k++)
            s += x[row * w + k];
        A[row] = s;
    }""", grid="dim3(1, (h + 63) / 64)", block="dim3(1, 64)", ensures="for 0 <= i < h: A[i] = sum of a[i][k], 0 <= k < w",
            **{"if": "row < h && column == 0"})

# A block a row, of 64 at most.
BLOCKS = dict(ROWS, do="""s[threadIdx.x] = x[blockIdx.y * w + threadIdx.x];
    __syncthreads();
    //@ invariant for 0 <= i < u: s[i] = sum of a[blockIdx.y][k], 0 <= k < w, k mod u = i
    for (int u = 64; u > 1; u /= 2) {
        if (threadIdx.x < u / 2)
            s[threadIdx.x] += s[threadIdx.x + u / 2];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        A[blockIdx.y] = s[0];""", grid="dim3(1, h)", block="64", **{"if": "threadIdx.x < w"})

# Cells of the row below: what its number div w is, is not the row of the thread.
BELOW = dict(MAP, do="A[row * w + column] = x[0];", grid="dim3((2 * w + 15) / 16, (h + 7) / 8)",
             shape="cudaMemcpy(A, x, sizeof a, cudaMemcpyDeviceToDevice);", behind="cudaMemcpy(x, A, sizeof a, cudaMemcpyDeviceToDevice);",
             ensures="for 0 <= i < h, 0 <= j < w: x[i*w + j] = a[i][j]", **{"if": "column >= w && column < 2 * w && row < h - 1"})

# What knows x alone.
LINE = dict(MAP, do="A[column] = x[column] + 1;", grid="(n + 63) / 64", block="64", ensures="for 0 <= i < h, 0 <= j < w: A[i*w + j] = a[i][j] + 1",
            **{"if": "column < w * h"})

SHAPES = {
    "dim3 grid((w + 15) / 16, (h + 7) / 8), block(16, 8);": {},
    "dim3 block(16, 8), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y, block.z);": {},
    "const dim3 of{16, 8}, block = of; dim3 grid = dim3((w + 15) / 16, (h + 7) / 8, 1);": {},
    "dim3 blockDim(16, 8), gridDim((w + blockDim.x - 1) / blockDim.x, (h + blockDim.y - 1) / blockDim.y);": {"grid": "gridDim", "block": "blockDim"},
    # A block of one row, and a grid of one column; a name that goals have, too.
    "dim3 block(64), grid((w + 63) / 64, h);": {},
    "int row = h; dim3 block(1, 64), grid(w, (row + 63) / 64);": {},
    "const int p = 16, q = 8;\n//@ requires p <= 32\n//@ requires q <= 32\ndim3 block(p, q), grid((w + p - 1) / p, (h + q - 1) / q);": {},
}


class ProveUserPlanes(ProveCase):
    EVERY = 5

    def assert_plane(self, parts, **more):
        self.assert_proved(fill(PLANE, parts, **more), shape="every w from 1 to 2^31 - 1 (for the 37 of line ")

    def test_threads_in_two_dimensions_are_told_by_row_and_column(self):
        for parts in (MAP, TRANSPOSE, ROWS, dict(ROWS, **{"if": "row < h"}), LINE):
            with self.subTest(parts=parts):
                self.assert_plane(parts)

    def blocks(self, parts, **more):
        zeros = "    __shared__ int s[64];\n    s[threadIdx.x] = 0;\n"
        return fill(PLANE, parts, **more).replace("w <= 2^14", "w <= 64").replace("    if (threadIdx.x < w)", zeros + "    if (threadIdx.x < w)")

    @takes_long
    def test_sum_of_a_row_by_its_block(self):
        self.assert_proved(self.blocks(BLOCKS), shape="where w <= 64 and h <= 2^14")
        self.assert_says(self.blocks(BLOCKS, block="dim3(64, 2)"), "This run fails", 1)
        self.assert_says(self.blocks(BLOCKS, grid="dim3(2, h)"), "This run fails", 1)

    @takes_long
    def test_what_a_launch_in_two_dimensions_leaves_is_known_by_a_law_of_it_or_of_its_copy(self):
        self.assert_says(fill(PLANE, BELOW), "This run fails", 1)
        right = fill(PLANE, TRANSPOSE, behind=BELOW["behind"], ensures=TRANSPOSE["ensures"].replace("A[", "x["))
        for text in (right, right.replace("    cudaMemcpy(x, A", f"    //@ assert {TRANSPOSE['ensures']}\n    cudaMemcpy(x, A")):
            self.assert_proved(text, shape="where w <= 2^14 and h <= 2^14")

    @takes_long
    def test_number_that_is_called_as_one_of_the_goals_is_not_that_one(self):
        # What is there is right already, so that a launch of which nothing came to write would be.
        wrong = fill(PLANE, MAP, shape=BELOW["shape"], ensures="for 0 <= i < h, 0 <= j < w: A[i*w + j] = a[i][j]",
                     **{"if": "column < w && row < h && blockIdx.y < h && threadIdx.y < h"})
        for name in ("row", "t_y", "b_y"):
            with self.subTest(name=name):
                kernel, main_function = wrong.split("int main")
                self.assert_says(kernel + "int main" + re.sub(r"\bh\b", name, main_function), "This run fails", 1)

    def test_shapes_are_read_as_they_are_written(self):
        for shape, more in SHAPES.items():
            with self.subTest(shape=shape):
                self.assert_plane(MAP, shape=shape, **dict({"grid": "grid", "block": "block"}, **more))

    @takes_long
    def test_fault_in_two_dimensions_is_refuted(self):
        for goal, parts in (
                ("no other thread writes", dict(LINE, block="dim3(64, 2)")),
                ("no other thread writes", dict(LINE, grid="dim3((n + 63) / 64, 2)")),
                ("no other thread writes", dict(ROWS, block="dim3(2, 64)", **{"if": "row < h"})),
                ("what a thread writes", dict(ROWS, do=ROWS["do"].replace("k = 0", "k = 1"))),
                ("what a thread writes", dict(TRANSPOSE, do="A[column * w + row] = x[row * w + column];")),
                ("a thread reads within x", dict(MAP, **{"if": "column < w"})),
                ("a cell that no thread writes", dict(MAP, grid="dim3((h + 15) / 16, (w + 7) / 8)")),
                ("a block has 1 to 1024 threads", dict(MAP, block="dim3(16, 65)"))):
            with self.subTest(goal=goal, parts=parts):
                done = self.prove(fill(PLANE, parts), "--timeout", "3")
                self.assertIn("This run fails", done.stdout)
                self.assertRegex(done.stdout, f"(?m)^  REFUTED .*{goal}")
                self.assertEqual(done.returncode, 1)

    @takes_long
    def test_transpose_by_tiles(self):
        self.assert_proved(TILES, shape="where w <= 2^14 and h <= 2^14")
        for goal, right, wrong in (("a thread writes within A", "of_row < h && of_column < w", "of_row < h"),
                                   ("no other thread writes a cell of A", "of_row < h && of_column < w", "of_column < w"),
                                   ("no other thread reads a cell of tile", "    __syncthreads();\n", ""),
                                   ("what a thread writes", "tile[threadIdx.x][threadIdx.y]", "tile[threadIdx.y][threadIdx.x]")):
            with self.subTest(goal=goal):
                done = self.prove(TILES.replace(right, wrong), "--timeout", "3")
                self.assertRegex(done.stdout, f"(?m)^  REFUTED .*{goal}")
                self.assertIn("This run fails", done.stdout)

    @takes_long
    def test_tile_that_each_trip_writes_elsewhere_may_race(self):
        trips = """    int of_row = blockIdx.y * 16 + threadIdx.x, of_column = blockIdx.x * 16 + threadIdx.y;
    for (unsigned k = 0; k < 2; k++) {
        if (of_row + (int)k < h && of_column < w)
            A[of_column * h + of_row + (int)k] = x[of_column * h + of_row + (int)k];
        __syncthreads();
    }
"""
        start, end = TILES.index("    __shared__"), TILES.index("}\nint main")
        done = self.prove((TILES[:start] + trips + TILES[end:]).replace(
            "    plane<<<", "    cudaMemcpy(A, x, sizeof a, cudaMemcpyDeviceToDevice);\n    plane<<<").replace(
            TRANSPOSE["ensures"], "for 0 <= i < n: A[i] = sum of a[j][k], j * w + k = i"), "--timeout", "3")
        self.assertNotIn("PROVED: ", done.stdout.splitlines()[-1])
        self.assertNotEqual(done.returncode, 0)

    @takes_long
    def test_what_is_not_told_in_two_dimensions_is_refused(self):
        warp = "int v = __shfl_down_sync(~0u, x[0], 0); A[row * w + column] = v;"
        for said, parts in (("user.cu:21: a launch in three dimensions", dict(MAP, block="dim3(16, 8, 2)")),
                            ("user.cu:21: a launch in three dimensions", dict(MAP, grid="dim3(w, h, h)")),
                            ("user.cu:5: lanes of a block of two dimensions", dict(MAP, do="{ " + warp + " }")),
                            ("user.cu:4: '__syncthreads_or' in a block of two", dict(MAP, **{"if": "__syncthreads_or(threadIdx.y == 1)"})),
                            ("which thread adds the counted input can't be told", dict(MAP, do="atomicAdd(A, x[0]);", shape="cudaMemset(A, 0, sizeof a);")),
                            ("user.cu:20: a statement of the host", dict(MAP, shape="dim3 block(16, 4); block.y = 8;", block="block")),
                            ("user.cu:20: the variable 'of'", dict(MAP, shape="dim3 block(16, 4), &of = block; of.y = 8;", block="block"))):
            with self.subTest(said=said):
                self.assert_says(fill(PLANE, parts), said, 3)


if __name__ == "__main__":
    main()
