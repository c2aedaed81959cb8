// SPDX-License-Identifier: MIT
/* Sobol's numbers: the primitive polynomials and first direction numbers are those that S. Joe and F. Y. Kuo recommend ("Constructing
 * Sobol sequences with better two-dimensional projections", 2008, criterion D(6)), of the first dimensions. */
#include "device/sim/libraries/sobol.h"
#include "device/sim/api/hooks.h"
#include "device/sim/file/file.h"
#include "device/sim/file/launch.h"
#include "device/sim/libraries/curand.h"
#include "device/sim/runtime/libraries.h"

#include <sys/mman.h>

/* Of a polynomial: its degree, its inner coefficients as bits, and the first odd numbers. */
static const struct {
    unsigned degree, inner;
    uint8_t m[7];
} table[RD_SOBOL_DIMENSIONS] = {
    {0, 0, {0}}, /* van der Corput's sequence */
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

void rd_sobol_vectors(unsigned dimension, uint64_t vectors[RD_SOBOL_BITS])
{
    const unsigned s = table[dimension].degree, inner = table[dimension].inner;
    for (unsigned k = 0; k < RD_SOBOL_BITS; k++) {
        if (s == 0 || k < s) {
            vectors[k] = (uint64_t)(s == 0 ? 1 : table[dimension].m[k]) << (63 - k);
            continue;
        }
        vectors[k] = vectors[k - s] ^ vectors[k - s] >> s;
        for (unsigned j = 1; j < s; j++)
            if (inner >> (s - 1 - j) & 1)
                vectors[k] ^= vectors[k - j];
    }
}

uint64_t rd_sobol_at(const uint64_t vectors[RD_SOBOL_BITS], uint64_t number)
{
    uint64_t gray = number ^ number >> 1, x = 0;
    for (unsigned k = 0; gray; k++, gray >>= 1)
        if (gray & 1)
            x ^= vectors[k];
    return x;
}

/* ---- for kernels, which the program gives them to ---- */

/* Room for the vectors of all dimensions that cuRAND has, of which only those of the first are there. NULL: there is no memory. */
static char *make_room(size_t bytes)
{
    enum { PAGE = 1 << 16 };
    const size_t table_bytes = RD_SOBOL_DIMENSIONS * bytes, all = RD_SOBOL_DIMENSIONS_MAX * bytes;
    char *room =
        mmap(NULL, PAGE + all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED || mprotect(room, PAGE, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    rd_sim_absent_add(room + PAGE, all, "quasi-random numbers of more than 21 dimensions");
    return room + PAGE - table_bytes;
}

static curandStatus_t give(const struct rd_sim_host_call *call, void **given, void **kept,
                           bool is_scrambled, bool is_short)
{
    cudaError_t error;
    if (!rd_sim_call_begins(call, &error))
        return CURAND_STATUS_INITIALIZATION_FAILED;
    if (is_scrambled)
        rd_sim_unsimulated("scrambled quasi-random numbers", "", 0, (void *)call->place.pc);
    char *room = *kept ? *kept : make_room(RD_SOBOL_BITS * (is_short ? 2 : 8));
    for (unsigned d = 0; room && !*kept && d < RD_SOBOL_DIMENSIONS; d++) {
        uint64_t vectors[RD_SOBOL_BITS] = {0};
        rd_sobol_vectors(d, vectors);
        for (unsigned k = 0; k < (is_short ? 32 : 64); k++)
            if (is_short)
                ((uint32_t *)room)[32 * d + k] = (uint32_t)(vectors[k] >> 32);
            else
                ((uint64_t *)room)[64 * d + k] = vectors[k];
    }
    *given = *kept = room;
    const bool good = room != NULL;
    rd_sim_library_ends(call, good ? NULL : "CURAND_STATUS_ALLOCATION_FAILED", "");
    return good ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

RD_HOOK curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **vectors,
                                                   curandDirectionVectorSet_t set)
{
    static void *kept;
    const struct rd_sim_host_call call = RD_HOST_CALL("curandGetDirectionVectors32");
    if (!vectors || (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 &&
                     set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    return give(&call, (void **)vectors, &kept, set != CURAND_DIRECTION_VECTORS_32_JOEKUO6, true);
}

RD_HOOK curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t **vectors,
                                                   curandDirectionVectorSet_t set)
{
    static void *kept;
    const struct rd_sim_host_call call = RD_HOST_CALL("curandGetDirectionVectors64");
    if (!vectors || (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 &&
                     set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    return give(&call, (void **)vectors, &kept, set != CURAND_DIRECTION_VECTORS_64_JOEKUO6, false);
}
