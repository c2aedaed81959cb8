// SPDX-License-Identifier: MIT
/* Findings about the host's code, in words. */
#include "device/sim/object.h"
#include "device/sim/report/report.h"
#include "device/sim/runtime/runtime_internal.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rd_sim_line line_of(const struct rd_sim_host_place *place)
{
    const struct rd_sim_site site = {.pc = place->pc, .file = place->file, .line = place->line};
    return rd_sim_site_line(&site);
}

static int write_place(char *text, size_t size, const struct rd_sim_line *line)
{
    if (!line->file[0])
        return 0;
    return line->column ? snprintf(text, size, " at %s:%u:%u", line->file, line->line, line->column)
                        : snprintf(text, size, " at %s:%u", line->file, line->line);
}

static void set_place(struct rd_finding *finding, const struct rd_sim_line *line)
{
    finding->places[finding->n_places++] = (struct rd_finding_place){
        .file = line->file[0] ? line->file : NULL,
        .line = line->line,
        .column = line->column,
        .op = "",
    };
}

static struct rd_finding begin(enum rd_hazard_kind hazard, const char *message, const char *lesson)
{
    return (struct rd_finding){
        .hazard = hazard,
        .kind = "",
        .scope = "host",
        .message = message,
        .lesson = lesson ? lesson : rd_sim_lesson(hazard),
        .count = 1,
        .array = "",
        .type = "",
        .before = "",
        .after = "",
    };
}

static bool has_told; /* since a call began */

void rd_sim_host_tells(void)
{
    has_told = false;
}

bool rd_sim_host_has_told(void)
{
    return has_told;
}

void rd_sim_host_tell(const struct rd_sim_host_finding *told, const char *format, ...)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    char message[2048];
    struct rd_sim_line lines[2];
    struct rd_finding finding = begin(told->hazard, message, told->lesson);
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(message, 512, format, arguments);
    va_end(arguments);
    n = n < 512 ? n : 511;
    bool ends_in_comma = n > 0 && message[n - 1] == ',';
    n -= ends_in_comma;
    lines[0] = line_of(&told->place);
    set_place(&finding, &lines[0]);
    n += write_place(message + n, sizeof message - (size_t)n, &lines[0]);
    if (told->other_text) {
        lines[1] = line_of(&told->other);
        set_place(&finding, &lines[1]);
        n += snprintf(message + n, sizeof message - (size_t)n, "; %s", told->other_text);
        n += write_place(message + n, sizeof message - (size_t)n, &lines[1]);
    }
    if (n < (int)sizeof message)
        snprintf(message + n, sizeof message - (size_t)n, ". %s", finding.lesson);
    if (told->array)
        finding.array = told->array;
    has_told = true;
    program->how.on_finding(program->how.self, NULL, &finding);
}

void rd_sim_host_signal(int number, uintptr_t pc, const void *address)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    char message[1024];
    struct rd_sim_line line = line_of(&(struct rd_sim_host_place){.pc = pc});
    struct rd_finding crash =
        begin(RD_HAZARD_CRASH, message,
              number == SIGABRT
                  ? "The host's code has ended itself, by abort() or a check that failed: look at "
                    "what it has printed."
                  : "The fault is in the host's code, or in what it was given: look at the "
                    "pointers of this line, and at what was to be checked before it.");
    (void)address;
    set_place(&crash, &line);
    int n = snprintf(message, sizeof message, "the host's code was ended by signal %d (%s)", number,
                     strsignal(number));
    n += write_place(message + n, sizeof message - (size_t)n, &line);
    snprintf(message + n, sizeof message - (size_t)n, ". %s", crash.lesson);
    program->how.on_stopped(program->how.self, RD_FILE_CRASH, NULL, &crash);
    abort();
}
