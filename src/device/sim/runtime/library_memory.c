// SPDX-License-Identifier: MIT
/* Memory that functions of the C and the C++ library are given by the host code of a program: no hook tells of their accesses. Calls of
 * them are wrapped in a loaded file. */
#include "device/sim/api/hooks.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/object.h"
#include "device/sim/runtime/runtime_internal.h"

#include <errno.h>
#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PC ((uintptr_t)__builtin_return_address(0))

/* The call at pc accesses this; errno stays. */
static void touch(const void *memory, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const int reason = errno;
    if (size_bytes > 0 && !core->is_running && core->on_host_access &&
        rd_sim_host_sees(core->host_seen, (uintptr_t)memory))
        core->on_host_access((uintptr_t)memory, size_bytes, op, pc);
    errno = reason;
}

static void touch_text(const char *text, uintptr_t pc)
{
    if (text)
        touch(text, strlen(text) + 1, RD_SIM_READ, pc);
}

/* A definition of the function's replacement, of its result, its parameters and what it does. */
#define WRAP(result, name, parameters, ...)                                                        \
    RD_HOOK result __wrap_##name parameters;                                                       \
    result __wrap_##name parameters                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* ---- files ---- */

/* What has been read into memory; `done` is 0 or less where nothing was. */
#define TOUCH_READ(memory, done) touch(memory, (done) > 0 ? (size_t)(done) : 0, RD_SIM_WRITE, PC)

WRAP(size_t, fread, (void *to, size_t size, size_t count, FILE *file), {
    const size_t done = fread(to, size, count, file);
    touch(to, done * size, RD_SIM_WRITE, PC);
    return done;
})
WRAP(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file), {
    touch(from, count * size, RD_SIM_READ, PC);
    return fwrite(from, size, count, file);
})
WRAP(ssize_t, read, (int file, void *to, size_t size), {
    const ssize_t done = read(file, to, size);
    TOUCH_READ(to, done);
    return done;
})
WRAP(ssize_t, pread, (int file, void *to, size_t size, off_t offset), {
    const ssize_t done = pread(file, to, size, offset);
    TOUCH_READ(to, done);
    return done;
})
WRAP(ssize_t, write, (int file, const void *from, size_t size), {
    touch(from, size, RD_SIM_READ, PC);
    return write(file, from, size);
})
WRAP(ssize_t, pwrite, (int file, const void *from, size_t size, off_t offset), {
    touch(from, size, RD_SIM_READ, PC);
    return pwrite(file, from, size, offset);
})
WRAP(char *, fgets, (char *to, int size, FILE *file), {
    char *line = fgets(to, size, file);
    touch(to, line ? strlen(line) + 1 : 0, RD_SIM_WRITE, PC);
    return line;
})

/* By their names in the C++ ABI: std::istream::read(), of all that it asks for, and std::ostream::write(). */
#define WRAP_STREAM(name, op, of_memory)                                                           \
    WRAP(void *, name, (void *stream, of_memory *memory, ptrdiff_t size), {                        \
        void *(*function)(void *, of_memory *, ptrdiff_t);                                         \
        *(void **)&function = rd_sim_cxx_library_function(#name);                                  \
        touch(memory, size > 0 ? (size_t)size : 0, op, PC);                                        \
        return function(stream, memory, size);                                                     \
    })
WRAP_STREAM(_ZNSi4readEPcl, RD_SIM_WRITE, void)
WRAP_STREAM(_ZNSo5writeEPKcl, RD_SIM_READ, const void)

/* ---- texts ---- */

WRAP(size_t, strlen, (const char *text), {
    const size_t length = strlen(text);
    touch(text, length + 1, RD_SIM_READ, PC);
    return length;
})
WRAP(char *, strcpy, (char *to, const char *from), {
    touch_text(from, PC);
    touch(to, strlen(from) + 1, RD_SIM_WRITE, PC);
    return strcpy(to, from);
})
WRAP(char *, strncpy, (char *to, const char *from, size_t size), {
    const size_t length = strnlen(from, size);
    touch(from, length < size ? length + 1 : size, RD_SIM_READ, PC);
    touch(to, size, RD_SIM_WRITE, PC);
    return strncpy(to, from, size);
})
WRAP(char *, strcat, (char *to, const char *from), {
    touch_text(from, PC);
    touch_text(to, PC);
    touch(to + strlen(to), strlen(from) + 1, RD_SIM_WRITE, PC);
    return strcat(to, from);
})
WRAP(int, strcmp, (const char *one, const char *other), {
    touch_text(one, PC);
    touch_text(other, PC);
    return strcmp(one, other);
})
WRAP(int, puts, (const char *text), {
    touch_text(text, PC);
    return puts(text);
})
WRAP(int, fputs, (const char *text, FILE *file), {
    touch_text(text, PC);
    return fputs(text, file);
})
WRAP(int, atoi, (const char *text), {
    touch_text(text, PC);
    return atoi(text);
})
WRAP(double, atof, (const char *text), {
    touch_text(text, PC);
    return atof(text);
})

#define WRAP_NUMBER(type, name)                                                                    \
    WRAP(type, name, (const char *text, char **end, int base), {                                   \
        touch_text(text, PC);                                                                      \
        return name(text, end, base);                                                              \
    })
WRAP_NUMBER(long, strtol)
WRAP_NUMBER(unsigned long, strtoul)
WRAP_NUMBER(long long, strtoll)
WRAP_NUMBER(unsigned long long, strtoull)
#define WRAP_REAL(type, name)                                                                      \
    WRAP(type, name, (const char *text, char **end), {                                             \
        touch_text(text, PC);                                                                      \
        return name(text, end);                                                                    \
    })
WRAP_REAL(double, strtod)
WRAP_REAL(float, strtof)
/* sscanf(), by the name that it has in the C library. Where it writes is not looked at. */
WRAP(int, __isoc99_sscanf, (const char *text, const char *format, ...), {
    va_list arguments;
    va_start(arguments, format);
    touch_text(text, PC);
    const int n = vsscanf(text, format, arguments);
    va_end(arguments);
    return n;
})

/* The texts among what is printed by the format. */
static void touch_printed(const char *format, va_list given, uintptr_t pc)
{
    enum { ARGUMENTS_MAX = 64 };
    int types[ARGUMENTS_MAX];
    const size_t n = parse_printf_format(format, ARGUMENTS_MAX, types);
    va_list arguments;
    va_copy(arguments, given);
    for (size_t k = 0; k < n && k < ARGUMENTS_MAX; k++) {
        const int type = types[k] & ~PA_FLAG_MASK;
        if (types[k] & PA_FLAG_PTR || type == PA_POINTER || type == PA_WSTRING)
            va_arg(arguments, void *);
        else if (type == PA_STRING)
            touch_text(va_arg(arguments, const char *), pc);
        else if (types[k] & PA_FLAG_LONG_DOUBLE && type == PA_DOUBLE)
            va_arg(arguments, long double);
        else if (type == PA_DOUBLE || type == PA_FLOAT)
            va_arg(arguments, double);
        else if (types[k] & (PA_FLAG_LONG | PA_FLAG_LONG_LONG))
            va_arg(arguments, long long);
        else
            va_arg(arguments, int);
    }
    va_end(arguments);
    touch_text(format, pc);
}

#define WRAP_PRINTING(name, parameters, call)                                                      \
    WRAP(int, name, parameters, {                                                                  \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        touch_printed(format, arguments, PC);                                                      \
        const int n = call;                                                                        \
        va_end(arguments);                                                                         \
        return n;                                                                                  \
    })
RD_HOOK int rd_sim_printf_made(void *pc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    touch_printed(format, arguments, (uintptr_t)pc);
    const int n = vprintf(format, arguments);
    va_end(arguments);
    return n;
}

WRAP_PRINTING(printf, (const char *format, ...), vprintf(format, arguments))
WRAP_PRINTING(fprintf, (FILE * file, const char *format, ...), vfprintf(file, format, arguments))

/* What is printed to memory: so many characters and the end, or as many as there is room for. */
static int printed_to(char *to, size_t size, int n, uintptr_t pc)
{
    const size_t written = n < 0 || size == 0 ? 0 : (size_t)n < size ? (size_t)n + 1 : size;
    touch(to, written, RD_SIM_WRITE, pc);
    return n;
}
WRAP_PRINTING(sprintf, (char *to, const char *format, ...),
              printed_to(to, SIZE_MAX, vsprintf(to, format, arguments), PC))
WRAP_PRINTING(snprintf, (char *to, size_t size, const char *format, ...),
              printed_to(to, size, vsnprintf(to, size, format, arguments), PC))

/* ---- arrays ---- */

WRAP(int, memcmp, (const void *one, const void *other, size_t size), {
    touch(one, size, RD_SIM_READ, PC);
    touch(other, size, RD_SIM_READ, PC);
    return memcmp(one, other, size);
})
WRAP(void, qsort,
     (void *all, size_t count, size_t size, int (*compare)(const void *, const void *)), {
         touch(all, count * size, RD_SIM_WRITE, PC);
         qsort(all, count, size, compare);
     })

const char rd_sim_library_memory_link_option[] =
    "-Wl,--wrap=fread,--wrap=fwrite,--wrap=read,--wrap=pread,--wrap=write,--wrap=pwrite"
    ",--wrap=fgets,--wrap=_ZNSi4readEPcl,--wrap=_ZNSo5writeEPKcl,--wrap=strlen,--wrap=strcpy"
    ",--wrap=strncpy,--wrap=strcat,--wrap=strcmp,--wrap=puts,--wrap=fputs,--wrap=atoi"
    ",--wrap=atof,--wrap=strtol,--wrap=strtoul,--wrap=strtoll,--wrap=strtoull,--wrap=strtod"
    ",--wrap=strtof,--wrap=__isoc99_sscanf,--wrap=printf,--wrap=fprintf,--wrap=sprintf"
    ",--wrap=snprintf,--wrap=memcmp,--wrap=qsort";
