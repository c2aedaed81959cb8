// SPDX-License-Identifier: MIT
/* printf() in kernels: CUDA C++ Programming Guide, "Formatted Output". */
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine.h"
#include "device/sim/memory/memory.h"
#include "device/sim/object.h"

#include <stdbool.h>
#include <string.h>

/* No string that a kernel prints is longer by far. */
enum { STRING_MAX = 1 << 16 };

/* What is printed: an argument's letter is that of its type. */
struct printed {
    const char *kinds;
    const void *const *pointers;
    unsigned n, next;
    void *pc;
    bool is_sound;
};

static void tell(struct printed *printed, const char *text)
{
    struct rd_sim_actor actor = rd_sim_actor_self(RD_SIM_READ, (uintptr_t)printed->pc);
    if (printed->is_sound)
        rd_sim_here->core.on_event(&(struct rd_sim_event){
            .hazard = RD_HAZARD_PRINTF_ARGUMENTS,
            .actor = actor,
            .text = text,
            .interval = rd_sim_here->core.interval,
        });
    printed->is_sound = false;
}

/* Reads a string as the device does, up to its end, or that of its array: hooks see each of its characters. */
static bool is_read(struct printed *printed, const char *string, size_t most)
{
    enum rd_sim_space space;
    for (size_t k = 0; k < most; k++) {
        bool inside = true;
        const uintptr_t address = (uintptr_t)string + k;
        rd_sim_accessed(string + k, 1, 0, printed->pc);
        if (rd_sim_shadow(address, &space))
            rd_sim_array_at(address, &inside);
        if (!inside)
            return false;
        if (string[k] == '\0')
            break;
    }
    return true;
}

/* Takes the next argument, which a conversion, or a '*', asks for: 'i' a whole number, 'f' a float, 'p' a pointer, 's' a string. */
static void take(struct printed *printed, char wanted, size_t most)
{
    if (printed->next == printed->n) {
        tell(printed, "calls printf with fewer arguments than its format asks for");
        return;
    }
    const char kind = printed->kinds[printed->next];
    const void *pointer = printed->pointers[printed->next++];
    if (wanted == 's' && kind != 'p')
        tell(printed, "calls printf with a number where its format asks for a string, by %s,");
    else if (wanted == 'f' && kind != 'f')
        tell(printed,
             "calls printf with an argument that is no float, where its format asks for one,");
    else if (wanted != 'f' && kind == 'f')
        tell(printed, "calls printf with a float where its format asks for something else");
    else if (wanted == 's' && !is_read(printed, pointer, most))
        printed->is_sound = false;
}

/* Behind a number, or a '*', which takes an argument. */
static const char *take_number(struct printed *printed, const char *at, size_t *number)
{
    if (*at == '*') {
        take(printed, 'i', 0);
        return at + 1;
    }
    if (strchr("0123456789", *at) && *at)
        *number = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        *number = *number < STRING_MAX ? 10 * *number + (size_t)(*at - '0') : *number;
    return at;
}

/* FNV-1a. */
static uint64_t hash(const char *text)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3u;
    return sum;
}

RD_HOOK void rd_sim_printed(const char *text)
{
    struct rd_sim_printed *printed = &rd_sim_here->core.printed;
    printed->n++;
    printed->sum += hash(text);
}

RD_HOOK int rd_sim_printf(const char *format, const char *kinds, const void *const *pointers,
                          unsigned n, void *pc)
{
    struct printed printed = {kinds, pointers, n, 0, pc, true};
    if (!rd_sim_is_running())
        return 1;
    if (!is_read(&printed, format, STRING_MAX))
        return 0;
    for (const char *at = format; (at = strchr(at, '%'));) {
        size_t width = 0, most = STRING_MAX;
        at++;
        at += strspn(at, "-+ #0'");
        at = take_number(&printed, at, &width);
        if (*at == '.') {
            most = 0;
            at = take_number(&printed, at + 1, &most);
        }
        at += strspn(at, "hljztLq");
        if (*at == '\0')
            break;
        if (*at == 's')
            take(&printed, 's', most);
        else if (strchr("aAeEfFgG", *at))
            take(&printed, 'f', 0);
        else if (*at != '%')
            take(&printed, *at == 'p' ? 'p' : 'i', 0);
        at++;
    }
    if (printed.next < printed.n)
        tell(&printed, "calls printf with more arguments than its format asks for");
    return printed.is_sound || printed.next < printed.n;
}
