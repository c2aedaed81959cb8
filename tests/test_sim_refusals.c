// SPDX-License-Identifier: MIT
/* Memory that the simulator does not get: each refusal is an error with a message, changes nothing, and
 * what needs less still works. */
#include "reductio/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#if defined __SANITIZE_ADDRESS__
#define HAS_LIMITS false /* its own memory would be refused, too */
#elif defined __has_feature
#define HAS_LIMITS (!__has_feature(address_sanitizer))
#else
#define HAS_LIMITS true
#endif

/* Also under the address sanitizer, a refusal is to be null. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

enum { THREADS = 1024, STEPS = 24, STEP_BYTES = 100 << 20 };

static struct rd_device *sim;

/* ---- buffers ---- */

static void test_sim_buffer_beyond_all_memory_is_refused(void **state)
{
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 4095, SIZE_MAX / 2, (size_t)1 << 60};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct rd_error error = {""};
        struct rd_buffer *buffer = (struct rd_buffer *)&error;
        void *memory = &error;
        assert_int_equal(sim->ops->alloc(sim, sizes[k], &buffer, &error), RD_ERROR_MEMORY);
        assert_ptr_equal(buffer, &error);
        assert_non_null(strstr(error.text, "no memory for a device array of "));
        assert_int_equal(sim->ops->host_alloc(sim, sizes[k], &memory, &error), RD_ERROR_MEMORY);
        assert_ptr_equal(memory, &error);
        assert_non_null(strstr(error.text, "no memory for a host array of "));
    }
    struct rd_buffer *buffer;
    assert_int_equal(sim->ops->alloc(sim, 64, &buffer, NULL), RD_OK);
    sim->ops->free(sim, buffer);
}

/* ---- stacks ---- */

static struct rd_buffer *ones, *out;

static enum rd_status launch(struct rd_error *error)
{
    const struct rd_launch dot = {
        .kernel = RD_KERNEL_DOT_SHARED,
        .type = RD_TYPE_U64,
        .grid = 2,
        .block = THREADS,
        .shared_bytes = THREADS * sizeof(uint64_t),
        .n_args = 4,
        .args = {{.buffer = ones}, {.buffer = ones}, {.buffer = out}, {.scalar = THREADS}},
    };
    return sim->ops->launch(sim, &dot, error);
}

static bool is_right(void)
{
    uint64_t cells[2];
    return sim->ops->read(sim, out, RD_TYPE_U64, (struct rd_cells){0, 2, 1}, cells, 0, NULL) ==
               RD_OK &&
           cells[0] == THREADS && cells[1] == 0;
}

static void limit_addresses(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        _exit(100);
}

static rlim_t addresses_in_use(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        _exit(101);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static rlim_t *usual_growth; /* by one launch that gets what it asks for */

/* Returns the status of the launch; 50 and more where something is wrong. */
static int launch_with(rlim_t bytes)
{
    struct rd_error error = {""};
    const rlim_t before = addresses_in_use();
    limit_addresses(before + bytes);
    enum rd_status status = launch(&error);
    limit_addresses(RLIM_INFINITY);
    if (status == RD_OK)
        return is_right() ? RD_OK : 50;
    if (status != RD_ERROR_MEMORY || !strstr(error.text, "no memory for "))
        return 51;
    if (launch(NULL) != RD_OK || !is_right())
        return 52;
    return addresses_in_use() - before <= *usual_growth + STEP_BYTES ? RD_ERROR_MEMORY : 53;
}

static int launch_without_limit(void)
{
    const rlim_t before = addresses_in_use();
    enum rd_status status = launch(NULL);
    *usual_growth = addresses_in_use() - before;
    return status == RD_OK && is_right() ? RD_OK : 50;
}

/* In a process of its own. */
static int status_of(bool is_limited, rlim_t bytes)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(is_limited ? launch_with(bytes) : launch_without_limit());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_sim_launch_without_memory_for_stacks_is_refused_and_keeps_none(void **state)
{
    unsigned n_refused = 0, n_run = 0;
    (void)state;
    if (!HAS_LIMITS)
        skip();
    usual_growth =
        mmap(NULL, sizeof *usual_growth, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(usual_growth, MAP_FAILED);
    assert_int_equal(status_of(false, 0), RD_OK);
    for (unsigned step = 0; step < STEPS; step++) {
        int status = status_of(true, (rlim_t)step * STEP_BYTES);
        assert_in_range(status, 0, 49);
        n_refused += status == RD_ERROR_MEMORY;
        n_run += status == RD_OK;
    }
    assert_int_equal(n_refused + n_run, STEPS);
    assert_true(n_refused > 0 && n_run > 0);
}

static int open_sim(void **state)
{
    uint64_t cells[THREADS];
    (void)state;
    for (unsigned k = 0; k < THREADS; k++)
        cells[k] = 1;
    bool good = rd_device_open("sim", &sim, NULL, NULL) == RD_OK &&
                sim->ops->alloc(sim, sizeof cells, &ones, NULL) == RD_OK &&
                sim->ops->alloc(sim, 2 * sizeof *cells, &out, NULL) == RD_OK &&
                sim->ops->write(sim, ones, cells, sizeof cells, NULL) == RD_OK;
    return good ? 0 : -1;
}

static int close_sim(void **state)
{
    (void)state;
    sim->ops->free(sim, ones);
    sim->ops->free(sim, out);
    rd_device_close(sim);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim_buffer_beyond_all_memory_is_refused),
        cmocka_unit_test(test_sim_launch_without_memory_for_stacks_is_refused_and_keeps_none),
    };
    return cmocka_run_group_tests(tests, open_sim, close_sim) != 0;
}
