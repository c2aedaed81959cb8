// SPDX-License-Identifier: MIT
/* Weighs the accesses of a run: by the same rounds on random inputs. */
#include "history/accesses.h"
#include "base/random.h"
#include "reductio/operation.h"

#include <stdlib.h>
#include <string.h>

/* A run on inputs of our choice, next to the list of what came in the run on its own. */
struct weighing {
    const struct rd_access_list *list;
    struct rd_weight *weights;
    size_t next;  /* of the list: what is due */
    unsigned run; /* 0: the one that the others are compared with; 1: another a; 2: another b */
    bool differs;
    bool selects; /* the operation of the list's run */
};

/* Gives no weight to reads of the input by an operation that selects: they decide between indices, and are part of none.
 * The sums that weigh accesses have no such reads. */
static void pass_over_input(struct weighing *weighing)
{
    const struct rd_access_list *list = weighing->list;
    while (weighing->selects && weighing->next < list->count &&
           strcmp(list->arrays[list->accesses[weighing->next].array].name, "a") == 0)
        weighing->weights[weighing->next++] = (struct rd_weight){.of = {0, 0}};
}

/* Weighs the access of the list that is due, which has come with that value. */
static void weigh_access(struct weighing *weighing, bool same, uint64_t value)
{
    if (weighing->next == weighing->list->count || !same) {
        weighing->differs = true;
        return;
    }
    struct rd_weight *weight = &weighing->weights[weighing->next++];
    for (unsigned k = 0; k < 2; k++) {
        if (weighing->run == 0)
            weight->of[k] = value;
        else if (weighing->run == k + 1)
            weight->of[k] = value - weight->of[k];
    }
}

/* Tells whether it is the next access of the list. */
static bool is_next_access(const struct weighing *weighing, uint64_t block, unsigned thread,
                           enum rd_access_op op, size_t index)
{
    const struct rd_access *due = &weighing->list->accesses[weighing->next];
    return weighing->next < weighing->list->count && due->block == block && due->thread == thread &&
           due->op == op && due->index == index;
}

static void take_access(void *self, const struct rd_sim_access *access)
{
    struct weighing *weighing = self;
    const enum rd_access_op op = rd_access_op_of(access->op);
    pass_over_input(weighing);
    weigh_access(weighing,
                 is_next_access(weighing, access->block, access->thread, op, access->index),
                 access->value);
}

static void take_lane(void *self, const struct rd_sim_lane_event *event)
{
    struct weighing *weighing = self;
    const enum rd_access_op op = rd_access_op_of_lane(event->op);
    pass_over_input(weighing);
    weigh_access(
        weighing,
        is_next_access(weighing, event->block, event->thread, op, event->source % RD_WARP_LANES),
        event->absent ? 0 : event->value);
}

static void pass_checkpoint(void *self, int point, const struct rd_sim_array *array)
{
    (void)self, (void)point, (void)array;
}

/* Ones, or random numbers. */
static void fill_input(const struct rd_numeric *numeric, void *input, size_t count, bool random)
{
    for (size_t j = 0; j < count; j++)
        numeric->store(input, j, numeric->from_u64(random ? rd_random_at(0, j) : 1));
}

/* Types of the same size, or for floats of 16 bits of twice that, so that kernels do the same; and the sum, whichever
 * the operation is: from the same source it is made of the same accesses, and it alone tells what has come in by what
 * comes out. */
static const struct rd_numeric *integers_of(const struct rd_numeric *numeric)
{
    return rd_numeric(numeric->size_bytes == sizeof(uint64_t) ? RD_TYPE_U64 : RD_TYPE_U32);
}

/* Sums of integers without a second input need no first run: they are compared with the list. */
static enum rd_status run_all(struct weighing *weighing, struct rd_history *history,
                              const struct rd_listener *listener, void *a, void *b,
                              struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    struct rd_listener counting = *listener;
    const unsigned runs = about->n_b > 0 ? 3 : 2;
    const bool has_base = about->n_b == 0 && !about->numeric->is_float &&
                          about->numeric->operation == RD_OPERATION_SUM;
    enum rd_status status = RD_OK;
    counting.self = weighing;
    counting.take = take_access;
    counting.lane = take_lane;
    counting.checkpoint = pass_checkpoint;
    counting.step = NULL;
    counting.numeric = integers_of(about->numeric);
    counting.a = a;
    counting.b = about->n_b > 0 ? b : NULL;
    for (size_t k = 0; k < weighing->list->count && has_base; k++)
        weighing->weights[k].of[0] = weighing->list->accesses[k].value;
    for (unsigned run = has_base; run < runs && status == RD_OK && !weighing->differs; run++) {
        weighing->run = run;
        weighing->next = 0;
        fill_input(counting.numeric, a, about->n_a, run == 1);
        fill_input(counting.numeric, b, about->n_b, run == 2);
        status = rd_listen(history, &counting, error);
        pass_over_input(weighing);
        weighing->differs |= weighing->next < weighing->list->count;
    }
    for (size_t k = 0; k < weighing->list->count && runs == 2; k++)
        weighing->weights[k].of[1] = 0;
    return status;
}

enum rd_status rd_weights_init(struct rd_weights *weights, struct rd_history *history,
                               const struct rd_access_list *list,
                               const struct rd_listener *listener, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    size_t size = integers_of(about->numeric)->size_bytes;
    struct weighing weighing = {.list = list,
                                .selects = rd_operation_selects(about->numeric->operation),
                                .weights = malloc((list->count + 1) * sizeof *weighing.weights)};
    void *a = malloc((about->n_a + 1) * size), *b = malloc((about->n_b + 1) * size);
    enum rd_status status =
        weighing.weights && a && b
            ? run_all(&weighing, history, listener, a, b, error)
            : rd_fail(error, RD_ERROR_MEMORY, "no memory for the weights of accesses");
    free(a);
    free(b);
    *weights = (struct rd_weights){
        .why = "on other inputs the threads do something else",
        .mask = size == sizeof(uint64_t) ? ~0ull : UINT32_MAX,
    };
    if (status != RD_OK || weighing.differs)
        free(weighing.weights);
    else
        weights->of = weighing.weights;
    for (size_t k = 0; k < list->count && weights->of; k++)
        for (unsigned w = 0; w < 2; w++)
            weights->of[k].of[w] &= weights->mask;
    return status;
}

void rd_weights_finish(struct rd_weights *weights)
{
    free(weights->of);
    *weights = (struct rd_weights){.of = NULL};
}
