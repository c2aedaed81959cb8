// SPDX-License-Identifier: MIT
/* Memory that functions of the C and the C++ library are given by the host code of a program: no hook tells of their accesses. Calls of
 * them are wrapped in a loaded file. */
#include "device/sim/api/hooks.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/object.h"
#include "device/sim/runtime/runtime_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PC ((uintptr_t)__builtin_return_address(0))

static bool is_seen(const void *memory)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    return !core->is_running && core->on_host_access &&
           rd_sim_host_sees(core->host_seen, (uintptr_t)memory);
}

/* The call at pc accesses this; errno stays. */
static void touch(const void *memory, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    const int reason = errno;
    if (size_bytes > 0 && is_seen(memory))
        rd_sim_here->core.on_host_access((uintptr_t)memory, size_bytes, op, pc);
    errno = reason;
}

/* A text, of which so many characters are read at most. */
static void touch_part(const char *text, size_t most, uintptr_t pc)
{
    if (!text || !is_seen(text))
        return; /* before its length is asked for, which takes long where there are many */
    const size_t length = strnlen(text, most);
    touch(text, length < most ? length + 1 : most, RD_SIM_READ, pc);
}

static void touch_text(const char *text, uintptr_t pc)
{
    touch_part(text, SIZE_MAX, pc);
}

/* A definition of the function's replacement, of its result, its parameters and what it does. */
#define WRAP(result, name, parameters, ...)                                                        \
    RD_HOOK result __wrap_##name parameters;                                                       \
    result __wrap_##name parameters                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* ---- files ---- */

/* So much has been read into memory: 0 or less where nothing was. */
static void touch_read(void *memory, ptrdiff_t done, uintptr_t pc)
{
    touch(memory, done > 0 ? (size_t)done : 0, RD_SIM_WRITE, pc);
}

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
    touch_read(to, done, PC);
    return done;
})
WRAP(ssize_t, write, (int file, const void *from, size_t size), {
    touch(from, size, RD_SIM_READ, PC);
    return write(file, from, size);
})
/* The same at a place; the second by the name that it has where files are told to be large. */
#define WRAP_AT(read_name, write_name)                                                             \
    WRAP(ssize_t, read_name, (int file, void *to, size_t size, off_t offset), {                    \
        const ssize_t done = pread(file, to, size, offset);                                        \
        touch_read(to, done, PC);                                                                  \
        return done;                                                                               \
    })                                                                                             \
    WRAP(ssize_t, write_name, (int file, const void *from, size_t size, off_t offset), {           \
        touch(from, size, RD_SIM_READ, PC);                                                        \
        return pwrite(file, from, size, offset);                                                   \
    })
WRAP_AT(pread, pwrite)
WRAP_AT(pread64, pwrite64)
WRAP(char *, fgets, (char *to, int size, FILE *file), {
    char *line = fgets(to, size, file);
    touch(to, line ? strlen(line) + 1 : 0, RD_SIM_WRITE, PC);
    return line;
})

/* Looks the function up in the C++ library, unless it is known. */
static void find_function(void **function, const char *name)
{
    if (!*function)
        *function = rd_sim_cxx_library_function(name);
}

/* By their names in the C++ ABI: std::istream::read(), std::ostream::write(), and << of a text. */

WRAP(void *, _ZNSi4readEPcl, (void *stream, char *to, ptrdiff_t size), {
    static void *(*read_all)(void *, char *, ptrdiff_t);
    static ptrdiff_t (*gcount)(const void *);
    find_function((void **)&read_all, "_ZNSi4readEPcl");
    find_function((void **)&gcount, "_ZNKSi6gcountEv");
    void *result = read_all(stream, to, size);
    touch_read(to, gcount(stream), PC);
    return result;
})
WRAP(void *, _ZNSo5writeEPKcl, (void *stream, const char *from, ptrdiff_t size), {
    static void *(*write_all)(void *, const char *, ptrdiff_t);
    find_function((void **)&write_all, "_ZNSo5writeEPKcl");
    touch(from, size > 0 ? (size_t)size : 0, RD_SIM_READ, PC);
    return write_all(stream, from, size);
})
WRAP(void *, _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc,
     (void *stream, const char *text), {
         static void *(*print)(void *, const char *);
         find_function((void **)&print, "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc");
         touch_text(text, PC);
         return print(stream, text);
     })

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
/* Two texts are compared up to their first difference, or the end of both. */
static void touch_compared(const char *one, const char *other, size_t most, uintptr_t pc)
{
    size_t n = 0;
    if (!is_seen(one) && !is_seen(other))
        return;
    while (n < most && one[n] == other[n] && one[n])
        n++;
    n += n < most;
    touch(one, n, RD_SIM_READ, pc);
    touch(other, n, RD_SIM_READ, pc);
}
WRAP(int, strcmp, (const char *one, const char *other), {
    touch_compared(one, other, SIZE_MAX, PC);
    return strcmp(one, other);
})
WRAP(int, strncmp, (const char *one, const char *other, size_t size), {
    touch_compared(one, other, size, PC);
    return strncmp(one, other, size);
})
WRAP(int, puts, (const char *text), {
    touch_text(text, PC);
    return puts(text);
})
WRAP(int, fputs, (const char *text, FILE *file), {
    touch_text(text, PC);
    return fputs(text, file);
})
/* A number is read up to what is none of it. */
#define WRAP_NUMBER_AS(type, name, function)                                                       \
    WRAP(type, name, (const char *text, char **end, int base), {                                   \
        char *behind = (char *)text; /* where the base is none */                                  \
        const type number = function(text, &behind, base);                                         \
        touch(text, (size_t)(behind - text) + 1, RD_SIM_READ, PC);                                 \
        if (end)                                                                                   \
            *end = behind;                                                                         \
        return number;                                                                             \
    })
/* C23's are called by other names from glibc 2.38 on. */
#define WRAP_NUMBER(type, name)                                                                    \
    WRAP_NUMBER_AS(type, name, name)                                                               \
    WRAP_NUMBER_AS(type, __isoc23_##name, name)
WRAP_NUMBER(long, strtol)
WRAP_NUMBER(unsigned long, strtoul)
WRAP_NUMBER(long long, strtoll)
WRAP_NUMBER(unsigned long long, strtoull)
#define WRAP_REAL(type, name)                                                                      \
    WRAP(type, name, (const char *text, char **end), {                                             \
        char *behind = (char *)text;                                                               \
        const type number = name(text, &behind);                                                   \
        touch(text, (size_t)(behind - text) + 1, RD_SIM_READ, PC);                                 \
        if (end)                                                                                   \
            *end = behind;                                                                         \
        return number;                                                                             \
    })
WRAP_REAL(double, strtod)
WRAP_REAL(float, strtof)
WRAP(int, atoi, (const char *text), {
    char *behind = (char *)text;
    const int number = (int)strtol(text, &behind, 10);
    touch(text, (size_t)(behind - text) + 1, RD_SIM_READ, PC);
    return number;
})
WRAP(double, atof, (const char *text), {
    char *behind = (char *)text;
    const double number = strtod(text, &behind);
    touch(text, (size_t)(behind - text) + 1, RD_SIM_READ, PC);
    return number;
})
/* sscanf(), by the names that glibc has for it, before and from 2.38 on. Where it writes is not looked at. */
#define WRAP_SCANNING(name)                                                                        \
    WRAP(int, name, (const char *text, const char *format, ...), {                                 \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        touch_text(text, PC);                                                                      \
        const int n = vsscanf(text, format, arguments);                                            \
        va_end(arguments);                                                                         \
        return n;                                                                                  \
    })
WRAP_SCANNING(__isoc99_sscanf)
WRAP_SCANNING(__isoc23_sscanf)

/* Passes over an argument of "%lld": the modifiers before its conversion say how long it is. */
static void pass_number(const char *modifiers, char conversion, va_list *arguments)
{
    const bool is_real = strchr("aAeEfFgG", conversion) != NULL;
    if (is_real && *modifiers == 'L')
        va_arg(*arguments, long double);
    else if (is_real)
        va_arg(*arguments, double);
    else if (strchr("pnS", conversion) || strchr("lLqjzt", *modifiers))
        va_arg(*arguments, long long); /* all that is long, and a pointer, is of 64 bits */
    else
        va_arg(*arguments, int);
}

/* Behind a number, or a '*', which takes an argument; *number: it, where one is there. */
static const char *pass_width(const char *at, va_list *arguments, int *number)
{
    char *end;
    if (*at == '*') {
        *number = va_arg(*arguments, int);
        return at + 1;
    }
    if (!isdigit((unsigned char)*at))
        return at;
    *number = (int)strtol(at, &end, 10);
    return end;
}

/* Tells whether a format has "%2$s". */
static bool numbers_arguments(const char *format)
{
    for (const char *at = format; (at = strchr(at, '%')); at++)
        if (at[1 + strspn(at + 1, "0123456789")] == '$')
            return true;
    return false;
}

/* The texts among what is printed by the format. Of one that numbers its arguments, none. */
static void touch_printed(const char *format, va_list given, uintptr_t pc)
{
    va_list arguments;
    touch_text(format, pc);
    if (numbers_arguments(format))
        return;
    va_copy(arguments, given);
    for (const char *at = format; (at = strchr(at, '%')) && at[1];) {
        int width = 0, most = -1;
        at += 1 + strspn(at + 1, "-+ #0'I");
        at = pass_width(at, &arguments, &width);
        if (*at == '.') {
            most = 0;
            at = pass_width(at + 1, &arguments, &most);
        }
        const char *modifiers = at;
        at += strspn(at, "hljztLq");
        if (*at == '\0')
            break;
        if (*at == 's' && *modifiers != 'l')
            touch_part(va_arg(arguments, const char *), most < 0 ? SIZE_MAX : (size_t)most, pc);
        else if (*at == 's')
            va_arg(arguments, const void *);
        else if (*at != '%' && *at != 'm')
            pass_number(modifiers, *at, &arguments);
        at++;
    }
    va_end(arguments);
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

/* So many characters and the end are printed to memory, or as many as there is room for. */
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
    "-Wl,--wrap=fread,--wrap=fwrite,--wrap=read,--wrap=write,--wrap=pread,--wrap=pwrite"
    ",--wrap=pread64,--wrap=pwrite64,--wrap=fgets,--wrap=_ZNSi4readEPcl,--wrap=_ZNSo5writeEPKcl"
    ",--wrap=_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc,--wrap=strlen"
    ",--wrap=strcpy,--wrap=strncpy,--wrap=strcat,--wrap=strcmp,--wrap=strncmp,--wrap=puts"
    ",--wrap=fputs,--wrap=atoi,--wrap=atof,--wrap=strtol,--wrap=strtoul,--wrap=strtoll"
    ",--wrap=strtoull,--wrap=__isoc23_strtol,--wrap=__isoc23_strtoul,--wrap=__isoc23_strtoll"
    ",--wrap=__isoc23_strtoull,--wrap=strtod,--wrap=strtof,--wrap=__isoc99_sscanf"
    ",--wrap=__isoc23_sscanf,--wrap=printf,--wrap=fprintf,--wrap=sprintf,--wrap=snprintf"
    ",--wrap=memcmp,--wrap=qsort";
