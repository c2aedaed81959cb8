// SPDX-License-Identifier: MIT
#include "view/report/picture_parts.h"

#include <stdlib.h>
#include <string.h>

/* More accesses than this make no picture. */
enum { ACCESSES_MAX = 1 << 18 };

struct flowing {
    struct rd_flow *flow;
    const struct rd_access_list *list;
    const struct rd_frame *frame;
    const uint32_t *seen;                                      /* see rd_history_seen */
    uint32_t first_read[RD_FLOW_SOURCES_MAX][RD_FLOW_ROW_MAX]; /* of a source's cells: the access */
};

/* Tells whether the frame shows the array, and the cell, of the access. */
static bool is_of_frame(const struct flowing *flowing, const struct rd_access *access)
{
    const struct rd_access_array *array = &flowing->list->arrays[access->array];
    return rd_frame_shows(flowing->frame, array) && access->index < flowing->frame->n_cells &&
           (!array->shared || !flowing->frame->inside ||
            access->block == flowing->frame->place.block);
}

/* Takes down the values in the cells of a source, from the first read on, by any thread, and whether or not they went to
 * the frame's array. */
static void look_into(struct flowing *flowing, unsigned k, unsigned array)
{
    struct rd_flow_source *source = &flowing->flow->sources[k];
    for (uint32_t at = 0; at < flowing->list->count; at++) {
        const struct rd_access *access = &flowing->list->accesses[at];
        size_t i = access->index;
        if (access->array != array || i >= source->n ||
            (source->shared && access->block != source->block))
            continue;
        const bool leaves = rd_access_leaves(access->op);
        if (leaves && source->read[i]) {
            source->overwritten[i] = true;
            source->last[i] = access->value;
        } else if ((!leaves || access->op == RD_ACCESS_ATOMIC) && !source->read[i]) {
            source->read[i] = true;
            source->value[i] = access->value;
            flowing->first_read[k][i] = at;
        }
    }
}

/* Tells whether the register that a lane has handed over had changed since the checkpoint before. */
static bool is_handed_changed(const struct flowing *flowing, uint32_t handed)
{
    uint32_t held = handed == RD_NO_ACCESS ? handed : flowing->seen[handed];
    const struct rd_access *accesses = flowing->list->accesses;
    return held != RD_NO_ACCESS && accesses[held].value != accesses[handed].value;
}

/* Tells whether the cell of a source that is read here held no longer what its row shows. */
static bool is_changed_since(const struct flowing *flowing, unsigned source,
                             const struct rd_access *read)
{
    uint32_t write = flowing->seen[read - flowing->list->accesses];
    if (rd_access_is_of_lane(read->op))
        return read->op == RD_ACCESS_TAKE && is_handed_changed(flowing, write);
    return write != RD_NO_ACCESS &&
           (source == 0 || write > flowing->first_read[source - 1][read->index]);
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
        look_into(flowing, k, access->array);
    }
    return k + 1;
}

static void add_far(struct flowing *flowing, const struct rd_access *read,
                    const struct rd_access *write)
{
    flowing->flow->too_long++;
    if (write->index >= RD_FLOW_ROW_MAX)
        return;
    struct rd_flow_far *far = &flowing->flow->far[write->index];
    if (far->count++ == 0) {
        far->array = flowing->list->arrays[read->array].name;
        far->from = read->index;
    }
}

static void add_arrow(struct flowing *flowing, const struct rd_access *read,
                      const struct rd_access *write)
{
    struct rd_flow *flow = flowing->flow;
    bool own = is_of_frame(flowing, read);
    unsigned source = own ? 0 : source_of(flowing, read);
    if (!own && source == 0) {
        if (flowing->list->arrays[read->array].n_elems > RD_FLOW_ROW_MAX)
            add_far(flowing, read, write);
        else
            flow->no_row++;
        return;
    }
    if (flow->count == RD_FLOW_ARROWS_MAX) {
        flow->too_many++;
        return;
    }
    const struct rd_flow_arrow arrow = {
        .source = source,
        .from = read->index,
        .to = write->index,
        .block = write->block,
        .thread = write->thread,
        .line = write->line,
        .late = is_changed_since(flowing, source, read),
        .through = read->thread != write->thread && !rd_access_is_of_lane(read->op),
        .times = 1,
    };
    for (size_t k = flow->count; k > 0; k--) {
        struct rd_flow_arrow *other = &flow->arrows[k - 1];
        if (other->block != arrow.block || other->thread != arrow.thread)
            break;
        if (other->source == source && other->from == arrow.from && other->to == arrow.to) {
            other->times++;
            return;
        }
    }
    flow->arrows[flow->count++] = arrow;
}

/* An atomic operation reads the cell, too. */
static void add_move(struct flowing *flowing, const struct rd_access_move *move)
{
    const struct rd_access_list *list = flowing->list;
    const struct rd_access *write = &list->accesses[list->order[move->write]];
    if (!is_of_frame(flowing, write))
        return;
    flowing->flow->unseen += move->unsure;
    size_t first = move->n_far > 0 ? move->first_far : move->first;
    size_t count = move->n_far > 0 ? move->n_far : move->n_reads;
    for (size_t k = 0; k < count; k++)
        add_arrow(flowing, &list->accesses[list->sources[first + k]], write);
    if (write->op == RD_ACCESS_ATOMIC)
        add_arrow(flowing, write, write);
}

static int compare_ways(const void *left, const void *right)
{
    const struct rd_flow_arrow *x = *(struct rd_flow_arrow *const *)left;
    const struct rd_flow_arrow *y = *(struct rd_flow_arrow *const *)right;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x < y ? -1 : x > y; /* both are of one array */
}

/* Arrows of several threads that lie upon each other: the first has what all are. */
static enum rd_status count_ways(struct rd_flow *flow, struct rd_error *error)
{
    struct rd_flow_arrow **ways = calloc(flow->count + 1, sizeof *ways);
    if (!ways)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the arrows of a round");
    for (size_t k = 0; k < flow->count; k++)
        ways[k] = &flow->arrows[k];
    qsort(ways, flow->count, sizeof *ways, compare_ways);
    for (size_t k = 1, first = 0; k < flow->count; k++) {
        struct rd_flow_arrow *one = ways[first], *other = ways[k];
        if (one->source != other->source || one->from != other->from || one->to != other->to) {
            first = k;
            continue;
        }
        one->times += other->times;
        other->times = 0;
    }
    free(ways);
    return RD_OK;
}

enum rd_status rd_flow_init(struct rd_flow *flow, struct rd_history *history, size_t frame,
                            struct rd_error *error)
{
    struct rd_access_list list;
    struct rd_flow made = {.arrows = NULL};
    struct flowing flowing = {
        .flow = &made,
        .list = &list,
        .frame = rd_history_frame(history, frame),
    };
    enum rd_status status = rd_history_accesses(history, frame, &list, error);
    if (status == RD_OK && (list.truncated || list.count > ACCESSES_MAX)) {
        made.too_many = list.count;
        *flow = made;
        return RD_OK;
    }
    if (status == RD_OK)
        status = rd_history_seen(history, &flowing.seen, error);
    if (status != RD_OK)
        return status;
    made.arrows = calloc(RD_FLOW_ARROWS_MAX, sizeof *made.arrows);
    if (!made.arrows)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the arrows of a round");
    for (size_t k = 0; k < list.n_moves; k++)
        add_move(&flowing, &list.moves[k]);
    status = count_ways(&made, error);
    if (status == RD_OK)
        *flow = made;
    else
        free(made.arrows);
    return status;
}

void rd_flow_finish(struct rd_flow *flow)
{
    free(flow->arrows);
    flow->arrows = NULL;
}
