// SPDX-License-Identifier: MIT
#include "spec_harness.h"

#include "device/sim/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const spec_types[SPEC_TYPES] = {"i8",  "u8",  "i16", "u16", "i32",
                                            "u32", "i64", "u64", "f32", "f64"};
const struct rd_file_parameter spec_pointer = {'p', 'v', sizeof(void *), 0, NULL};

static struct rd_device *device;

int spec_set_up(void **state)
{
    struct rd_error error;
    (void)state;
    return rd_device_open("sim", &device, NULL, &error) == RD_OK ? 0 : -1;
}

int spec_tear_down(void **state)
{
    (void)state;
    rd_device_close(device);
    return 0;
}

enum rd_status spec_init_argument(struct rd_check_arg *arg, const struct rd_check_spec *spec,
                                  struct rd_check_memories *memories,
                                  const struct rd_file_parameter *parameter, struct rd_error *error)
{
    enum rd_status status = rd_check_arg_alloc(arg, device, spec, memories, 0, "a", error);
    return status == RD_OK ? rd_check_arg_make(arg, parameter, error) : status;
}

void spec_make(struct spec_made *made, const char *text, const struct rd_file_parameter *parameter)
{
    struct rd_error error = {""};
    *made = (struct spec_made){.memories = calloc(1, sizeof *made->memories),
                               .arg = aligned_alloc(64, sizeof *made->arg)};
    assert_non_null(made->memories);
    assert_non_null(made->arg);
    if (rd_check_spec_init(&made->spec, text, "1", &error) != RD_OK ||
        spec_init_argument(made->arg, &made->spec, made->memories, parameter, &error) != RD_OK)
        fail_msg("'%s': %s", text, error.text);
}

void spec_free_buffer(const struct rd_check_spec *spec, const struct rd_check_memories *memories)
{
    if (spec->is_buffer && spec->space == RD_CHECK_DEVICE)
        rd_sim_memory_free(memories->all[spec->index]);
}

void spec_finish(struct spec_made *made)
{
    spec_free_buffer(&made->spec, made->memories);
    rd_check_spec_finish(&made->spec);
    free(made->memories);
    free(made->arg);
}

void assert_cells(const char *text, const char *wanted)
{
    char found[512] = "", value[RD_VALUE_TEXT_SIZE];
    struct spec_made made;
    spec_make(&made, text, &spec_pointer);
    const struct rd_numeric *numeric = made.spec.numeric;
    for (size_t i = 0; i < made.spec.count; i++) {
        numeric->format(value, numeric->load(made.arg->memory, i));
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i ? " " : "", value);
    }
    assert_string_equal(found, wanted);
    spec_finish(&made);
}

void assert_refused(const char *text, const struct rd_file_parameter *parameter, const char *words)
{
    struct rd_error error = {""};
    struct rd_check_spec spec;
    struct rd_check_memories *memories = calloc(1, sizeof *memories);
    struct rd_check_arg *arg = aligned_alloc(64, sizeof *arg);
    assert_non_null(memories);
    assert_non_null(arg);
    enum rd_status status = rd_check_spec_init(&spec, text, "1", &error);
    if (status == RD_OK) {
        status = spec_init_argument(arg, &spec, memories, parameter, &error);
        rd_check_spec_finish(&spec);
    }
    if (status == RD_OK || !strstr(error.text, words))
        fail_msg("'%s' gives '%s', not '%s'", text, error.text, words);
    free(memories);
    free(arg);
}
