// SPDX-License-Identifier: MIT
/* Input values: generated, listed, or read from a file.
 *
 * Thread safety: any thread may call these functions; an rd_values serves one at a time.
 * The caller owns it from rd_values_init to rd_values_finish, and does not fill it. */
#ifndef RD_VALUES_H
#define RD_VALUES_H

#include "numeric.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The inputs of a run. */
struct rd_values {
    const struct rd_numeric *numeric;
    size_t n;
    void *a;        /* elem[n] */
    void *b;        /* elem[n], of rd_values_init_two elem[n_b]; or NULL */
    char spec[256]; /* the spec in full, with the seed that was used */
    bool has_seed;
    uint64_t seed;
};

/* Makes the inputs that `spec` names:
 *
 *   iota          a[j] = j                    b[j] = j + 1
 *   ones          a[j] = 1                    b[j] = 1
 *   powers        a[j] = 2^(j mod W); b[j] = 1. W is the digits of the type, which is 31 of i32, 32 of u32,
 *                 63 of i64, 64 of u64, 24 of f32, 53 of f64, 11 of f16, 8 of bf16
 *   random:SEED   from SplitMix64 seeded with SEED (a) and ~SEED (b): integers use all their bits,
 *                 floats are uniform in [-1, 1); `random` alone takes seed 1
 *   edges:SEED    likewise from a seed: whole numbers at powers of two of either sign, and next to them; every other one
 *                 is 0, 1, -1, -2, -2^(w-1), 2^(w-1) - 1, 2^(w/2) or 2^(w/2) - 1 in turn, where w is the W above, but 32
 *                 of i32 and 64 of i64
 *   marked:J      input J is 1, of products 2, and all others are the identity of the operation, which shows where
 *                 input J goes; `marked` alone is marked:1
 *   list:X,Y,…    the numbers themselves; n follows
 *   FILE          numbers as text (separated by spaces, commas or line ends; # starts a comment
 * that runs to the end of the line) or a NumPy .npy file, v1.0 or 2.0, C order, one dimension (with
 * b: two rows), of exactly the run's type; n follows
 *   -             the same, as text from standard input
 *
 * With want_b, listed and read values are split in halves: a is the first, b the second (for .npy:
 * the two rows of a 2-d array, or the halves of a 1-d one). n = 0 takes n from the data, or
 * default_n from a generator; any other n must agree with the data.
 *
 * RD_ERROR_USAGE: an unknown spec, or n does not agree. RD_ERROR_INPUT: the content is not what it
 * should be (the message gives line and text, or the header's field). RD_ERROR_IO: the file can't
 * be read. RD_ERROR_MEMORY. On failure *values is untouched. */
enum rd_status rd_values_init(struct rd_values *values, const struct rd_numeric *numeric,
                              const char *spec, size_t n, size_t default_n, bool want_b,
                              struct rd_error *error);
/* The same for inputs of unlike sizes: a of n_a elements and, where n_b is not 0, b of n_b. Given
 * values are those of a, followed by those of b; values->n is n_a. */
enum rd_status rd_values_init_two(struct rd_values *values, const struct rd_numeric *numeric,
                                  const char *spec, size_t n_a, size_t n_b, struct rd_error *error);
/* Frees what rd_values_init or rd_values_init_two made. */
void rd_values_finish(struct rd_values *values);

/* Tells whether `spec` is a generator, whose values can be made again from the spec and n alone. */
bool rd_values_is_generator(const char *spec);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
