// SPDX-License-Identifier: MIT
/* cuFFT: which memory a call accesses, and its transforms, by plain code: in double precision, of all types. */
#include "base/array.h"
#include "device/sim/libraries/cufft_plan.h"
#include "device/sim/libraries/fourier.h"

#include <stdlib.h>

static bool is_double(cufftType type)
{
    return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}

static bool is_of_real(cufftType type)
{
    return type == CUFFT_R2C || type == CUFFT_D2Z;
}

static bool is_to_real(cufftType type)
{
    return type == CUFFT_C2R || type == CUFFT_Z2D;
}

/* ---- layouts ---- */

static long long half_of(const struct rd_cufft_plan *plan)
{
    return plan->n[2] / 2 + 1;
}

long long rd_cufft_in_row(const struct rd_cufft_plan *plan)
{
    return is_to_real(plan->type) ? half_of(plan) : plan->n[2];
}

long long rd_cufft_out_row(const struct rd_cufft_plan *plan)
{
    return is_of_real(plan->type) ? half_of(plan) : plan->n[2];
}

struct rd_cufft_layout rd_cufft_dense(const struct rd_cufft_plan *plan, long long row)
{
    return (struct rd_cufft_layout){
        {plan->n[0], plan->n[1], row}, 1, plan->n[0] * plan->n[1] * row};
}

void rd_cufft_lay_out(struct rd_cufft_work *work)
{
    struct rd_cufft_plan *plan = &work->plan;
    if (!plan->is_basic)
        return;
    const long long real = work->in == work->out ? 2 * half_of(plan) : plan->n[2];
    plan->in = rd_cufft_dense(plan, is_of_real(plan->type) ? real : rd_cufft_in_row(plan));
    plan->out = rd_cufft_dense(plan, is_to_real(plan->type) ? real : rd_cufft_out_row(plan));
}

static long long place(const struct rd_cufft_layout *layout, long long batch, const long long x[3])
{
    return batch * layout->dist +
           ((x[0] * layout->embed[1] + x[1]) * layout->embed[2] + x[2]) * layout->stride;
}

/* ---- operands ---- */

/* So many elements, one behind the other at this distance. */
struct loop {
    long long count, step;
};

/* Loops from the innermost on; two that are one in memory are put together. Tells how many there are. */
static int loops_of(const struct rd_cufft_plan *plan, const struct rd_cufft_layout *layout,
                    long long last, struct loop loops[4])
{
    const struct loop all[4] = {
        {last, layout->stride},
        {plan->n[1], layout->stride * layout->embed[2]},
        {plan->n[0], layout->stride * layout->embed[2] * layout->embed[1]},
        {plan->batch, layout->dist},
    };
    int n = 0;
    long long elements = 1, extent = 1;
    for (int k = 0; k < 4; k++) {
        elements *= all[k].count;
        extent += (all[k].count - 1) * all[k].step;
        if (all[k].count == 1)
            continue;
        if (n > 0 && all[k].step == loops[n - 1].count * loops[n - 1].step)
            loops[n - 1].count *= all[k].count;
        else
            loops[n++] = all[k];
    }
    if (elements == extent) { /* all between the first and the last, whatever the order */
        loops[0] = (struct loop){elements, 1};
        return 1;
    }
    return n;
}

struct list {
    struct rd_sim_operand *all;
    size_t n, capacity;
    bool fails;
};

static void add(struct list *list, const char *name, const void *at, size_t elem_bytes,
                unsigned use, const struct loop *loops, int n)
{
    const bool in_row = loops[0].step == 1;
    const struct loop one = {1, 0}, row = in_row ? loops[0] : one,
                      rows = in_row ? (n > 1 ? loops[1] : one) : loops[0];
    const int inner = in_row ? 2 : 1;
    long long outer[4] = {0, 0, 0, 0};
    for (bool goes_on = true; goes_on;) {
        long long offset = 0;
        for (int k = inner; k < n; k++)
            offset += outer[k] * loops[k].step;
        if (!rd_array_make_room(&list->all, list->n, &list->capacity, sizeof *list->all)) {
            list->fails = true;
            return;
        }
        list->all[list->n++] = (struct rd_sim_operand){
            .name = name,
            .address = (const char *)at + offset * (long long)elem_bytes,
            .row_bytes = (size_t)row.count * elem_bytes,
            .pitch_bytes = (size_t)rows.step * elem_bytes,
            .n_rows = (size_t)rows.count,
            .use = use,
        };
        goes_on = false;
        for (int k = inner; k < n && !goes_on; k++) {
            goes_on = ++outer[k] < loops[k].count;
            outer[k] = goes_on ? outer[k] : 0;
        }
    }
}

struct rd_sim_operand *rd_cufft_operands(const struct rd_cufft_work *work, size_t *n)
{
    const struct rd_cufft_plan *plan = &work->plan;
    const size_t real = is_double(plan->type) ? sizeof(double) : sizeof(float);
    struct list list = {0};
    struct loop loops[4] = {{1, 1}};
    int count = loops_of(plan, &plan->in, rd_cufft_in_row(plan), loops);
    add(&list, "the input", work->in, is_of_real(plan->type) ? real : 2 * real, RD_SIM_IS_READ,
        loops, count);
    loops[0] = (struct loop){1, 1};
    count = loops_of(plan, &plan->out, rd_cufft_out_row(plan), loops);
    add(&list, "the output", work->out, is_to_real(plan->type) ? real : 2 * real, RD_SIM_IS_WRITTEN,
        loops, count);
    *n = list.n;
    if (!list.fails)
        return list.all;
    free(list.all);
    return NULL;
}

/* ---- transforms ---- */

static struct rd_complex load(const struct rd_cufft_work *work, long long at)
{
    const bool real = is_of_real(work->plan.type);
    if (is_double(work->plan.type)) {
        const double *x = work->in;
        return real ? (struct rd_complex){x[at], 0} : (struct rd_complex){x[2 * at], x[2 * at + 1]};
    }
    const float *x = work->in;
    return real ? (struct rd_complex){(double)x[at], 0}
                : (struct rd_complex){(double)x[2 * at], (double)x[2 * at + 1]};
}

static void store(const struct rd_cufft_work *work, long long at, struct rd_complex value)
{
    const bool real = is_to_real(work->plan.type);
    if (is_double(work->plan.type)) {
        double *x = (double *)work->out + (real ? at : 2 * at);
        x[0] = value.re;
        if (!real)
            x[1] = value.im;
    } else {
        float *x = (float *)work->out + (real ? at : 2 * at);
        x[0] = (float)value.re;
        if (!real)
            x[1] = (float)value.im;
    }
}

/* Along one dimension of an array whose last has so many elements. Forward transforms of real numbers begin with the last
 * dimension, the other way round it is the last that is transformed. */
static bool along(const struct rd_cufft_plan *plan, int dimension, long long last, int sign,
                  struct rd_complex *all)
{
    const long long n = plan->n[dimension];
    const long long size[3] = {plan->n[0], plan->n[1], last};
    const long long inner = dimension == 2 ? 1 : dimension == 1 ? last : size[1] * last;
    const long long outer = size[0] * size[1] * last / inner / size[dimension];
    struct rd_fourier *fourier = n > 1 ? rd_fourier_create((size_t)n, sign) : NULL;
    struct rd_complex *line = calloc((size_t)n, sizeof *line);
    bool good = line && (fourier || n == 1);
    for (long long o = 0; good && n > 1 && o < outer; o++)
        for (long long i = 0; i < inner; i++) {
            struct rd_complex *first = all + o * inner * size[dimension] + i;
            for (long long k = 0; k < n; k++)
                line[k] = first[k * inner];
            rd_fourier_run(fourier, line);
            for (long long k = 0; k < n; k++)
                first[k * inner] = line[k];
        }
    rd_fourier_destroy(fourier);
    free(line);
    return good;
}

/* The other half of each row mirrors the first, and what has no mirror is real. */
static void mirror(const struct rd_cufft_plan *plan, struct rd_complex *all)
{
    const long long n = plan->n[2];
    for (long long row = 0; row < plan->n[0] * plan->n[1]; row++) {
        struct rd_complex *line = all + row * n;
        line[0].im = 0;
        if (n % 2 == 0)
            line[n / 2].im = 0;
        for (long long k = n / 2 + 1; k < n; k++)
            line[k] = (struct rd_complex){line[n - k].re, -line[n - k].im};
    }
}

static bool transform(const struct rd_cufft_work *work, struct rd_complex *all)
{
    const struct rd_cufft_plan *plan = &work->plan;
    const long long last = plan->n[2];
    if (!is_to_real(plan->type))
        return along(plan, 2, last, work->sign, all) && along(plan, 1, last, work->sign, all) &&
               along(plan, 0, last, work->sign, all);
    if (!along(plan, 0, last, work->sign, all) || !along(plan, 1, last, work->sign, all))
        return false;
    mirror(plan, all);
    return along(plan, 2, last, work->sign, all);
}

/* Calls it for each element of a batch as far as the last index goes. */
static void visit(const struct rd_cufft_work *work, long long batch,
                  const struct rd_cufft_layout *layout, long long last, struct rd_complex *all,
                  bool stores)
{
    const long long *n = work->plan.n;
    long long x[3];
    for (x[0] = 0; x[0] < n[0]; x[0]++)
        for (x[1] = 0; x[1] < n[1]; x[1]++)
            for (x[2] = 0; x[2] < last; x[2]++) {
                struct rd_complex *element = &all[(x[0] * n[1] + x[1]) * n[2] + x[2]];
                const long long at = place(layout, batch, x);
                if (stores)
                    store(work, at, *element);
                else
                    *element = load(work, at);
            }
}

void rd_cufft_run(const void *closure)
{
    const struct rd_cufft_work *work = closure;
    const struct rd_cufft_plan *plan = &work->plan;
    const size_t size = (size_t)(plan->n[0] * plan->n[1] * plan->n[2]);
    /* All is read before anything is written: the two may be one. */
    struct rd_complex *all = calloc(size * (size_t)plan->batch, sizeof *all);
    bool good = all;
    for (long long b = 0; good && b < plan->batch; b++)
        visit(work, b, &plan->in, rd_cufft_in_row(plan), all + (size_t)b * size, false);
    for (long long b = 0; good && b < plan->batch; b++)
        good = transform(work, all + (size_t)b * size);
    for (long long b = 0; good && b < plan->batch; b++)
        visit(work, b, &plan->out, rd_cufft_out_row(plan), all + (size_t)b * size, true);
    free(all);
    if (!good)
        rd_sim_runtime_lacks("a Fourier transform: no memory for it");
}
