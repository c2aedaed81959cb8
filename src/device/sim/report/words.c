// SPDX-License-Identifier: MIT
#include "device/sim/report/report_internal.h"
#include "reductio/input_set.h"
#include "reductio/numeric.h"
#include "device/sim/detect/arithmetic.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rd_sim_say(struct rd_sim_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t said = n < 0 ? 0 : (size_t)n < text->left ? (size_t)n : text->left - 1;
    text->at += said;
    text->left -= said;
}

static void say_place(struct rd_sim_text *text, uint64_t linear, struct rd_sim_dim dim)
{
    if (dim.y == 1 && dim.z == 1)
        rd_sim_say(text, "%" PRIu64, linear);
    else
        rd_sim_say(text, "(%u,%u,%u)", (unsigned)(linear % dim.x),
                   (unsigned)(linear / dim.x % dim.y), (unsigned)(linear / dim.x / dim.y));
}

void rd_sim_say_thread(struct rd_sim_text *text, const struct rd_sim_actor *actor)
{
    const struct rd_sim_launched launch = rd_sim_extent_launch(text->extent, actor);
    if (actor->thread_known) {
        rd_sim_say(text, "thread ");
        say_place(text, actor->thread, launch.block);
    } else {
        rd_sim_say(text, "a thread");
    }
    if (actor->block_known) {
        rd_sim_say(text, " of block ");
        say_place(text, actor->block, launch.grid);
    } else {
        rd_sim_say(text, " of another block");
    }
    if (launch.kernel)
        rd_sim_say(text, " of %s", launch.kernel);
}

void rd_sim_say_site(struct rd_sim_text *text, const struct rd_sim_site *site)
{
    struct rd_sim_line line = rd_sim_site_line(site);
    if (!line.file[0])
        return;
    rd_sim_say(text, " at %s:%u", line.file, line.line);
    if (line.column)
        rd_sim_say(text, ":%u", line.column);
}

bool rd_sim_found_index(const struct rd_sim_found *f, int64_t *index)
{
    int64_t elem = (int64_t)(f->array.elem_bytes ? f->array.elem_bytes : f->event.size_bytes);
    if (!f->array_known || f->event.frees || elem == 0 || f->offset_bytes % elem != 0)
        return false;
    *index = f->offset_bytes / elem;
    return true;
}

void rd_sim_found_name(const struct rd_sim_found *f, char name[RD_SIM_NAME_SIZE])
{
    struct rd_sim_text text = {name, RD_SIM_NAME_SIZE, NULL};
    name[0] = '\0';
    if (f->array_known && f->array.origin) {
        struct rd_sim_line line = rd_sim_site_line(&(struct rd_sim_site){.pc = f->array.origin});
        rd_sim_say(&text, line.file[0] ? "the allocation at %s:%u" : "an allocation", line.file,
                   line.line);
    } else if (f->array_known) {
        rd_sim_say(&text, "%s", f->array.name);
    }
}

/* As it stands in the source: "[2][3]" of a tile. */
static void say_index(struct rd_sim_text *text, const struct rd_sim_array *array, int64_t index)
{
    int64_t inner = 1;
    if (array->is_single && index == 0)
        return;
    for (unsigned k = 0; k < array->n_inner; k++)
        inner *= array->inner[k] ? array->inner[k] : 1;
    for (unsigned k = 0;; k++) {
        int64_t here = index / inner - (index % inner < 0); /* rounded down: it may be negative */
        rd_sim_say(text, "[%" PRId64 "]", here);
        if (k == array->n_inner)
            break;
        index -= here * inner;
        inner /= array->inner[k] ? array->inner[k] : 1;
    }
}

void rd_sim_say_cell(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    char name[RD_SIM_NAME_SIZE] = "an unnamed array";
    int64_t index;
    if (!f->array_known || (f->array.space == RD_SPACE_NONE && !f->array.name[0])) {
        rd_sim_say(text, event->address < RD_SIM_NULL_BYTES ? "a null pointer" : "an address");
        return;
    }
    if (f->array.name[0] || f->array.origin)
        rd_sim_found_name(f, name);
    int64_t elem = f->array.elem_bytes;
    bool whole = rd_sim_found_index(f, &index);
    if (whole && f->array.origin) {
        rd_sim_say(text, "element %" PRId64 " of %s", index, name);
    } else if (whole) {
        rd_sim_say(text, "%s", name);
        say_index(text, &f->array, index);
    } else if (event->frees && f->offset_bytes == 0) {
        rd_sim_say(text, "%s", name);
    } else if (elem > 0 && !f->array.origin) {
        index = f->offset_bytes / elem - (f->offset_bytes % elem < 0); /* rounded down */
        rd_sim_say(text, "byte %" PRId64 " of %s", f->offset_bytes - index * elem, name);
        say_index(text, &f->array, index);
    } else {
        rd_sim_say(text, "byte %" PRId64 " of %s", f->offset_bytes, name);
    }
    bool says_so = f->array.dynamic && strstr(name, "shared");
    if (f->array.space == RD_SPACE_SHARED && !says_so)
        rd_sim_say(text, " (shared)");
    else if (f->array.origin)
        rd_sim_say(text, ",");
}

bool rd_sim_is_fresh(uint64_t bits, size_t size_bytes)
{
    for (size_t k = 0; k < size_bytes && k < sizeof bits; k++)
        if ((bits >> (8 * k) & 0xff) != RD_SIM_POISON)
            return false;
    return size_bytes > 1;
}

/* The inputs whose digits they are. False where they are more than these digits. */
static bool say_inputs(const struct rd_digits *digits, uint64_t bits, char text[RD_SIM_VALUE_SIZE])
{
    struct rd_input_set set = {.open = digits->others};
    for (size_t k = 0; k < digits->count; k++) {
        uint64_t times = bits & (((uint64_t)1 << digits->bits) - 1);
        bits >>= digits->bits;
        if (times > 0)
            rd_input_set_add(&set, digits->first + k, (int64_t)times);
    }
    rd_input_set_text(&set, text, RD_SIM_VALUE_SIZE);
    return bits == 0;
}

void rd_sim_found_value(const struct rd_sim_found *f, const struct rd_sim_extent *extent,
                        uint64_t bits, char text[RD_SIM_VALUE_SIZE])
{
    const char *type = f->array.type;
    const struct rd_numeric *numeric = rd_numeric_named(type);
    size_t size_bytes = f->event.size_bytes;
    if (rd_sim_is_fresh(bits, size_bytes)) {
        snprintf(text, RD_SIM_VALUE_SIZE, "0x%" PRIx64, bits);
    } else if (extent->digits.bits > 0 && extent->digits.bits < 64 && size_bytes == 8 &&
               strcmp(type, "u64") == 0 && say_inputs(&extent->digits, bits, text)) {
        return;
    } else if (numeric && numeric->is_float && size_bytes == numeric->size_bytes) {
        snprintf(text, RD_SIM_VALUE_SIZE, "%.*g", (int)numeric->max_digits,
                 numeric->to_double(bits));
    } else if (type[0] == 'i' && size_bytes >= 1 && size_bytes <= 8) {
        unsigned shift = 64 - 8 * (unsigned)size_bytes;
        snprintf(text, RD_SIM_VALUE_SIZE, "%" PRId64, (int64_t)(bits << shift) >> shift);
    } else if (type[0] == 'u') {
        snprintf(text, RD_SIM_VALUE_SIZE, "%" PRIu64, bits);
    } else {
        snprintf(text, RD_SIM_VALUE_SIZE, "0x%" PRIx64, bits);
    }
}

void rd_sim_say_value(struct rd_sim_text *text, const struct rd_sim_found *f, uint64_t bits)
{
    char value[RD_SIM_VALUE_SIZE];
    rd_sim_found_value(f, text->extent, bits, value);
    rd_sim_say(text, "%s", value);
}

void rd_sim_say_number(struct rd_sim_text *text, struct rd_sim_number number)
{
    if (number.letter == 'i')
        rd_sim_say(text, "%" PRId64, (int64_t)number.value);
    else if (number.letter == 'u')
        rd_sim_say(text, "%" PRIu64, number.value);
    else if (number.letter == 'f')
        rd_sim_say(text, number.bits == 32 ? "%.9g" : "%.17g", rd_sim_number_real(number));
    else
        rd_sim_say(text, "a number of %u bits", number.bits);
}
