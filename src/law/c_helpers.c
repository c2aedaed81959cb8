// SPDX-License-Identifier: MIT
/* Functions of arithmetic that a law in C calls, as C has none like them. */
#include "law/c_writer.h"

#include <stdio.h>

static const char *const texts[C_HELPER_COUNT] = {
    [C_POWER] = "static int64_t power(int64_t base, int64_t exponent)\n"
                "{\n"
                "    int64_t value = 1;\n"
                "    for (; exponent > 0; exponent--)\n"
                "        value *= base;\n"
                "    return value;\n"
                "}\n",
    [C_RAISED] = "static elem raised(elem base, int64_t exponent)\n"
                 "{\n"
                 "    elem value = 1;\n"
                 "    for (; exponent > 0; exponent--)\n"
                 "        value *= base;\n"
                 "    return value;\n"
                 "}\n",
    [C_FLOOR_DIV] = "/* Rounds down, where / rounds towards 0. */\n"
                    "static int64_t floor_div(int64_t x, int64_t y)\n"
                    "{\n"
                    "    return x / y - (x % y != 0 && (x % y < 0) != (y < 0));\n"
                    "}\n",
    [C_FLOOR_MOD] = "/* The remainder of floor(x / y). */\n"
                    "static int64_t floor_mod(int64_t x, int64_t y)\n"
                    "{\n"
                    "    return x % y != 0 && (x % y < 0) != (y < 0) ? x % y + y : x % y;\n"
                    "}\n",
    [C_CEIL_DIV] = "/* Rounds up. */\n"
                   "static int64_t ceil_div(int64_t x, int64_t y)\n"
                   "{\n"
                   "    return floor_div(x, y) + (x % y != 0);\n"
                   "}\n",
    [C_MIN] = "static int64_t min(int64_t x, int64_t y)\n"
              "{\n"
              "    return x < y ? x : y;\n"
              "}\n",
    [C_MAX] = "static int64_t max(int64_t x, int64_t y)\n"
              "{\n"
              "    return x > y ? x : y;\n"
              "}\n",
    [C_ABSOLUTE] = "static int64_t absolute(int64_t x)\n"
                   "{\n"
                   "    return x < 0 ? -x : x;\n"
                   "}\n",
    [C_FLOOR_LOG2] = "/* The largest k with 2^k <= x. */\n"
                     "static int64_t floor_log2(int64_t x)\n"
                     "{\n"
                     "    int64_t k = 0;\n"
                     "    for (; x > 1; x /= 2)\n"
                     "        k++;\n"
                     "    return k;\n"
                     "}\n",
    [C_BIT_CEIL] = "/* The least 2^k >= x. */\n"
                   "static int64_t bit_ceil(int64_t x)\n"
                   "{\n"
                   "    int64_t value = 1;\n"
                   "    while (value < x)\n"
                   "        value *= 2;\n"
                   "    return value;\n"
                   "}\n",
    [C_FLOOR_ROOT] = "/* The largest r with r*r <= x. */\n"
                     "static int64_t floor_root(int64_t x)\n"
                     "{\n"
                     "    int64_t r = 0;\n"
                     "    while ((r + 1) <= x / (r + 1))\n"
                     "        r++;\n"
                     "    return r;\n"
                     "}\n",
    [C_CEIL_ROOT] = "/* The least r with r*r >= x. */\n"
                    "static int64_t ceil_root(int64_t x)\n"
                    "{\n"
                    "    const int64_t r = floor_root(x);\n"
                    "    return r + (r * r < x);\n"
                    "}\n",
};

void rd_c_helpers(unsigned helpers, FILE *out)
{
    for (unsigned k = 0; k < C_HELPER_COUNT; k++)
        if (helpers & 1u << k)
            fprintf(out, "\n%s", texts[k]);
}
