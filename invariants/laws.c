// SPDX-License-Identifier: MIT
/* The programs as paragraphs in the language of laws (law/law.h): the right ones, and faults that claim something else. */
#include "program.h"

#include <string.h>

struct law_text {
    const char *program;
    const char *text;
};

/* ---- parts ---- */

#define ONE_INPUT         "input a[n]\n"
#define TWO_INPUTS        "input a[n], b[n]\n"
#define PER_ELEMENT       "array A[n]\n"
#define PER_BLOCK         "array A[B]\n"
#define TOTAL             "array A[1]\n"
#define FROM_INPUT        "when d = 0: for 0 <= i < n: A[i] = a[i]; "
#define FROM_ZEROS(cells) "when d = 0: for 0 <= i < " cells ": A[i] = 0; "

/* What a thread adds of terms that the grid's threads take in turns. */
#define OF_THREADS(array, term)                                                                    \
    "let for 0 <= k < B, 0 <= t < T: " array "[k][t] = sum of " term ", j mod G = k*T + t\n"
#define OF_BLOCKS(term) "for 0 <= k < B: A[k] = sum of " term ", floor((j mod G) / T) = k"

/* A block's threads fold an array in shared memory, or a warp's lanes their values. */
#define SHARED_FOLD(point, array, from, last)                                                      \
    "at " point " shared " array "[T]\n"                                                           \
    "steps w = " from ", w/2, ..., " last "\n"                                                     \
    "law for 0 <= i < min(w, T): " array "[i] = sum of x[block][t], 0 <= t < T, t mod w = i\n"     \
    "start for 0 <= t < T: " array "[t] = x[block][t]\n"                                           \
    "update for 0 <= i < w, i + w < T: " array "[i] = " array "[i] + " array "[i + w]\n"
#define BLOCK_FOLD(point) SHARED_FOLD(point, "cache", "T", "1")
#define LANES_FOLD(point, law, start)                                                              \
    "at " point " register r[32]\n"                                                                \
    "steps w = 32, w/2, ..., 1\n"                                                                  \
    "law for 0 <= l < min(w, L): r[l] = " law "\n"                                                 \
    "start " start "\n"                                                                            \
    "update for 0 <= l < w, l + w < L: r[l] = r[l] + r[l + w]\n"

#define FOLD(name, let)                                                                            \
    {                                                                                              \
        name, ONE_INPUT PER_ELEMENT let "law for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"    \
                                        "update for 0 <= i < w: A[i] = A[i] + A[i + w]\n"          \
    }
#define BLOCK_SUMS(name, inputs, term, point)                                                      \
    {                                                                                              \
        name, inputs PER_BLOCK OF_THREADS("x", term) "law " FROM_ZEROS(                            \
                  "B") "when d > 0: " OF_BLOCKS(term) "\n"                                         \
                                                      "update for 0 <= k < B: A[k] = " point       \
                                                      ".cache[k][0]\n" BLOCK_FOLD(point)           \
    }
#define TWO_LAUNCHES(name, inputs, term, point)                                                    \
    {                                                                                              \
        name, inputs PER_BLOCK OF_THREADS(                                                         \
                  "x", term) "let for 0 <= k < B: S[k] = sum of " term                             \
                             ", floor((j mod G) / T) = k\n"                                        \
                             "law " FROM_ZEROS("B") "when d = 1: " OF_BLOCKS(                      \
                                 term) "; when d = 2: A[0] = sum of " term ", 0 <= j < n\n"        \
                                       "update when d = 1: for 0 <= k < B: A[k] = " point          \
                                       ".cache[k][0];\n"                                           \
                                       "    when d = 2: A[0] = partials.cache[0][0]\n" BLOCK_FOLD( \
                                           point) "at partials shared cache[T]\n"                  \
                                                  "steps w = T, w/2, ..., 1\n"                     \
                                                  "law for 0 <= i < min(w, T): cache[i] = sum of " \
                                                  "S[k], 0 <= k < B, k mod T mod w = i\n"          \
                                                  "start for 0 <= t < T: cache[t] = sum of " point \
                                                  ".cache[k][0], 0 <= k < B, "                     \
                                                  "k mod T = t\n"                                  \
                                                  "update for 0 <= i < w, i + w < T: cache[i] = "  \
                                                  "cache[i] + cache[i + w]\n"                      \
    }
#define IN_ORDER                                                                                   \
    "at serial register total\n"                                                                   \
    "steps k = 0, k + 1, ..., B\n"                                                                 \
    "law total = sum of S[m], 0 <= m < k\n"                                                        \
    "start total = 0\n"                                                                            \
    "update total = total + block_sum.cache[k - 1][0]\n"
#define ONE_CELL(name, value, points)                                                              \
    {                                                                                              \
        name,                                                                                      \
            ONE_INPUT TOTAL OF_THREADS(                                                            \
                "x", "a[j]") "let for 0 <= m < B: S[m] = sum of a[j], floor((j mod G) / T) = m\n"  \
                             "law " FROM_ZEROS("1") "when d > 0: A[0] = sum of a[j], 0 <= j < n\n" \
                                                    "update A[0] = " value                         \
                                                    "\n" BLOCK_FOLD("block_sum") points            \
    }
#define MAP(name, inputs, value)                                                                   \
    {                                                                                              \
        name, inputs PER_ELEMENT                                                                   \
            "law " FROM_ZEROS("n") "when d = 1: for 0 <= i < n: A[i] = " value "\n"                \
    }
#define MAP2D(name, inputs, value)                                                                 \
    {                                                                                              \
        name, inputs "array A[n*n]\n"                                                              \
                     "law " FROM_ZEROS("n*n") "when d = 1: for 0 <= i, j < n: A[i*n + j] = " value \
                                              "\n"                                                 \
    }

/* ---- the ladder ---- */

#define LANES "let W = ceil(T / 32); L = min(32, T - 32*warp); M = min(32, T)\n"
#define OWN   OF_THREADS("own", "a[j]")
#define OWN_PAIRS                                                                                  \
    "let for 0 <= k < B, 0 <= t < T: own[k][t] = sum of a[j], floor(j / (2*T)) = k, j mod T = t\n"
#define PAIRS_OF_BLOCKS "for 0 <= k < B: A[k] = sum of a[j], floor(j / (2*T)) = k"
#define RUNG(name, own, law, end, points)                                                          \
    {                                                                                              \
        name, ONE_INPUT PER_BLOCK LANES own                                                        \
            "law " FROM_ZEROS("B") "when d > 0: " law "\n"                                         \
                                   "update for 0 <= k < B: A[k] = " end "\n" points                \
    }
#define INTERLEAVED                                                                                \
    "at interleaved shared x[T]\n"                                                                 \
    "steps s = 1, 2*s, ..., bit_ceil(T)\n"                                                         \
    "law for i = 0 mod s, i < T: x[i] = sum of own[block][t], i <= t < min(i+s, T)\n"              \
    "start for 0 <= t < T: x[t] = own[block][t]\n"                                                 \
    "update for t = 0 mod s, t + s/2 < T: x[t] = x[t] + x[t + s/2]\n"
#define SEQUENTIAL(last)                                                                           \
    "at sequential shared x[T]\n"                                                                  \
    "steps w = bit_ceil(T), w/2, ..., " last "\n"                                                  \
    "law for 0 <= i < min(w, T): x[i] = sum of own[block][t], 0 <= t < T, t mod w = i\n"           \
    "start for 0 <= t < T: x[t] = own[block][t]\n"                                                 \
    "update for 0 <= i < w, i + w < T: x[i] = x[i] + x[i + w]\n"
#define LAST_WARP                                                                                  \
    LANES_FOLD("shuffle_down", "sum of own[block][t], 0 <= t < T, t mod w = l",                    \
               "for 0 <= l < L: r[l] = sequential.x[block][l]")
#define GRID_STRIDE                                                                                \
    "at grid_stride register r[32]\n"                                                              \
    "steps base = 0, base + G, ..., ceil(n / G)*G\n"                                               \
    "law for 0 <= l < L, t = block*T + 32*warp + l:\n"                                             \
    "    r[l] = sum of a[j], j mod G = t, j < base\n"                                              \
    "start for 0 <= l < L: r[l] = 0\n"                                                             \
    "update for 0 <= l < L, t = block*T + 32*warp + l, base - G + t < n:\n"                        \
    "    r[l] = r[l] + a[base - G + t]\n"
#define EACH_WARP(own)                                                                             \
    LANES_FOLD("shuffle_down",                                                                     \
               "sum of own[block][t], 0 <= t < T, floor(t / 32) = warp, t mod w = l",              \
               "for 0 <= l < L: r[l] = " own "[block][32*warp + l]")                               \
    "at warp_sums shared s[W]\n"                                                                   \
    "law for 0 <= v < W: s[v] = sum of own[block][t], 0 <= t < T, floor(t / 32) = v\n"             \
    "start for 0 <= v < W: s[v] = shuffle_down.r[block][v][0]\n"
#define SUMS_OF(point, count)                                                                      \
    LANES_FOLD("shuffle_sums", "sum of S[block][v], 0 <= v < " count ", v mod w = l",              \
               "for 0 <= l < M: r[l] = sum of " point ".s[block][v], 0 <= v < " count              \
               ", v mod M = l")
#define WARP_TOTALS                                                                                \
    "let for 0 <= k < B, 0 <= v < W: S[k][v] = sum of own[k][t], 0 <= t < T, floor(t / 32) = v\n"
#define TILES                                                                                      \
    "at shuffle_xor register r[32]\n"                                                              \
    "steps w = 16, w/2, ..., 1\n"                                                                  \
    "law for 0 <= l < L, m = 32*warp + l: r[l] = sum of own[block][t], 0 <= t < T,\n"              \
    "    floor(t / 16) = floor(m / 16), t mod w = m mod w\n"                                       \
    "start for 0 <= l < L: r[l] = own[block][32*warp + l]\n"                                       \
    "update for 0 <= l < L, m = l mod 16, o = (m xor w) mod (2*w), l - m + o < L:\n"               \
    "    r[l] = r[l] + r[l - m + o]\n"                                                             \
    "at tile_sums shared s[N]\n"                                                                   \
    "law for 0 <= i < N: s[i] = sum of own[block][t], 0 <= t < T, floor(t / 16) = i\n"             \
    "start for 0 <= i < N: s[i] = shuffle_xor.r[block][i div 2][16*(i mod 2)]\n"
#define TILE_TOTALS                                                                                \
    "let N = ceil(T / 16)\n"                                                                       \
    "let for 0 <= k < B, 0 <= v < N: S[k][v] = sum of own[k][t], 0 <= t < T, floor(t / 16) = v\n"

/* Packs of four: the first of each, the second, …, and then what is left over. */
#define PACKS_OF(q, term) "let o_" q "(t, c) = sum of " term ", 0 <= p < min(c, P), p mod G = t\n"
#define PACKS(name, inputs, term, t0, t1, t2, t3, update, points)                                  \
    {                                                                                              \
        name, inputs TOTAL LANES                                                                   \
            "let P = n div 4\n" PACKS_OF("0", t0) PACKS_OF("1", t1) PACKS_OF("2", t2) PACKS_OF(    \
                "3",                                                                               \
                t3) "let for 0 <= k < B, 0 <= t < T: own[k][t] = sum of " term ",\n"               \
                    "    j < 4*P and floor(j / 4) mod G = k*T + t or j >= 4*P and (j - 4*P) mod "  \
                    "G = k*T + t\n"                                                                \
                    "let for 0 <= k < B, 0 <= t < T: made[k][t] =\n"                               \
                    "    (o_0(k*T + t, P) + o_1(k*T + t, P)) + (o_2(k*T + t, P) + o_3(k*T + t, "   \
                    "P))\n"                                                                        \
                    "    + sum of " term ", 4*P <= j < n, (j - 4*P) mod G = k*T + t\n" WARP_TOTALS \
                    "let for 0 <= k < B: Z[k] = sum of own[k][t], 0 <= t < T\n"                    \
                    "law " FROM_ZEROS(                                                             \
                        "1") "when d > 0: A[0] = sum of " term ", 0 <= j < n\n"                    \
                             "update A[0] = " update "\n"                                          \
                             "at pack_stride register r[32]\n"                                     \
                             "steps base = 0, base + 4*G, ..., P + 4*G\n"                          \
                             "law for 0 <= l < L, t = block*T + 32*warp + l: r[l] = sum of " term  \
                             ",\n"                                                                 \
                             "    floor(j / 4) mod G = t, j < min(4*base, 4*P)\n"                  \
                             "start for 0 <= l < L, t = block*T + 32*warp + l:\n"                  \
                             "    r[l] = (o_0(t, base) + o_1(t, base)) + (o_2(t, base) + o_3(t, "  \
                             "base))\n"                                                            \
                             "update for 0 <= l < L, t = block*T + 32*warp + l:\n"                 \
                             "    r[l] = (o_0(t, base) + o_1(t, base)) + (o_2(t, base) + o_3(t, "  \
                             "base))\n" EACH_WARP("made") SUMS_OF("warp_sums", "W") points         \
    }
#define PACKS_OF_A(name, update, points)                                                           \
    PACKS(name, ONE_INPUT, "a[j]", "a[4*p]", "a[4*p + 1]", "a[4*p + 2]", "a[4*p + 3]", update,     \
          points)
#define SHUFFLED_PARTIALS                                                                          \
    LANES_FOLD("shuffle_partials", "sum of Z[k], 0 <= k < B, (k mod M) mod w = l",                 \
               "for 0 <= l < M: r[l] = sum of shuffle_sums.r[k][0][0], 0 <= k < B, k mod M = l")
#define OF_PARTIALS "shuffle_partials.r[0][0][0]"

#define TOURNAMENT(name)                                                                           \
    {                                                                                              \
        name, ONE_INPUT PER_ELEMENT                                                                \
            "let D = 2^d\n"                                                                        \
            "law for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < min(i+D, n)\n"               \
            "update for i = 0 mod D, i + D/2 < n: A[i] = A[i] + A[i + D/2]\n"                      \
    }
#define DOT_IN_ORDER(name)                                                                         \
    {                                                                                              \
        name, TWO_INPUTS TOTAL                                                                     \
            "law " FROM_ZEROS("1") "when d > 0: A[0] = sum of a[j]*b[j], 0 <= j < n\n"             \
                                   "at serial register sum\n"                                      \
                                   "steps i = 0, i + 1, ..., n\n"                                  \
                                   "law sum = sum of a[j]*b[j], 0 <= j < i\n"                      \
                                   "start sum = 0\n"                                               \
                                   "update sum = sum + a[i-1]*b[i-1]\n"                            \
    }

/* ---- the programs ---- */

static const struct law_text laws[] = {
    FOLD("fold", "let w = n / 2^d\n"),
    {"fold-guard", ONE_INPUT PER_ELEMENT
     "let w = bit_ceil(n) / 2^d\n"
     "law for 0 <= i < min(w, n): A[i] = sum of a[j], 0 <= j < n, j mod w = i\n"
     "update for 0 <= i < w, i + w < n: A[i] = A[i] + A[i + w]\n"},
    {"fold-ceil", ONE_INPUT PER_ELEMENT
     "let m = ceil(n / 2^d); r_0(j) = j; r_(c+1)(j) = r_c(j) mod ceil(n / 2^(c+1))\n"
     "law for 0 <= i < m: A[i] = sum of a[j], r_d(j) = i\n"
     "update for 0 <= i < m, i + m < ceil(n / 2^(d-1)): A[i] = A[i] + A[i + m]\n"},
    {"unfold", ONE_INPUT PER_ELEMENT
     "let w = 2^d\n"
     "let f_0(i) = a[i]; f_(c+1)(i) = f_c(i) + f_c(i + n / 2^(c+1))\n"
     "law for 0 <= i < w: A[i] = sum of a[j], j mod w = i;\n"
     "    when w < n: for w <= i < n: A[i] = sum of a[j], j mod bit_ceil(i + 1) = i\n"
     "start for i < 1: A[i] = f_(log2(n))(i);\n"
     "    for 1 <= i < n: A[i] = f_(log2(n / bit_ceil(i + 1)))(i)\n"
     "update for i < w: A[i] = f_(log2(n / w))(i)\n"},
    TOURNAMENT("tournament"),
    TOURNAMENT("fold:tournament-table"),
    {"multiply",
     TWO_INPUTS PER_ELEMENT "law " FROM_INPUT "when d = 1: for 0 <= i < n: A[i] = a[i] * b[i]\n"
                            "update for 0 <= i < n: A[i] = A[i] * b[i]\n"},
    {"dot-fold", TWO_INPUTS PER_ELEMENT
     "let w = n / 2^(d-1)\n"
     "law " FROM_INPUT "when d > 0: for 0 <= i < w: A[i] = sum of a[j]*b[j], j mod w = i\n"
     "update when d = 1: for 0 <= i < n: A[i] = A[i] * b[i];\n"
     "    when d > 1: for 0 <= i < w: A[i] = A[i] + A[i + w]\n"},
    {"dot-tournament", TWO_INPUTS PER_ELEMENT
     "let D = 2^(d-1)\n"
     "law " FROM_INPUT "when d > 0: for i = 0 mod D, i < n:\n"
     "    A[i] = sum of a[j]*b[j], i <= j < min(i+D, n)\n"
     "update when d = 1: for 0 <= i < n: A[i] = A[i] * b[i];\n"
     "    when d > 1: for i = 0 mod D, i + D/2 < n: A[i] = A[i] + A[i + D/2]\n"},
    DOT_IN_ORDER("dot-cpu"),
    DOT_IN_ORDER("dot-naive"),
    {"dot-partial", TWO_INPUTS
     "array A[G]\n"
     "law " FROM_ZEROS("G") "when d > 0: for 0 <= t < G: A[t] = sum of a[j]*b[j], j mod G = t\n"},
    BLOCK_SUMS("dot-shared", TWO_INPUTS, "a[j]*b[j]", "sequential"),
    BLOCK_SUMS("mse:dot", TWO_INPUTS, "a[j]*b[j]", "sequential"),
    TWO_LAUNCHES("dot-two-phase", TWO_INPUTS, "a[j]*b[j]", "sequential"),
    BLOCK_SUMS("mse", TWO_INPUTS, "(a[j]-b[j])^2", "squared_error"),
    {"cosine", TWO_INPUTS
     "array A[3*B]\n"
     "let e_0(j) = a[j]*b[j]; e_1(j) = a[j]^2; e_2(j) = b[j]^2\n"
     "let for 0 <= k < B, 0 <= q < 3, 0 <= t < T:\n"
     "    x[k][q][t] = sum of e_q(j), 0 <= j < n, j mod G = k*T + t\n"
     "law " FROM_ZEROS("3*B") "when d > 0: for 0 <= k < B, 0 <= q < 3:\n"
                              "    A[3k+q] = sum of e_q(j), 0 <= j < n, floor((j mod G) / T) = k\n"
                              "update for 0 <= k < B, q < 3: A[3k+q] = three_dots.cache[k][q]\n"
                              "at three_dots shared cache[3*T]\n"
                              "steps w = T, w/2, ..., 1\n"
                              "law for 0 <= i < min(w, T), 0 <= q < 3:\n"
                              "    cache[3i+q] = sum of x[block][q][t], 0 <= t < T, t mod w = i\n"
                              "start for 0 <= t < T, q < 3: cache[3t+q] = x[block][q][t]\n"
                              "update for 0 <= i < w, q < 3, i + w < T:\n"
                              "    cache[3i+q] = cache[3i+q] + cache[3*(i + w) + q]\n"},
    BLOCK_SUMS("norm", ONE_INPUT, "a[j]^2", "sequential"),
    TWO_LAUNCHES("multi-block-two-launch", ONE_INPUT, "a[j]", "block_sum"),
    ONE_CELL("multi-block-grid-sync", "serial.total[0][0]", IN_ORDER),
    ONE_CELL("multi-block-last-block", "serial.total[0][0]", IN_ORDER),
    ONE_CELL("multi-block-atomic", "sum of block_sum.cache[k][0], 0 <= k < B, in any order", ""),
    MAP("puzzle-map", ONE_INPUT, "a[i] + 10"),
    MAP("puzzle-guard", ONE_INPUT, "a[i] + 10"),
    MAP("puzzle-blocks", ONE_INPUT, "a[i] + 10"),
    MAP("puzzle-shared", ONE_INPUT, "a[i] + 10"),
    MAP("puzzle-zip", TWO_INPUTS, "a[i] + b[i]"),
    MAP2D("puzzle-map2d", "input a[n][n]\n", "a[i][j] + 10"),
    MAP2D("puzzle-blocks2d", "input a[n][n]\n", "a[i][j] + 10"),
    MAP2D("puzzle-broadcast", TWO_INPUTS, "a[i] + b[j]"),
    {"puzzle-pool",
     ONE_INPUT PER_ELEMENT "law " FROM_ZEROS(
         "n") "when d = 1: for 0 <= i < n: A[i] = sum of a[j], 0 <= j, i - 3 < j <= i\n"
              "update for 0 <= i < n: A[i] = sum of a[i - q], 0 <= q < 3, q <= i\n"},
    {"puzzle-dot", TWO_INPUTS PER_BLOCK
     "let B = ceil(n / T)\n"
     "law " FROM_ZEROS("B") "when d = 1: for 0 <= k < B: A[k] = sum of a[j]*b[j], floor(j/T) = k\n"
                            "at serial register total\n"
                            "steps j = 0, j + 1, ..., T\n"
                            "law total = sum of a[i]*b[i], block*T <= i < min(block*T + j, n)\n"},
    {"puzzle-conv1d",
     "input a[n], b[m]\n" PER_ELEMENT "let m = ceil(sqrt(n))\n"
     "law " FROM_ZEROS("n") "when d = 1: for 0 <= i < n:\n"
                            "    A[i] = sum of a[i+j]*b[j], 0 <= j < m, i+j < n\n"},
    {"puzzle-block-sum", ONE_INPUT PER_BLOCK
     "let B = ceil(n / T)\n"
     "let for 0 <= k < B, 0 <= t < T: x[k][t] = sum of a[k*T + t], k*T + t < n\n"
     "law " FROM_ZEROS("B") "when d = 1: for 0 <= k < B: A[k] = sum of a[j], floor(j/T) = k\n"
                            "update for 0 <= k < B: A[k] = sequential.cache[k][0]\n" BLOCK_FOLD(
                                "sequential")},
    {"puzzle-axis-sum",
     "input a[4*n]\narray A[4*B]\n"
     "let B = ceil(n / T)\n"
     "let for 0 <= k < 4*B, 0 <= t < T:\n"
     "    x[k][t] = sum of a[(k div B)*n + j], 0 <= j < n, j = (k mod B)*T + t\n"
     "law " FROM_ZEROS("4*B") "when d = 1: for 0 <= r < 4, 0 <= k < B:\n"
                              "    A[r*B + k] = sum of a[r*n + j], 0 <= j < n, floor(j/T) = k\n"
                              "update for 0 <= k < 4*B: A[k] = sequential.cache[k][0]\n" BLOCK_FOLD(
                                  "sequential")},
    {"puzzle-matmul",
     "input a[n][n], b[n][n]\narray A[n*n]\n"
     "law " FROM_ZEROS(
         "n*n") "when d = 1: for 0 <= i, j < n:\n"
                "    A[i*n + j] = sum of a[i][k]*b[k][j], 0 <= k < n\n"
                "at tile register sum[32]\n"
                "steps k = 0, min(k + T, n), ..., n\n"
                "let Q = ceil(n / T)\n"
                "law for 0 <= l < min(32, T*T - 32*warp), t = 32*warp + l,\n"
                "    i = (block div Q)*T + floor(t / T), j = (block mod Q)*T + t mod T:\n"
                "    sum[l] = sum of a[i][q]*b[q][j], 0 <= q < k, i < n, j < n\n"},
    RUNG("ladder-interleaved-modulo", OWN, OF_BLOCKS("a[j]"), "interleaved.x[k][0]", INTERLEAVED),
    RUNG("ladder-interleaved-strided", OWN, OF_BLOCKS("a[j]"), "interleaved.x[k][0]", INTERLEAVED),
    RUNG("ladder-sequential", OWN, OF_BLOCKS("a[j]"), "sequential.x[k][0]", SEQUENTIAL("1")),
    RUNG("ladder-first-add", OWN_PAIRS, PAIRS_OF_BLOCKS, "sequential.x[k][0]", SEQUENTIAL("1")),
    RUNG("ladder-warp-shuffle", OWN_PAIRS, PAIRS_OF_BLOCKS, "shuffle_down.r[k][0][0]",
         SEQUENTIAL("32") LAST_WARP),
    RUNG("ladder-unrolled", OWN_PAIRS, PAIRS_OF_BLOCKS, "shuffle_down.r[k][0][0]",
         SEQUENTIAL("32") LAST_WARP),
    RUNG("ladder-grid-stride", OWN, OF_BLOCKS("a[j]"), "shuffle_down.r[k][0][0]",
         GRID_STRIDE SEQUENTIAL("32") LAST_WARP),
    RUNG("ladder-shuffles-twice", OWN WARP_TOTALS, OF_BLOCKS("a[j]"), "shuffle_sums.r[k][0][0]",
         GRID_STRIDE EACH_WARP("own") SUMS_OF("warp_sums", "W")),
    RUNG("ladder-tiles", OWN TILE_TOTALS, OF_BLOCKS("a[j]"), "shuffle_sums.r[k][0][0]",
         GRID_STRIDE TILES SUMS_OF("tile_sums", "N")),
    PACKS_OF_A("ladder-vectorised-atomic",
               "sum of shuffle_sums.r[k][0][0], 0 <= k < B, in any order", ""),
    PACKS_OF_A("ladder-vectorised", OF_PARTIALS, SHUFFLED_PARTIALS),
    PACKS_OF_A("ladder-cooperative", OF_PARTIALS, SHUFFLED_PARTIALS),
    PACKS("ladder-dot", TWO_INPUTS, "a[j]*b[j]", "a[4*p]*b[4*p]", "a[4*p + 1]*b[4*p + 1]",
          "a[4*p + 2]*b[4*p + 2]", "a[4*p + 3]*b[4*p + 3]", OF_PARTIALS, SHUFFLED_PARTIALS),
};

static const char *law_of(const char *name)
{
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
        if (strcmp(laws[k].program, name) == 0)
            return laws[k].text;
    return NULL;
}

const char *rd_program_law(const struct rd_program *program)
{
    const char *own = program->law ? program->law : law_of(program->name);
    return own ? own : law_of(rd_program_twin(program)->name);
}
