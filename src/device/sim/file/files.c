// SPDX-License-Identifier: MIT
#include "device/sim/runtime/schedules.h"
#include "device/sim/detect/private.h"
#include "device/sim/file/file.h"
#include "device/sim/memory/memory.h"
#include "device/sim/object.h"
#include "device/sim/report/report.h"
#include "device/sim/runtime/moments.h"
#include "device/sim/runtime/runtime_internal.h"
#include "device/sim/source/members.h"

#include <string.h>

/* Slack behind a buffer, which a kernel may overrun without harm: a block of the largest elements. */
enum { SLACK_BYTES = 8192 };

/* The calling thread's simulator is this device from now on. */
static void enter(const struct rd_device *device)
{
    rd_sim_here = device->self;
}

static enum rd_status file_alloc(struct rd_device *device, const struct rd_file_buffer *buffer,
                                 void **memory)
{
    enter(device);
    void *made = buffer->is_host ? rd_sim_memory_host(buffer->size_bytes)
                                 : rd_sim_memory_alloc(buffer->size_bytes, SLACK_BYTES);
    if (!made)
        return RD_ERROR_MEMORY;
    if (!buffer->is_host && buffer->is_unset)
        memset(made, RD_SIM_POISON, buffer->size_bytes);
    buffer->fill(buffer->self, made);
    if (!buffer->is_host && !buffer->is_unset)
        rd_sim_memory_written(made, buffer->size_bytes);
    rd_sim_memory_name(made, buffer->name, buffer->type, buffer->elem_bytes);
    if (buffer->is_freed)
        rd_sim_memory_free(made);
    *memory = made;
    return RD_OK;
}

static void file_name_address(struct rd_device *device, const void *address, const char *name)
{
    enter(device);
    rd_sim_memory_given((uintptr_t)address, name, false);
}

static void file_name_memory(struct rd_device *device, const void *memory, unsigned number)
{
    enter(device);
    uintptr_t kernel = rd_sim_file_kernel_of(&number);
    rd_sim_array_of_structs((uintptr_t)memory, rd_sim_layout_of_parameter(kernel, number));
}

static void file_mark_uninitialised(struct rd_device *device, uintptr_t address, size_t size_bytes,
                                    const char *set_at)
{
    enter(device);
    rd_sim_module_forget(address, size_bytes, set_at);
}

static void file_mark_initialised(struct rd_device *device, uintptr_t address, size_t size_bytes)
{
    enter(device);
    rd_sim_module_give(address, size_bytes);
}

static enum rd_status file_load(struct rd_device *device, const struct rd_file_source *source,
                                const struct rd_file **file, struct rd_error *error)
{
    enter(device);
    rd_sim_source_set_names(source->file, source->directory);
    if (source->is_private && !rd_sim_private_begin())
        return rd_fail(error, RD_ERROR_MEMORY, "there is no place for their shadow");
    enum rd_status status = rd_sim_file_load(source, error);
    if (status == RD_OK)
        *file = &rd_sim_file()->file;
    return status;
}

static void file_parameter_name(struct rd_device *device, unsigned number, char name[64])
{
    enter(device);
    rd_sim_file_parameter_name(number, name);
}

static void file_visit_members(struct rd_device *device, unsigned parameter,
                               void (*visit)(void *self, const char *path, size_t offset,
                                             const struct rd_file_parameter *type),
                               void *self)
{
    enter(device);
    uintptr_t kernel = rd_sim_file_kernel_of(&parameter);
    rd_sim_members_visit(kernel, parameter, visit, self);
}

static void file_visit_variables(struct rd_device *device,
                                 void (*visit)(void *self, const struct rd_file_variable *variable),
                                 void *self)
{
    enter(device);
    rd_sim_file_variables(visit, self);
}

static struct rd_file_type file_type_of(struct rd_device *device,
                                        const struct rd_file_variable *variable)
{
    enter(device);
    return rd_sim_file_type_of(variable);
}

static enum rd_status file_launch(struct rd_device *device, const struct rd_file_launch *launch,
                                  struct rd_error *error)
{
    enter(device);
    return rd_sim_file_launch(launch, error);
}

static int file_run(struct rd_device *device, const struct rd_file_program *program, int argc,
                    char **argv)
{
    enter(device);
    return rd_sim_runtime_run(program, argc, argv);
}

static void *file_fork_thread(struct rd_device *device)
{
    (void)device;
    return rd_sim_runtime_fork();
}

static void file_begin_thread(struct rd_device *device, void *made)
{
    (void)device;
    rd_sim_here = rd_sim_runtime_thread();
    rd_sim_host_begin(made);
}

static void file_end_thread(struct rd_device *device)
{
    (void)device;
    rd_sim_runtime_enter();
    rd_sim_host_end();
    rd_sim_runtime_leave();
}

static void file_join_thread(struct rd_device *device, void *ended)
{
    (void)device;
    rd_sim_runtime_join(ended);
}

static void *file_fork_team(struct rd_device *device)
{
    (void)device;
    return rd_sim_runtime_team_fork();
}

static void file_enter_team(struct rd_device *device, void *team)
{
    (void)device;
    rd_sim_runtime_team_enter(team);
}

static void file_leave_team(struct rd_device *device, void *team)
{
    (void)device;
    rd_sim_runtime_team_leave(team);
}

static void file_join_team(struct rd_device *device, void *team)
{
    (void)device;
    rd_sim_runtime_team_join(team);
}

static void file_finish(struct rd_device *device)
{
    enter(device);
    rd_sim_runtime_finish();
}

static struct rd_file_state file_state(struct rd_device *device)
{
    enter(device);
    return rd_sim_file_state();
}

static bool file_visit_heap(struct rd_device *device,
                            void (*visit)(void *self, const struct rd_file_heap_blocks *blocks),
                            void *self)
{
    enter(device);
    return rd_sim_heap_visit_blocks(visit, self);
}

static bool file_is_initialised(struct rd_device *device, const void *memory, size_t size_bytes)
{
    enter(device);
    return rd_sim_memory_unset((uintptr_t)memory, size_bytes) == size_bytes;
}

static void file_report_difference(struct rd_device *device, const void *before, const void *after,
                                   size_t size_bytes)
{
    enter(device);
    rd_sim_file_differs(before, after, size_bytes);
}

static void file_report_findings(struct rd_device *device)
{
    enter(device);
    rd_sim_launches_settle();
}

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

const struct rd_file_ops rd_sim_files = {
    .link_option = rd_sim_heap_link_option,
    .program_link_options = {rd_sim_files_link_option, rd_sim_library_memory_link_option},
    .private_shadow = TEXT(RD_SIM_PRIVATE_SHADOW),
    .prepare_object = rd_sim_object_prepare,
    .prepare_program = rd_sim_object_prepare_program,
    .list_kernels = rd_sim_object_kernels,
    .lesson = rd_sim_lesson,
    .alloc = file_alloc,
    .name_address = file_name_address,
    .name_memory = file_name_memory,
    .mark_uninitialised = file_mark_uninitialised,
    .mark_initialised = file_mark_initialised,
    .load = file_load,
    .parameter_name = file_parameter_name,
    .visit_members = file_visit_members,
    .visit_variables = file_visit_variables,
    .type_of = file_type_of,
    .launch = file_launch,
    .run = file_run,
    .fork_thread = file_fork_thread,
    .begin_thread = file_begin_thread,
    .end_thread = file_end_thread,
    .join_thread = file_join_thread,
    .fork_team = file_fork_team,
    .enter_team = file_enter_team,
    .leave_team = file_leave_team,
    .join_team = file_join_team,
    .finish = file_finish,
    .state = file_state,
    .visit_heap = file_visit_heap,
    .is_initialised = file_is_initialised,
    .report_difference = file_report_difference,
    .report_findings = file_report_findings,
};
