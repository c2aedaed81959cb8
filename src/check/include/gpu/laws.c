// SPDX-License-Identifier: MIT
/* Records of annotations, as in src/device/sim/runtime/law.c. */
#include "recorder.h"
#include "reductio_law.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 64, DEPTH_MAX = 32 };

/* An annotation that is being told of. A name may be a call of a function with annotations of its own. */
struct telling {
    unsigned site;
    unsigned long long instance, evaluation;
    long long values[NAMES_MAX];
    unsigned n_values;
    const char *type; /* of the array; NULL: there is none */
    const void *cells;
    size_t n_elems, size_bytes;
    const char *lack;
};

/* Memory whose size the program has told, as an input's. */
struct sized {
    const void *cells;
    size_t size_bytes;
};

static __thread struct {
    struct telling told[DEPTH_MAX];
    unsigned depth;
} own;
static unsigned long long instances;
static __thread struct {
    struct sized *all;
    size_t n, capacity;
} sized;

static struct telling *telling(void)
{
    return own.depth > 0 && own.depth <= DEPTH_MAX ? &own.told[own.depth - 1] : NULL;
}

unsigned long long rd_sim_law_enter(unsigned site)
{
    (void)site;
    return __atomic_add_fetch(&instances, 1, __ATOMIC_RELAXED);
}

void rd_sim_law_begin(unsigned site, unsigned long long instance, unsigned long long evaluation)
{
    own.depth++;
    struct telling *it = telling();
    if (it)
        *it = (struct telling){.site = site, .instance = instance, .evaluation = evaluation};
    else
        rd_gpu_lack("annotations within annotations are too many");
}

void rd_sim_law_lack(const char *text)
{
    struct telling *it = telling();
    if (it && !it->lack)
        it->lack = text;
}

void rd_sim_law_name(long long value)
{
    struct telling *it = telling();
    if (it && it->n_values < NAMES_MAX)
        it->values[it->n_values++] = value;
    else
        rd_sim_law_lack("the law takes too many names from the program");
}

/* The bytes from there to the end of what it lies in; 0: that is not known. */
static size_t bytes_from(const void *cells)
{
    const struct rd_gpu_memory *memory = rd_gpu_memory_at(cells);
    if (memory && memory->freed) {
        rd_sim_law_lack("the array's memory has been freed");
        return 0;
    }
    if (memory)
        return memory->size_bytes - (size_t)((const char *)cells - memory->base);
    for (size_t k = sized.n; k-- > 0;)
        if (sized.all[k].cells == cells)
            return sized.all[k].size_bytes;
    return 0;
}

static void remember(const void *cells, size_t size_bytes)
{
    size_t k = 0;
    while (k < sized.n && sized.all[k].cells != cells)
        k++;
    if (k == sized.capacity) {
        const size_t capacity = sized.capacity ? 2 * sized.capacity : 16;
        struct sized *all = realloc(sized.all, capacity * sizeof *all);
        if (!all)
            return;
        sized.all = all;
        sized.capacity = capacity;
    }
    sized.n += k == sized.n;
    sized.all[k] = (struct sized){cells, size_bytes};
}

/* Device code, which alone has lanes, is asserted by the simulator. */
void rd_sim_law_lane(const char *type, const void *value, size_t elem_bytes)
{
    (void)type, (void)value, (void)elem_bytes;
    rd_sim_law_lack("a law by lane is of a kernel's variable, and here the host has called");
}

void rd_sim_law_array(const char *type, const void *cells, size_t elem_bytes, size_t count)
{
    struct telling *it = telling();
    if (!it || it->lack)
        return;
    const size_t known = cells ? bytes_from(cells) : 0;
    if (!cells)
        rd_sim_law_lack("the array is a null pointer");
    else if (count == 0 && known < elem_bytes)
        rd_sim_law_lack(
            "the size of the array is not known: it lies in no memory of CUDA's, and no "
            "'input' says its size");
    else if (count > 0 && rd_gpu_memory_at(cells) && known / elem_bytes < count)
        rd_sim_law_lack("the input is said to have more elements than its memory has");
    if (it->lack)
        return;
    it->n_elems = count ? count : known / elem_bytes;
    it->size_bytes = it->n_elems * elem_bytes;
    it->type = type;
    it->cells = cells;
    if (count > 1 && !rd_gpu_memory_at(cells))
        remember(cells, it->size_bytes);
}

/* Other values are tried in the simulator only. */
void rd_sim_law_input(const void *cells, size_t size_bytes)
{
    (void)cells, (void)size_bytes;
}

/* ---- writing ---- */

static void put_array(struct rd_gpu_text *text, const struct telling *it)
{
    fprintf(text->file, ",\"array\":{\"type\":\"%s\"", it->type);
    rd_gpu_put_number(text, "count", (long long)it->n_elems);
    rd_gpu_put_number(text, "size_bytes", (long long)it->size_bytes);
    fputc('}', text->file);
}

static void write_law(const struct telling *it, const void *copy)
{
    struct rd_gpu_text text;
    if (!rd_gpu_begin(&text, "law"))
        return;
    rd_gpu_put_text(&text, "seal", rd_gpu_seal());
    rd_gpu_put_number(&text, "site", it->site);
    rd_gpu_put_number(&text, "instance", (long long)it->instance);
    rd_gpu_put_number(&text, "evaluation", (long long)it->evaluation);
    rd_gpu_put_number(&text, "launches", (long long)rd_gpu_launches());
    if (it->lack) {
        rd_gpu_put_text(&text, "lack", it->lack);
    } else {
        fputs(",\"names\":[", text.file);
        for (unsigned k = 0; k < it->n_values; k++)
            fprintf(text.file, "%s%lld", k ? "," : "", it->values[k]);
        fputc(']', text.file);
        if (copy)
            put_array(&text, it);
    }
    rd_gpu_write(&text, copy, copy ? it->size_bytes : 0);
}

void rd_sim_law_end(void)
{
    struct telling *it = telling();
    void *copy = NULL;
    if (it && it->cells && !it->lack) {
        copy = malloc(it->size_bytes + 1);
        it->lack = copy ? rd_gpu_memory_read(copy, it->cells, it->size_bytes)
                        : "there is no memory for a copy of the array";
    }
    if (it)
        write_law(it, it->lack ? NULL : copy);
    free(copy);
    own.depth -= own.depth > 0;
}
