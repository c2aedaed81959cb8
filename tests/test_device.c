// SPDX-License-Identifier: MIT
/* Opening devices, the simulator's memory and copies, and what a launch may look like. */
#include "reductio/device.h"
#include "device/devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rd_device *sim;

static int open_sim(void **state)
{
    (void)state;
    return rd_device_open("sim", &sim, NULL, NULL) == RD_OK ? 0 : -1;
}

static int close_sim(void **state)
{
    (void)state;
    rd_device_close(sim);
    return 0;
}

static void assert_says(const struct rd_error *error, const char *fragment)
{
    if (!strstr(error->text, fragment))
        fail_msg("no \"%s\" in \"%s\"", fragment, error->text);
}

/* ---- opening ---- */

static void test_open_sim_is_what_was_asked_for(void **state)
{
    struct rd_device *device = NULL;
    struct rd_error why = {""}, error = {""};
    (void)state;
    assert_int_equal(rd_device_open("sim", &device, &why, &error), RD_OK);
    assert_string_equal(device->ops->name, "sim");
    assert_string_equal(why.text, "asked for");
    assert_true(strlen(device->ops->describe(device)) > 0);
    rd_device_close(device);
}

static void test_open_auto_takes_one_and_says_why(void **state)
{
    struct rd_device *device = NULL;
    struct rd_error why = {""}, error = {""};
    (void)state;
    assert_int_equal(rd_device_open("auto", &device, &why, &error), RD_OK);
    if (strcmp(device->ops->name, "sim") == 0) /* then there is a reason why not a GPU */
        assert_true(strstr(why.text, "this build has no CUDA") || strstr(why.text, "cudaError"));
    else
        assert_string_equal(why.text, "it is there");
    rd_device_close(device);
}

static void test_open_unknown_name_is_bad_usage(void **state)
{
    static const char *const names[] = {"gpu", "SIM", "", "sim "}, *const known[] = {
                                                                       RD_DEVICE_NAMES};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct rd_device *device = sim;
        struct rd_error error = {""};
        assert_int_equal(rd_device_open(names[i], &device, NULL, &error), RD_ERROR_USAGE);
        assert_ptr_equal(device, sim); /* untouched */
        assert_says(&error, "is not a device: use auto, ");
        for (const char *const *name = known; *name; name++)
            assert_says(&error, *name);
        assert_says(&error, names[i]);
        assert_int_equal(rd_device_open(names[i], &device, NULL, NULL), RD_ERROR_USAGE);
    }
}

static void test_open_cuda_starts_or_says_what_is_missing(void **state)
{
    struct rd_device *device = NULL;
    struct rd_error why = {""}, error = {""};
    enum rd_status status = rd_device_open("cuda", &device, &why, &error);
    (void)state;
    if (status == RD_OK) {
        assert_string_equal(device->ops->name, "cuda");
        rd_device_close(device);
        return;
    }
    assert_int_equal(status, RD_ERROR_DEVICE);
    assert_null(device);
    assert_true(strstr(error.text, "'cuda' is not in this build") ||
                strstr(error.text, "no GPU can be used: cudaError") == error.text);
}

static void test_close_of_nothing_does_nothing(void **state)
{
    (void)state;
    rd_device_close(NULL);
}

static void test_devices_are_complete(void **state)
{
    (void)state;
    for (const struct rd_device_ops *const *ops = rd_devices; *ops; ops++)
        assert_true((*ops)->name && (*ops)->open && (*ops)->close && (*ops)->describe &&
                    (*ops)->limits && (*ops)->alloc && (*ops)->free && (*ops)->host_alloc &&
                    (*ops)->host_free && (*ops)->write && (*ops)->read && (*ops)->wait &&
                    (*ops)->launch);
}

/* ---- memory ---- */

/* An array on the device, and a copy of it on the host that starts as something else. */
static struct rd_buffer *array_of(const void *cells, size_t size_bytes)
{
    struct rd_buffer *buffer;
    assert_int_equal(sim->ops->alloc(sim, size_bytes, &buffer, NULL), RD_OK);
    assert_int_equal(sim->ops->write(sim, buffer, cells, size_bytes, NULL), RD_OK);
    return buffer;
}

static void read_cells(struct rd_buffer *buffer, enum rd_type type, struct rd_cells cells,
                       void *host)
{
    assert_int_equal(sim->ops->read(sim, buffer, type, cells, host, RD_READ_SLOTS - 1, NULL),
                     RD_OK);
    assert_int_equal(sim->ops->wait(sim, RD_READ_SLOTS - 1, NULL), RD_OK);
}

static void test_sim_reads_cells_that_lie_a_stride_apart(void **state)
{
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
        const struct rd_numeric *numeric = rd_numeric((enum rd_type)type);
        uint64_t cells[100], got[100];
        for (size_t i = 0; i < 100; i++)
            numeric->store(cells, i, numeric->from_u64(1000 + i));
        struct rd_buffer *buffer = array_of(cells, 100 * numeric->size_bytes);
        for (size_t stride = 1; stride <= 40; stride++)
            for (size_t first = 0; first * stride < 100; first++) {
                size_t count = (99 - first * stride) / stride + 1;
                memset(got, 0xcc, sizeof got);
                read_cells(buffer, numeric->type, (struct rd_cells){first, count, stride}, got);
                for (size_t k = 0; k < count; k++)
                    assert_int_equal(numeric->load(got, k),
                                     numeric->from_u64(1000 + (first + k) * stride));
                if (count < 100) /* and not a byte more */
                    assert_int_equal(((unsigned char *)got)[count * numeric->size_bytes], 0xcc);
            }
        sim->ops->free(sim, buffer);
    }
}

static void test_sim_memory_starts_as_nothing_that_could_pass_for_a_result(void **state)
{
    struct rd_buffer *buffer;
    uint32_t got[64];
    (void)state;
    assert_int_equal(sim->ops->alloc(sim, sizeof got, &buffer, NULL), RD_OK);
    read_cells(buffer, RD_TYPE_U32, (struct rd_cells){0, 64, 1}, got);
    for (size_t i = 0; i < 64; i++)
        assert_true(got[i] != 0 && got[i] == got[0]);
    sim->ops->free(sim, buffer);
    sim->ops->free(sim, NULL);
    sim->ops->host_free(sim, NULL);
}

/* ---- launches ---- */

static struct rd_launch fold_of(struct rd_buffer *buffer, size_t half, size_t grid, unsigned block)
{
    return (struct rd_launch){
        .kernel = RD_KERNEL_FOLD,
        .type = RD_TYPE_U64,
        .grid = grid,
        .block = block,
        .n_args = 2,
        .args = {{.buffer = buffer}, {.scalar = half}},
    };
}

static void test_sim_runs_every_thread_of_the_grid_once(void **state)
{
    static const struct {
        size_t grid;
        unsigned block;
        size_t reached; /* cells that have been added to */
    } cases[] = {{1, 1, 1},   {1, 7, 7},   {7, 1, 7},    {3, 4, 12},
                 {2, 32, 50}, {50, 1, 50}, {9, 1024, 50}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t cells[100];
        for (size_t i = 0; i < 100; i++)
            cells[i] = i < 50 ? 0 : 1;
        struct rd_buffer *buffer = array_of(cells, sizeof cells);
        struct rd_launch launch = fold_of(buffer, 50, cases[c].grid, cases[c].block);
        assert_int_equal(sim->ops->launch(sim, &launch, NULL), RD_OK);
        read_cells(buffer, RD_TYPE_U64, (struct rd_cells){0, 100, 1}, cells);
        for (size_t i = 0; i < 50; i++)
            assert_int_equal(cells[i], i < cases[c].reached);
        sim->ops->free(sim, buffer);
    }
}

static void test_sim_gathers_as_its_kernel_says(void **state)
{
    uint64_t cells[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, out[5] = {77, 77, 77, 77, 77};
    (void)state;
    struct rd_buffer *from = array_of(cells, sizeof cells), *to = array_of(out, sizeof out);
    const struct rd_launch launch = {
        .kernel = RD_KERNEL_GATHER,
        .type = RD_TYPE_U64,
        .grid = 1,
        .block = 8,
        .n_args = 4,
        .args = {{.buffer = from}, {.buffer = to}, {.scalar = 3}, {.scalar = 4}},
    };
    assert_int_equal(sim->ops->launch(sim, &launch, NULL), RD_OK);
    read_cells(to, RD_TYPE_U64, (struct rd_cells){0, 5, 1}, out);
    assert_memory_equal(out, ((uint64_t[]){0, 3, 6, 9, 77}), sizeof out);
    sim->ops->free(sim, from);
    sim->ops->free(sim, to);
}

static void test_launch_outside_the_limits_is_refused_by_cudas_name(void **state)
{
    static const struct rd_device_limits limits = {.grid_max = 1000, .block_max = 64};
    static const struct {
        size_t grid;
        unsigned block;
        enum rd_status status;
    } cases[] = {
        {1, 1, RD_OK},           {1000, 64, RD_OK},
        {1, 0, RD_ERROR_LAUNCH}, {1, 65, RD_ERROR_LAUNCH},
        {0, 1, RD_ERROR_LAUNCH}, {1001, 1, RD_ERROR_LAUNCH},
        {0, 0, RD_ERROR_LAUNCH}, {((size_t)1 << 32) + 1, 1, RD_ERROR_LAUNCH}, /* 1 in 32 bits */
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rd_error error = {""};
        struct rd_launch launch = fold_of(NULL, 1, cases[c].grid, cases[c].block);
        assert_int_equal(rd_launch_check(&launch, &limits, "cudaErrorInvalidValue", &error),
                         cases[c].status);
        if (cases[c].status == RD_OK)
            assert_string_equal(error.text, "");
        else
            assert_ptr_equal(strstr(error.text, "cudaErrorInvalidValue: "), error.text);
    }
}

/* An H100 has 132 multiprocessors for 2048 threads and 228 KiB of shared memory each. */
static void test_sim_cooperative_launch_of_more_than_fit_is_refused(void **state)
{
    static const struct {
        size_t grid, shared_bytes;
        unsigned block, grid_y;
        enum rd_status status;
    } cases[] = {
        {264, 0, 1024, 0, RD_OK},
        {265, 0, 1024, 0, RD_ERROR_LAUNCH},
        {132, 0, 1024, 3, RD_ERROR_LAUNCH},
        {132 * 5, 0, 341, 0, RD_OK}, /* whole warps: 352 */
        {132 * 5 + 1, 0, 341, 0, RD_ERROR_LAUNCH},
        {132 * 32, 0, 1, 0, RD_OK}, /* 32 blocks, however small */
        {132 * 32 + 1, 0, 1, 0, RD_ERROR_LAUNCH},
        {132, 227 * 1024, 32, 0, RD_OK}, /* one with as much as there is */
        {133, 227 * 1024, 32, 0, RD_ERROR_LAUNCH},
    };
    uint64_t cells[1] = {0};
    (void)state;
    struct rd_buffer *buffer = array_of(cells, sizeof cells);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rd_error error = {""};
        struct rd_launch launch = fold_of(buffer, 0, cases[c].grid, cases[c].block);
        launch.grid_y = cases[c].grid_y;
        launch.shared_bytes = cases[c].shared_bytes;
        assert_int_equal(sim->ops->launch(sim, &launch, &error), RD_OK); /* blocks need not meet */
        launch.cooperative = true;
        assert_int_equal(sim->ops->launch(sim, &launch, &error), cases[c].status);
        if (cases[c].status != RD_OK)
            assert_says(&error, "cudaErrorCooperativeLaunchTooLarge: ");
    }
    sim->ops->free(sim, buffer);
}

static void test_sim_launch_that_is_refused_runs_no_thread(void **state)
{
    struct rd_device_limits limits;
    uint64_t cells[2] = {1, 2};
    (void)state;
    sim->ops->limits(sim, &limits);
    assert_int_equal(limits.block_max, 1024);
    struct rd_buffer *buffer = array_of(cells, sizeof cells);
    const struct rd_launch launches[] = {
        fold_of(buffer, 1, 1, 1025),
        fold_of(buffer, 1, 1, 0),
        fold_of(buffer, 1, 0, 1),
        fold_of(buffer, 1, limits.grid_max + 1, 1),
    };
    for (size_t l = 0; l < sizeof launches / sizeof *launches; l++) {
        struct rd_error error = {""};
        assert_int_equal(sim->ops->launch(sim, &launches[l], &error), RD_ERROR_LAUNCH);
        assert_says(&error, "cudaErrorInvalidConfiguration: ");
    }
    read_cells(buffer, RD_TYPE_U64, (struct rd_cells){0, 2, 1}, cells);
    assert_int_equal(cells[0], 1);
    struct rd_launch largest = fold_of(buffer, 1, 1, 1024);
    assert_int_equal(sim->ops->launch(sim, &largest, NULL), RD_OK);
    read_cells(buffer, RD_TYPE_U64, (struct rd_cells){0, 2, 1}, cells);
    assert_int_equal(cells[0], 3);
    sim->ops->free(sim, buffer);
}

static void test_sim_launch_of_other_arguments_than_the_kernel_takes_is_refused(void **state)
{
    uint64_t cells[2] = {1, 2};
    (void)state;
    struct rd_buffer *buffer = array_of(cells, sizeof cells);
    struct rd_launch launches[4];
    static const char *const says[] = {
        "kernel 'fold' takes 2 arguments, and is passed 1",
        "kernel 'fold' is passed an array of elements as argument 2, and takes 'size_t' there",
        "kernel 'fold' is passed a number as argument 1, and takes 'elem *' there",
        "kernel 'fold' is passed an array of unsigned numbers as argument 1, and takes 'elem *'",
    };
    for (size_t l = 0; l < sizeof launches / sizeof *launches; l++)
        launches[l] = fold_of(buffer, 1, 1, 1);
    launches[0].n_args = 1;
    launches[1].args[1] = launches[1].args[0];
    launches[2].args[0] = launches[2].args[1];
    launches[3].args[0].is_unsigned = true;
    for (size_t l = 0; l < sizeof launches / sizeof *launches; l++) {
        struct rd_error error = {""};
        assert_int_equal(sim->ops->launch(sim, &launches[l], &error), RD_ERROR_USAGE);
        assert_says(&error, says[l]);
    }
    read_cells(buffer, RD_TYPE_U64, (struct rd_cells){0, 2, 1}, cells);
    assert_int_equal(cells[0], 1);
    sim->ops->free(sim, buffer);
}

/* A fault that runs over the end by less than a block harms nobody: ASan looks on. */
static void test_sim_has_slack_of_a_block_behind_an_array(void **state)
{
    uint64_t cells[8] = {0};
    (void)state;
    struct rd_buffer *buffer = array_of(cells, sizeof cells);
    struct rd_launch launch = fold_of(buffer, 0, 1, 1024);
    launch.kernel = RD_KERNEL_FOLD_MISSING_GUARD;
    assert_int_equal(sim->ops->launch(sim, &launch, NULL), RD_OK);
    sim->ops->free(sim, buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_sim_is_what_was_asked_for),
        cmocka_unit_test(test_open_auto_takes_one_and_says_why),
        cmocka_unit_test(test_open_unknown_name_is_bad_usage),
        cmocka_unit_test(test_open_cuda_starts_or_says_what_is_missing),
        cmocka_unit_test(test_close_of_nothing_does_nothing),
        cmocka_unit_test(test_devices_are_complete),
        cmocka_unit_test(test_sim_reads_cells_that_lie_a_stride_apart),
        cmocka_unit_test(test_sim_memory_starts_as_nothing_that_could_pass_for_a_result),
        cmocka_unit_test(test_sim_runs_every_thread_of_the_grid_once),
        cmocka_unit_test(test_sim_gathers_as_its_kernel_says),
        cmocka_unit_test(test_launch_outside_the_limits_is_refused_by_cudas_name),
        cmocka_unit_test(test_sim_launch_that_is_refused_runs_no_thread),
        cmocka_unit_test(test_sim_cooperative_launch_of_more_than_fit_is_refused),
        cmocka_unit_test(test_sim_launch_of_other_arguments_than_the_kernel_takes_is_refused),
        cmocka_unit_test(test_sim_has_slack_of_a_block_behind_an_array),
    };
    return cmocka_run_group_tests_name("device", tests, open_sim, close_sim) != 0;
}
