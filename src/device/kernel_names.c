// SPDX-License-Identifier: MIT
#include "device/kernel_names.h"
#include "kernel_units.h"
#include "reductio/launchable.h"
#include "reductio/numeric.h"
#include "reductio/version.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *name;
    bool communicates;
    unsigned n_params;
    enum rd_param params[RD_KERNEL_PARAMS_MAX];
} kernels[] = {
#define KERNEL(name, NAME, communicates, ...)                                                      \
    [RD_KERNEL_##NAME] = {#name,                                                                   \
                          communicates,                                                            \
                          sizeof((enum rd_param[]){__VA_ARGS__}) / sizeof(enum rd_param),          \
                          {__VA_ARGS__}},
    RD_KERNELS(KERNEL)
#undef KERNEL
        [RD_KERNEL_ABSENT] = {.name = ""},
};

/* ---- those of clients ---- */

enum { OWN_FIRST = RD_KERNEL_ABSENT + 1, OWN_MAX = 1024, NAME_MAX_LENGTH = 63 };

/* A row doesn't change: with another build comes another row. The one before stays, as threads may be reading it. */
struct own_row {
    struct row row;
    const struct rd_launchable *builds[RD_TYPE_COUNT];
};

static const struct own_row *_Atomic own_rows[OWN_MAX];
static atomic_uint n_own;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

static const struct own_row *own_row_of(enum rd_kernel kernel)
{
    return (int)kernel < OWN_FIRST ? NULL : atomic_load(&own_rows[kernel - OWN_FIRST]);
}

static const struct row *row_of(enum rd_kernel kernel)
{
    const struct own_row *own = own_row_of(kernel);
    return own ? &own->row : &kernels[kernel];
}

/* ---- asking ---- */

const char *rd_kernel_name(enum rd_kernel kernel)
{
    return row_of(kernel)->name;
}

bool rd_kernel_is_known(enum rd_kernel kernel)
{
    const unsigned own = (unsigned)kernel - OWN_FIRST;
    return (unsigned)kernel < RD_KERNEL_COUNT ||
           ((unsigned)kernel >= OWN_FIRST && own < atomic_load(&n_own));
}

bool rd_kernel_named(const char *name, enum rd_kernel *kernel)
{
    const int count = OWN_FIRST + (int)atomic_load(&n_own);
    for (int k = 0; k < count; k++) {
        if (k != RD_KERNEL_ABSENT && strcmp(rd_kernel_name((enum rd_kernel)k), name) == 0) {
            *kernel = (enum rd_kernel)k;
            return true;
        }
    }
    return false;
}

bool rd_kernel_communicates(enum rd_kernel kernel)
{
    return row_of(kernel)->communicates;
}

bool rd_kernel_has_type(enum rd_kernel kernel, enum rd_type type)
{
#define HAS_TYPE(name, NAME, type, TYPE) [RD_KERNEL_##NAME][RD_TYPE_##TYPE] = true,
    static const bool has_type[RD_KERNEL_COUNT][RD_TYPE_COUNT] = {RD_KERNEL_UNITS(HAS_TYPE)};
#undef HAS_TYPE
    const struct own_row *own = own_row_of(kernel);
    if ((int)kernel == RD_KERNEL_ABSENT)
        return true;
    return own ? own->builds[type] != NULL : has_type[kernel][type];
}

const struct rd_launchable *rd_kernel_launchable(enum rd_kernel kernel, enum rd_type type)
{
    const struct own_row *own = own_row_of(kernel);
    return own ? own->builds[type] : NULL;
}

unsigned rd_kernel_params(enum rd_kernel kernel, const enum rd_param **params)
{
    const struct row *row = row_of(kernel);
    *params = row->params;
    return row->n_params;
}

const char *rd_param_type(enum rd_param param)
{
#define PARAM_TYPE(NAME, type) [RD_PARAM_##NAME] = type,
    static const char *const types[RD_PARAM_COUNT] = {RD_PARAMS(PARAM_TYPE)};
#undef PARAM_TYPE
    return types[param];
}

/* ---- registering ---- */

static bool is_type_of(enum rd_param param, const char *word, size_t length)
{
    const char *type = rd_param_type(param);
    return strlen(type) == length && strncmp(type, word, length) == 0;
}

/* Takes "elem *, size_t" apart. */
static enum rd_status read_params(struct row *row, const struct rd_launchable *launchable,
                                  struct rd_error *error)
{
    const char *word = launchable->parameters;
    for (row->n_params = 0; *word; row->n_params++) {
        const size_t length = strcspn(word, ",");
        int param = 0;
        while (param < RD_PARAM_COUNT && !is_type_of((enum rd_param)param, word, length))
            param++;
        if (param == RD_PARAM_COUNT)
            return rd_fail(error, RD_ERROR_USAGE,
                           "'%.*s' of kernel '%s' is no type that the host passes: see "
                           "LAUNCHABLE in kernel.h",
                           (int)length, word, row->name);
        if (row->n_params == RD_KERNEL_PARAMS_MAX)
            return rd_fail(error, RD_ERROR_USAGE, "kernel '%s' has more than %d parameters",
                           row->name, RD_KERNEL_PARAMS_MAX);
        row->params[row->n_params] = (enum rd_param)param;
        word += length;
        word += strspn(word, ", ");
    }
    return RD_OK;
}

static bool is_alike(const struct row *x, const struct row *y)
{
    return x->communicates == y->communicates && x->n_params == y->n_params &&
           memcmp(x->params, y->params, x->n_params * sizeof *x->params) == 0;
}

/* Adds a build to what is known of its kernel. */
static enum rd_status add_build(struct own_row *row, const struct rd_launchable *launchable,
                                enum rd_type type, const struct own_row *known,
                                struct rd_error *error)
{
    row->row.communicates = launchable->communicates;
    const enum rd_status status = read_params(&row->row, launchable, error);
    if (status != RD_OK || !known)
        ;
    else if (!is_alike(&row->row, &known->row))
        return rd_fail(error, RD_ERROR_USAGE,
                       "kernel '%s' is registered with other parameters: rename one",
                       launchable->name);
    else if (known->builds[type] && known->builds[type] != launchable)
        return rd_fail(error, RD_ERROR_USAGE, "kernel '%s' of %s is registered already: rename one",
                       launchable->name, launchable->type);
    else
        memcpy(row->builds, known->builds, sizeof row->builds);
    row->builds[type] = launchable;
    return status;
}

static enum rd_status put(const struct rd_launchable *launchable, enum rd_type type,
                          struct rd_error *error)
{
    const char *name = launchable->name;
    enum rd_kernel kernel = (enum rd_kernel)(OWN_FIRST + (int)atomic_load(&n_own));
    const bool is_known = rd_kernel_named(name, &kernel);
    const unsigned at = (unsigned)kernel - OWN_FIRST;
    if (is_known && rd_kernel_launchable(kernel, type) == launchable)
        return RD_OK;
    if ((int)kernel < OWN_FIRST)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is a kernel of the library: rename yours",
                       name);
    if (at >= OWN_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "there are more than %d kernels of clients", OWN_MAX);
    struct own_row *row = calloc(1, sizeof *row);
    char *copy = row ? strdup(name) : NULL;
    enum rd_status status = RD_OK;
    if (!copy) {
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for a kernel");
        goto done;
    }
    row->row.name = copy;
    status = add_build(row, launchable, type, is_known ? own_row_of(kernel) : NULL, error);
    if (status != RD_OK)
        goto done;
    atomic_store(&own_rows[at], row);
    if (!is_known)
        atomic_fetch_add(&n_own, 1);
    return RD_OK;
done:
    free(copy);
    free(row);
    return status;
}

/* As LAUNCHABLE makes it, a name is one of C. */
static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                      taken[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name && strspn(name, letters) > 0 && strspn(name, taken) == strlen(name) &&
           strlen(name) <= NAME_MAX_LENGTH;
}

enum rd_status rd_kernel_register(const struct rd_launchable *launchable, struct rd_error *error)
{
    if (!launchable || launchable->size != sizeof *launchable)
        return rd_fail(error, RD_ERROR_USAGE,
                       "the kernel is compiled with headers of another version: compile it with "
                       "those of reductio %s",
                       rd_version());
    if (!is_name(launchable->name))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%.80s' can't be a kernel's name: use 1 to %d letters, digits and '_', as "
                       "LAUNCHABLE does",
                       launchable->name ? launchable->name : "", NAME_MAX_LENGTH);
    if (!launchable->type || !launchable->parameters || !launchable->thread)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of kernel '%s' is NULL: LAUNCHABLE sets it",
                       !launchable->type         ? "type"
                       : !launchable->parameters ? "parameters"
                                                 : "thread",
                       launchable->name);
    const struct rd_numeric *numeric = rd_numeric_named(launchable->type);
    if (!numeric)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of kernel '%s' is no type of elements",
                       launchable->type, launchable->name);
    pthread_mutex_lock(&registering);
    const enum rd_status status = put(launchable, numeric->type, error);
    pthread_mutex_unlock(&registering);
    return status;
}

/* ---- points ---- */

#define POINT_NAME(name, NAME) [RD_POINT_##NAME] = #name,
static const char *const point_names[RD_POINT_COUNT] = {RD_POINTS(POINT_NAME)};
#undef POINT_NAME

const char *rd_point_name(enum rd_point point)
{
    return point_names[point];
}

bool rd_point_named(const char *name, enum rd_point *point)
{
    for (int p = 0; p < RD_POINT_COUNT; p++) {
        if (strcmp(point_names[p], name) == 0) {
            *point = (enum rd_point)p;
            return true;
        }
    }
    return false;
}
