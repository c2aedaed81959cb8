// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/engine/detector.h"
#include "device/sim/memory/memory.h"
#include "device/sim/report/report.h"

#include <sys/mman.h>

/* All parts, by their members of struct rd_sim. */
#define PARTS(X)                                                                                   \
    X(blocks)                                                                                      \
    X(epochs)                                                                                      \
    X(jobs)                                                                                        \
    X(meeting)                                                                                     \
    X(omission)                                                                                    \
    X(park)                                                                                        \
    X(policy)                                                                                      \
    X(returns)                                                                                     \
    X(scheduler)                                                                                   \
    X(stacks)                                                                                      \
    X(warps)                                                                                       \
    X(arrays)                                                                                      \
    X(heap)                                                                                        \
    X(layouts)                                                                                     \
    X(memory)                                                                                      \
    X(splits)                                                                                      \
    X(names)                                                                                       \
    X(paths)                                                                                       \
    X(sites)                                                                                       \
    X(source)                                                                                      \
    X(async)                                                                                       \
    X(budget)                                                                                      \
    X(causality)                                                                                   \
    X(cells)                                                                                       \
    X(checks)                                                                                      \
    X(clocks)                                                                                      \
    X(fingerprints)                                                                                \
    X(forgotten)                                                                                   \
    X(fresh_reads)                                                                                 \
    X(privates)                                                                                    \
    X(recording)                                                                                   \
    X(traits)                                                                                      \
    X(watching)                                                                                    \
    X(report)                                                                                      \
    X(told)                                                                                        \
    X(resume)
#define DECLARE(name) extern const struct rd_sim_part rd_sim_part_##name;
PARTS(DECLARE)
#define POINT(name) &rd_sim_part_##name,
static const struct rd_sim_part *const parts[] = {PARTS(POINT)};
enum { N_PARTS = sizeof parts / sizeof *parts };

/* The detectors, in the order in which they are told of events. */
#define DETECTORS(X)                                                                               \
    X(report)                                                                                      \
    X(watching)                                                                                    \
    X(checks)                                                                                      \
    X(cells)                                                                                       \
    X(causality)                                                                                   \
    X(async)                                                                                       \
    X(recorder)                                                                                    \
    X(privates)
#define DECLARE_DETECTOR(name) extern const struct rd_sim_detector rd_sim_detector_##name;
DETECTORS(DECLARE_DETECTOR)
#define POINT_DETECTOR(name) &rd_sim_detector_##name,
static const struct rd_sim_detector *const detectors[] = {DETECTORS(POINT_DETECTOR) NULL};

static void **state_of(struct rd_sim *sim, const struct rd_sim_part *part)
{
    return (void **)((char *)sim + part->at);
}

/* Each state begins a line of the cache. */
static size_t whole_lines(size_t size_bytes)
{
    enum { LINE = 64 };
    return (size_bytes + LINE - 1) / LINE * LINE;
}

static size_t states_size(void)
{
    size_t size_bytes = whole_lines(sizeof(struct rd_sim));
    for (size_t k = 0; k < N_PARTS; k++)
        size_bytes += whole_lines(parts[k]->size_bytes);
    return size_bytes;
}

/* The object and the states of its parts: megabytes, of which a run touches little. They are mapped, and not allocated,
 * so that nobody writes zeros to pages that stay unused. */
static struct rd_sim *make_states(void)
{
    char *memory =
        mmap(NULL, states_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    struct rd_sim *sim = (struct rd_sim *)memory;
    memory += whole_lines(sizeof *sim);
    for (size_t k = 0; k < N_PARTS; k++)
        if (parts[k]->size_bytes > 0) {
            *state_of(sim, parts[k]) = memory;
            memory += whole_lines(parts[k]->size_bytes);
        }
    return sim;
}

static void begin_parts(void)
{
    for (size_t k = 0; k < N_PARTS; k++)
        if (parts[k]->begin)
            parts[k]->begin();
}

static void free_states(struct rd_sim *sim)
{
    munmap(sim, states_size());
}

void rd_sim_destroy(struct rd_sim *sim)
{
    struct rd_sim *before = rd_sim_here;
    if (!sim)
        return;
    rd_sim_here = sim;
    for (size_t k = 0; k < N_PARTS; k++)
        if (parts[k]->finish)
            parts[k]->finish();
    free_states(sim);
    rd_sim_here = before == sim ? NULL : before;
}

struct rd_sim *rd_sim_create(struct rd_error *error)
{
    struct rd_sim *sim = make_states(), *before = rd_sim_here;
    if (!sim) {
        rd_fail(error, RD_ERROR_MEMORY, "no memory for the simulator");
        return NULL;
    }
    rd_sim_here = sim;
    sim->core.detectors = detectors;
    begin_parts();
    sim->core.on_event = rd_sim_report_event;
    if (rd_sim_memory_init(error) == RD_OK)
        return sim;
    rd_sim_destroy(sim);
    rd_sim_here = before;
    return NULL;
}
