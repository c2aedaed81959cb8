// SPDX-License-Identifier: MIT
/* The process of a user's program. */
#include "check/report/findings.h"
#include "check/program/program.h"
#include "check/program/laws.h"
#include "check/program/recording.h"
#include "check/source/rewrite.h"
#include "check/source/kernel_names.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    const struct rd_check_program_run *run;
    struct rd_device *device;
    pid_t process;     /* this one, rather than one that it has made */
    bool returned;     /* from main */
    bool over;         /* its end has been written */
    uint64_t n;        /* launches so far */
    char refused[512]; /* the first path that the sandbox has refused to be written; "": none */
    json_t *known; /* findings that have been written, with how often they were seen since then */
    bool is_copy;  /* in which a launch runs under another schedule */
    json_t *elsewhere;            /* findings under other schedules of the launch that runs */
    json_t *differences, *launch; /* those that have been written; and the last launch */
    struct rd_file_tried tried;
    bool has_launched_inside; /* a kernel has launched a grid */
} child;                      /* for signal handlers, too */

/* ---- what happens ---- */

/* A process that the program has made shares this: what it has done, of which nothing is written. */
static volatile struct {
    bool launches, laws;
} * elsewhere;

static void write_event(json_t *event)
{
    if (child.process == getpid())
        rd_recording_write(child.run->recording, event, NULL, 0);
    else
        json_decref(event);
}

static json_t *index_json(struct rd_index3 index)
{
    return json_pack("[I, I, I]", (json_int_t)index.x, (json_int_t)index.y, (json_int_t)index.z);
}

static json_t *text_json(const char *text)
{
    return rd_check_text(text, strlen(text));
}

static void on_launch(void *self, const struct rd_file_launched *launched)
{
    json_int_t threads = (json_int_t)launched->grid.x * launched->grid.y * launched->grid.z *
                         launched->block.x * launched->block.y * launched->block.z;
    if (child.process != getpid() && elsewhere)
        elsewhere->launches = true;
    (void)self;
    child.n = launched->number;
    char *kernel = strdup(launched->kernel);
    if (kernel)
        rd_check_names_restore(kernel);
    json_decref(child.launch);
    child.launch =
        json_pack("{s:s, s:I, s:o, s:o, s:I, s:o, s:o, s:I, s:I, s:I}", "event", "launch", "number",
                  (json_int_t)launched->number, "kernel",
                  text_json(kernel ? kernel : launched->kernel), "file", text_json(launched->file),
                  "line", (json_int_t)launched->line, "grid", index_json(launched->grid), "block",
                  index_json(launched->block), "shared_bytes", (json_int_t)launched->shared_bytes,
                  "stream", (json_int_t)launched->stream, "threads", threads);
    write_event(json_incref(child.launch));
    free(kernel);
}

static json_t *finding_json(const char *kernel, const struct rd_finding *finding)
{
    json_t *object = rd_check_finding_json(finding);
    json_object_set_new(object, "event", json_string("finding"));
    if (kernel) {
        json_object_set_new(object, "kernel", text_json(kernel));
        json_object_set_new(object, "launch", json_integer((json_int_t)child.n));
    }
    return object;
}

/* A finding is written when it is first seen; how often it has been seen since then, at the end. */
static void on_finding(void *self, const char *kernel, const struct rd_finding *finding)
{
    size_t k;
    json_t *known, *object = finding_json(kernel, finding);
    (void)self;
    json_array_foreach(child.known, k, known)
    {
        if (rd_check_same_hazard(known, object) && child.is_copy) {
            json_decref(object);
            return;
        }
        if (rd_check_same_hazard(known, object)) {
            json_int_t count = json_integer_value(json_object_get(known, "count")) +
                               json_integer_value(json_object_get(object, "count"));
            json_object_set_new(known, "count", json_integer(count));
            json_object_del(known, "schedules"); /* the program's own schedule shows it, too */
            json_decref(object);
            return;
        }
    }
    json_t *later = json_deep_copy(object);
    json_object_set_new(later, "count", json_integer(0));
    json_array_append_new(child.known, later);
    write_event(object);
}

static void on_lack(void *self, const char *text)
{
    (void)self;
    write_event(json_pack("{s:s, s:o}", "event", "lack", "text", text_json(text)));
}

/* A grid that a kernel has launched came to its end. */
static void on_grid_ended(void *self, const char *kernel, uint64_t threads)
{
    (void)self, (void)kernel, (void)threads;
    if (!child.has_launched_inside)
        on_lack(NULL, "races between grids that launch each other");
    child.has_launched_inside = true;
}

/* ---- launches under other schedules ---- */

/* What is written by this process, a copy of the program's, goes to the file. */
static void on_copy(void *self, FILE *told)
{
    static struct rd_check_program_run run;
    (void)self;
    run = *child.run;
    run.recording = told;
    child.run = &run;
    child.is_copy = true;
    child.process = getpid();
}

static json_t *find_elsewhere(const json_t *finding)
{
    size_t k;
    json_t *known;
    json_array_foreach(child.elsewhere, k, known)
    {
        if (rd_check_same_hazard(known, finding))
            return known;
    }
    return NULL;
}

/* Takes a finding that the program's own schedule has not shown. */
static void take_elsewhere(json_t *finding, const char *schedule)
{
    json_t *known = find_elsewhere(finding);
    if (!known) {
        known = json_deep_copy(finding);
        json_object_set_new(known, "schedules", json_array());
        json_array_append_new(child.elsewhere, known);
    }
    json_array_append_new(json_object_get(known, "schedules"), json_string(schedule));
}

static void on_copy_over(void *self, const char *schedule, FILE *told)
{
    struct rd_recording_event event;
    struct rd_error error;
    char text[700];
    (void)self;
    rewind(told);
    while (rd_recording_read(told, &event, &error) == RD_OK && event.object) {
        if (strcmp(event.name, "finding") == 0 && rd_recording_is_sound(&event)) {
            take_elsewhere(event.object, schedule);
        } else if (strcmp(event.name, "lack") == 0) {
            snprintf(text, sizeof text, "under schedule %s: %s", schedule,
                     rd_check_text_of(event.object, "text"));
            on_lack(NULL, text);
        }
        rd_recording_event_finish(&event);
    }
}

/* Of each kernel and array one difference of each kind is told. */
static void on_difference(void *self, const struct rd_file_difference *difference)
{
    static const char *const kinds[RD_FILE_DIFFERENCES] = {[RD_FILE_DIFFERS] = "values",
                                                           [RD_FILE_REORDERED] = "order",
                                                           [RD_FILE_ROUNDED] = "rounding",
                                                           [RD_FILE_PRINTED] = "prints"};
    size_t k;
    json_t *known;
    (void)self;
    json_array_foreach(child.differences, k, known)
    {
        if (strcmp(rd_check_text_of(known, "array"), difference->array) == 0 &&
            strcmp(rd_check_text_of(known, "kernel"), rd_check_text_of(child.launch, "kernel")) ==
                0 &&
            strcmp(rd_check_text_of(known, "kind"), kinds[difference->kind]) == 0)
            return;
    }
    json_t *made = json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I}", "event", "difference",
        "kind", kinds[difference->kind], "array", text_json(difference->array), "cell",
        text_json(difference->cell), "type", difference->type, "schedule", difference->schedule,
        "value", difference->value, "other_schedule", difference->other_schedule, "other_value",
        difference->other_value, "index", (json_int_t)difference->index, "count",
        (json_int_t)difference->count, "n_elems", (json_int_t)difference->n_elems);
    json_object_set(made, "kernel", json_object_get(child.launch, "kernel"));
    json_object_set(made, "file", json_object_get(child.launch, "file"));
    json_object_set(made, "line", json_object_get(child.launch, "line"));
    json_object_set(made, "launch", json_object_get(child.launch, "number"));
    json_array_append(child.differences, made);
    write_event(made);
}

static void on_tried(void *self, const struct rd_file_tried *tried)
{
    size_t k;
    json_t *finding;
    (void)self;
    child.tried = *tried;
    json_array_foreach(child.elsewhere, k, finding)
    {
        json_t *later = json_deep_copy(finding);
        json_object_set_new(later, "count", json_integer(0));
        json_array_append_new(child.known, later);
        write_event(json_incref(finding));
    }
    json_array_clear(child.elsewhere);
}

/* ---- more of what happens ---- */

static void on_refused_write(void *self, const char *path)
{
    (void)self;
    if (!child.refused[0])
        snprintf(child.refused, sizeof child.refused, "%s", path);
}

static enum rd_status compile(void *self, struct rd_file_compile *compile, struct rd_error *error)
{
    (void)self;
    return rd_check_program_module(child.run, compile, error);
}

static const void *input(void *self, unsigned site, size_t *size_bytes, const void **own)
{
    const struct rd_check_program_run *run = child.run;
    (void)self;
    for (unsigned k = 0; k < run->n_given; k++)
        if (run->given[k].site == site) {
            *size_bytes = run->given[k].size_bytes;
            *own = run->given[k].own;
            return run->given[k].values;
        }
    return NULL;
}

/* Tells of threads that have not met at the annotation. */
static void tell_unmet(const struct rd_file_law *law)
{
    const struct rd_annotations *file = NULL;
    const struct rd_annotation *of =
        rd_played_annotation(&child.run->laws->played, law->site, &file);
    struct rd_finding finding = *law->finding;
    struct rd_finding_place *at = finding.places, *written = at + 1;
    char message[1500], behind[600] = "";
    if (!of)
        return;
    at->file = file->file;
    at->line = of->line;
    at->column = of->column;
    if (finding.n_places > 1)
        snprintf(behind, sizeof behind, "; it was written at %.400s:%u:%u", written->file,
                 written->line, written->column);
    snprintf(message, sizeof message, "%s at %.400s:%u:%u%s. %s", finding.message, at->file,
             at->line, at->column, behind, finding.lesson);
    finding.message = message;
    finding.array = of->array.expression ? of->array.expression : "";
    on_finding(NULL, law->kernel, &finding);
}

static void set_pairs(json_t *event, const char *name, const size_t *pairs, size_t n)
{
    json_t *list = n > 0 ? json_array() : NULL;
    for (size_t k = 0; k < 2 * n; k++)
        json_array_append_new(list, json_integer((json_int_t)pairs[k]));
    if (list)
        json_object_set_new(event, name, list);
}

/* An annotation is to be asserted: the array is the payload. */
static void on_law(void *self, const struct rd_file_law *law)
{
    (void)self;
    if (child.process != getpid()) {
        if (elsewhere)
            elsewhere->laws = true;
        return;
    }
    sigset_t before;
    rd_recording_hold(&before);
    json_t *event =
        json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "event", "law", "seal", child.run->seal, "site",
                  (json_int_t)law->site, "instance", (json_int_t)law->instance, "evaluation",
                  (json_int_t)law->evaluation, "launches", (json_int_t)law->launches);
    if (law->in_kernel)
        json_object_set_new(event, "block", json_integer((json_int_t)law->block));
    if (law->is_register)
        json_object_set_new(event, "warp", json_integer(law->warp));
    if (law->differing > 0)
        json_object_set_new(event, "differing", json_integer((json_int_t)law->differing));
    const struct rd_recording_part part = {law->cells, law->size_bytes};
    const bool has_array = !law->lack && law->cells;
    json_t *names = json_array();
    for (size_t k = 0; k < law->n_values && !law->lack; k++)
        json_array_append_new(names, json_integer(law->values[k]));
    json_object_set_new(event, law->lack ? "lack" : "names",
                        law->lack ? text_json(law->lack) : json_incref(names));
    json_decref(names);
    if (has_array)
        json_object_set_new(event, "array",
                            json_pack("{s:s, s:I, s:I}", "type", law->type, "count",
                                      (json_int_t)law->n_elems, "size_bytes",
                                      (json_int_t)law->size_bytes));
    set_pairs(event, "unwritten", law->unwritten, law->n_unwritten);
    set_pairs(event, "of_others", law->of_others, law->n_of_others);
    if (law->pending)
        json_object_set_new(event, "pending", text_json(law->pending));
    if (rd_recording_write(child.run->recording, event, &part, has_array) != RD_OK)
        on_lack(NULL, "the state of an array was not recorded: there is no room");
    rd_recording_release(&before);
    if (law->finding)
        tell_unmet(law);
}

static enum rd_status check_grid(void *self, struct rd_index3 grid, struct rd_index3 block,
                                 size_t shared_bytes, struct rd_error *error)
{
    const struct rd_check_options options = {
        .grid = grid, .block = block, .shared_bytes = shared_bytes};
    (void)self;
    return rd_check_limits(&options, error);
}

/* ---- the end ---- */

static void write_end(const char *how, int status)
{
    size_t k;
    json_t *known;
    sigset_t before;
    if (child.over || child.process != getpid())
        return;
    rd_recording_hold(&before); /* for good: the process ends behind this */
    child.over = true;
    if (elsewhere && elsewhere->launches)
        write_event(json_pack("{s:s, s:s}", "event", "lack", "text",
                              "kernels that a process of the program's own making has launched"));
    if (elsewhere && elsewhere->laws)
        write_event(json_pack("{s:s, s:s}", "event", "lack", "text",
                              "annotations that a process of the program's own making came to"));
    json_array_foreach(child.known, k, known)
    {
        if (json_integer_value(json_object_get(known, "count")) > 0)
            write_event(json_incref(known));
    }
    const struct rd_file_state state = child.device->ops->files->state(child.device);
    const char *unvaried = rd_check_unvaried(&state);
    const struct rd_file_tried *tried = &child.tried;
    if (tried->launches > 0)
        write_event(json_pack("{s:s, s:s, s:I, s:I, s:i, s:i, s:s}", "event", "tried", "seal",
                              child.run->seal, "launches", (json_int_t)tried->launches, "less",
                              (json_int_t)tried->less, "fewest", (int)tried->fewest, "schedules",
                              (int)tried->most, "why", tried->why));
    write_event(json_pack(
        "{s:s, s:s, s:i, s:s, s:I, s:o, s:o}", "event", "end", "how", how, "status", status, "seal",
        child.run->seal, "events", (json_int_t)rd_recording_written(), "refused_write",
        text_json(child.refused), "unvaried", unvaried ? text_json(unvaried) : json_null()));
}

static void on_stopped(void *self, enum rd_file_ending ending, const char *error,
                       const struct rd_finding *last)
{
    (void)self;
    if (child.process != getpid())
        _exit(1);
    child.device->ops->files->report_findings(child.device);
    if (last)
        on_finding(NULL, NULL, last);
    if (error)
        on_lack(NULL, error);
    fflush(stdout);
    write_end(ending == RD_FILE_TIMEOUT ? "timeout"
              : ending == RD_FILE_CRASH ? "signal"
                                        : "failed",
              0);
    _exit(1);
}

/* Called when the program returns from main or calls exit(), behind all that it has asked to be called then. */
static void on_exit_of(int status, void *self)
{
    (void)self;
    if (child.process != getpid() || child.over)
        return;
    fflush(NULL);
    child.device->ops->files->finish(child.device);
    write_end(child.returned ? "returned" : "exit", status);
    _exit(status); /* what is yet to be called is not the program's */
}

static _Noreturn void fail(const struct rd_error *error)
{
    on_lack(NULL, error->text);
    write_end("failed", 0);
    _exit(1);
}

/* ---- running it ---- */

char **rd_check_program_arguments(const struct rd_check_program_run *run, int *argc)
{
    const struct rd_check_program_options *options = run->options;
    int n = 0;
    while (options->arguments && options->arguments[n])
        n++;
    char **argv = calloc((size_t)n + 2, sizeof *argv);
    char *name = strdup(run->main_file ? run->main_file : options->files[0]);
    char *dot = name ? strrchr(name, '.') : NULL;
    if (dot && dot > name && !strchr(dot, '/'))
        *dot = '\0';
    if (!argv || !name)
        return NULL;
    argv[0] = name;
    for (int k = 0; k < n; k++)
        argv[k + 1] = options->arguments[k];
    *argc = n + 1;
    return argv;
}

/* ---- programs that are linked with MPI ---- */

static int is_of_mpi(struct dl_phdr_info *info, size_t size, void *self)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    (void)size;
    (void)self;
    return slash && strncmp(slash + 1, "libmpi.so", 9) == 0;
}

/* Has MPI take it for a process that is alone, where the program was linked with it, unless the user has set that: Open MPI starts a daemon
 * beside one that mpirun has not started, which a contained one can't. */
static void isolate_mpi(const struct rd_sandbox_options *sandbox)
{
    /* It is alone, and has neither sockets nor network interfaces. */
    static const char *const parameters[][2] = {
        {"OMPI_MCA_ess_singleton_isolated", "1"},
        {"OMPI_MCA_btl", "self"},
        {"OMPI_MCA_if", "^posix_ipv4,linux_ipv6"},
    };
    if (sandbox->off || getenv("OMPI_COMM_WORLD_SIZE") || dl_iterate_phdr(is_of_mpi, NULL) == 0)
        return;
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++)
        setenv(parameters[k][0], parameters[k][1], 0);
}

_Noreturn void rd_check_program_child(const struct rd_check_program_run *run)
{
    static struct rd_file_program program;
    static struct rd_file_source source;
    const struct rd_check_program_options *options = run->options;
    struct rd_error error = {""};
    const struct rd_file *file;
    int argc = 0;
    child.run = run;
    child.process = getpid();
    void *shared =
        mmap(NULL, sizeof *elsewhere, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    elsewhere = shared == MAP_FAILED ? NULL : shared;
    child.known = json_array();
    child.elsewhere = json_array();
    child.differences = json_array();
    char **argv = rd_check_program_arguments(run, &argc);
    if (!argv || !child.known || !child.elsewhere || !child.differences) {
        rd_fail(&error, RD_ERROR_MEMORY, "no memory for the program's arguments");
        fail(&error);
    }
    if (run->device->open(&child.device, &error) != RD_OK)
        fail(&error);
    static struct rd_file_module modules[RD_CHECK_FILES_MAX];
    for (size_t k = 0; run->modules && k < run->modules->n; k++) {
        const struct rd_check_module *module = &run->modules->all[k];
        modules[k] = (struct rd_file_module){module->file, module->library, module->image};
    }
    program = (struct rd_file_program){
        .how =
            {
                .schedule = run->one_order
                                ? run->schedule
                                : (struct rd_schedule){RD_ORDER_ASCENDING, options->common.seed},
                .steps_max = options->common.steps,
                .jobs = options->common.jobs,
                .timeout_s = options->common.timeout_s,
                .on_finding = on_finding,
                .on_grid_ended = on_grid_ended,
                .check_grid = check_grid,
                .on_stopped = on_stopped,
            },
        .n_devices = options->n_devices,
        .on_launch = on_launch,
        .on_lack = on_lack,
        .on_law = on_law,
        .on_refused_write = on_refused_write,
        .has_laws_in_kernels = run->has_laws_in_kernels,
        .n_schedules = run->one_order         ? 1
                       : options->n_schedules ? options->n_schedules
                                              : RD_SCHEDULES_TRIED,
        .takes_any_time = options->n_schedules > 0,
        .on_copy = on_copy,
        .on_copy_over = on_copy_over,
        .on_difference = on_difference,
        .on_tried = on_tried,
        .modules = modules,
        .n_modules = run->modules ? run->modules->n : 0,
        .compile = compile,
        .input = run->n_given > 0 ? input : NULL,
    };
    source = (struct rd_file_source){
        .library = run->library,
        .file = run->main_file,
        .directory = run->directory,
        .is_program = true,
        .restore = rd_check_names_restore,
        .demangle = rd_check_demangle,
    };
    if (on_exit(on_exit_of, NULL) != 0) {
        rd_fail(&error, RD_ERROR_MEMORY, "no memory for the end of a program");
        fail(&error);
    }
    if (run->device->files->load(child.device, &source, &file, &error) != RD_OK)
        fail(&error);
    rd_check_program_threads(child.device);
    isolate_mpi(&options->common.sandbox);
    int status = run->device->files->run(child.device, &program, argc, argv);
    child.returned = true;
    exit(status);
}
