// SPDX-License-Identifier: MIT
#include "view/report/flow.h"

#include <stdlib.h>
#include <string.h>

/* More accesses than this make no picture. */
enum { ACCESSES_MAX = 1 << 18 };

struct flowing {
    struct rd_flow *flow;
    const struct rd_access_list *list;
    const struct rd_frame *frame;
    const struct rd_access **ordered; /* by thread, each thread's in its order */
    const struct rd_access **written; /* of each cell of the frame's array the first write */
};

static bool is_own(const struct flowing *flowing, const struct rd_access *access)
{
    const struct rd_access_array *array = &flowing->list->arrays[access->array];
    return strcmp(array->name, flowing->frame->array) == 0 &&
           access->index < flowing->frame->n_cells &&
           (!array->shared || !flowing->frame->inside ||
            access->block == flowing->frame->place.block);
}

static int by_thread(const void *left, const void *right)
{
    const struct rd_access *x = *(const struct rd_access *const *)left;
    const struct rd_access *y = *(const struct rd_access *const *)right;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The number of the source that an access reads from, 1-based; 0 where it has no row. */
static unsigned source_of(struct flowing *flowing, const struct rd_access *access)
{
    const struct rd_access_array *array = &flowing->list->arrays[access->array];
    struct rd_flow *flow = flowing->flow;
    if (array->n_elems > RD_FLOW_ROW_MAX || access->index >= array->n_elems)
        return 0;
    unsigned k = 0;
    while (k < flow->n_sources && (strcmp(flow->sources[k].name, array->name) != 0 ||
                                   (array->shared && flow->sources[k].block != access->block)))
        k++;
    if (k == RD_FLOW_SOURCES_MAX)
        return 0;
    struct rd_flow_source *source = &flow->sources[k];
    if (k == flow->n_sources) {
        *source = (struct rd_flow_source){
            .name = array->name,
            .shared = array->shared,
            .block = access->block,
            .n = array->n_elems,
            .numeric = array->numeric,
        };
        flow->n_sources++;
    }
    source->read[access->index] = true;
    source->value[access->index] = access->value;
    return k + 1;
}

static void add_arrow(struct flowing *flowing, const struct rd_access *read,
                      const struct rd_access *write)
{
    struct rd_flow *flow = flowing->flow;
    bool own = is_own(flowing, read);
    unsigned source = own ? 0 : source_of(flowing, read);
    if ((!own && source == 0) || flow->count == RD_FLOW_ARROWS_MAX) {
        flow->left_out++;
        return;
    }
    const struct rd_flow_arrow arrow = {
        .source = source,
        .from = read->index,
        .to = write->index,
        .block = write->block,
        .thread = write->thread,
        .line = write->line,
        .late = own && flowing->written[read->index] && flowing->written[read->index] < read,
    };
    for (size_t k = flow->count; k > 0; k--) {
        const struct rd_flow_arrow *other = &flow->arrows[k - 1];
        if (other->block != arrow.block || other->thread != arrow.thread)
            break;
        if (other->source == source && other->from == arrow.from && other->to == arrow.to)
            return;
    }
    flow->arrows[flow->count++] = arrow;
}

/* A write takes what its thread has read since its write before. An atomic operation reads the cell,
 * too. */
static void walk(struct flowing *flowing, size_t count)
{
    size_t first = 0; /* of the reads that the next write takes */
    for (size_t k = 0; k < count; k++) {
        const struct rd_access *access = flowing->ordered[k];
        if (k > 0 && (access->block != flowing->ordered[k - 1]->block ||
                      access->thread != flowing->ordered[k - 1]->thread))
            first = k;
        if (access->op == RD_ACCESS_READ)
            continue;
        if (is_own(flowing, access)) {
            for (size_t read = first; read < k; read++)
                add_arrow(flowing, flowing->ordered[read], access);
            if (access->op == RD_ACCESS_ATOMIC)
                add_arrow(flowing, access, access);
        }
        first = k + 1;
    }
}

enum rd_status rd_flow_init(struct rd_flow *flow, struct rd_history *history, size_t frame,
                            struct rd_error *error)
{
    struct rd_access_list list;
    enum rd_status status = rd_history_accesses(history, frame, &list, error);
    if (status != RD_OK)
        return status;
    struct rd_flow made = {.arrows = NULL};
    struct flowing flowing = {
        .flow = &made,
        .list = &list,
        .frame = rd_history_frame(history, frame),
    };
    if (list.truncated || list.count > ACCESSES_MAX) {
        made.left_out = list.count;
        *flow = made;
        return RD_OK;
    }
    made.arrows = calloc(RD_FLOW_ARROWS_MAX, sizeof *made.arrows);
    flowing.ordered = calloc(list.count + 1, sizeof(void *));
    flowing.written = calloc(flowing.frame->n_cells + 1, sizeof(void *));
    if (!made.arrows || !flowing.ordered || !flowing.written) {
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the arrows of a round");
        goto done;
    }
    for (size_t k = 0; k < list.count; k++) {
        const struct rd_access *access = flowing.ordered[k] = &list.accesses[k];
        if (access->op != RD_ACCESS_READ && is_own(&flowing, access) &&
            !flowing.written[access->index])
            flowing.written[access->index] = access;
    }
    qsort(flowing.ordered, list.count, sizeof(void *), by_thread);
    walk(&flowing, list.count);
    *flow = made;
    made.arrows = NULL;
done:
    free(made.arrows);
    free(flowing.ordered);
    free(flowing.written);
    return status;
}

void rd_flow_finish(struct rd_flow *flow)
{
    free(flow->arrows);
    flow->arrows = NULL;
}
