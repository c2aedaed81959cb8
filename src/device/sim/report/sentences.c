// SPDX-License-Identifier: MIT
/* The findings' sentences, a kind of hazard after the other. */
#include "device/sim/report/report_internal.h"

#include <inttypes.h>
#include <string.h>

static const char *verb(const struct rd_sim_event *event)
{
    static const char *const verbs[] = {
        [RD_SIM_READ] = "reads", [RD_SIM_WRITE] = "writes", [RD_SIM_ATOMIC] = "updates"};
    return event->frees ? "frees" : verbs[event->actor.op];
}

static const char *past_verb(enum rd_sim_op op)
{
    static const char *const verbs[] = {[RD_SIM_READ] = "had read",
                                        [RD_SIM_WRITE] = "had written",
                                        [RD_SIM_ATOMIC] = "had updated"};
    return verbs[op];
}

/* Behind what is accessed. */
static const char *adverb(enum rd_sim_op op)
{
    return op == RD_SIM_ATOMIC ? " atomically" : "";
}

/* "writes a[5]", and "reads 4 bytes at a[5]" where its elements are smaller. */
static void say_what(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    rd_sim_say(text, " %s ", verb(event));
    if (f->array_known && f->array.elem_bytes && event->size_bytes > f->array.elem_bytes &&
        !event->frees && event->hazard != RD_HAZARD_MISALIGNED)
        rd_sim_say(text, "%zu bytes at ", event->size_bytes);
    rd_sim_say_cell(text, f);
    if (!event->frees)
        rd_sim_say(text, "%s", adverb(event->actor.op));
}

static void say_race(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    if (event->is_async)
        rd_sim_say(text, "asynchronous copy: ");
    else if (event->hazard == RD_HAZARD_RACE)
        rd_sim_say(text, "%s, %s: ", rd_sim_race_kind(event), rd_sim_race_scope(event));
    rd_sim_say_thread(text, &event->actor);
    say_what(text, f);
    rd_sim_say_site(text, &event->actor.site);
    rd_sim_say(text, "; ");
    rd_sim_say_thread(text, &event->other);
    rd_sim_say(text, " %s it%s", past_verb(event->other.op), adverb(event->other.op));
    rd_sim_say_site(text, &event->other.site);
    if (event->is_async) {
        rd_sim_say(text, ", before anybody waited for the copy");
        return;
    }
    if (event->bits_known) {
        rd_sim_say(text, ", when it held ");
        rd_sim_say_value(text, f, event->before);
        if (rd_sim_is_fresh(event->before, event->size_bytes))
            rd_sim_say(text, ", as fresh memory does");
        if (event->actor.op == RD_SIM_WRITE && !event->same_value) {
            rd_sim_say(text, " (now ");
            rd_sim_say_value(text, f, event->after);
            rd_sim_say(text, ")");
        }
    }
    if (rd_sim_race_scope(event)[0] != 'g')
        rd_sim_say(text, "; no barrier between, in interval %u", event->interval);
}

/* Addresses differ from run to run: only those that the caller made up are told. */
static void say_given(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_array *array = &f->array;
    if (array->size_bytes > 0 || (array->is_pointed_to && array->name[0]))
        rd_sim_say(text, ", and %s is a host pointer, which a kernel can't follow", array->name);
    else if (array->name[0] && array->base == 0)
        rd_sim_say(text, ", and %s is a null pointer", array->name);
    else if (array->base != 0)
        rd_sim_say(text, ", and %s is 0x%" PRIxPTR ", which is no device memory",
                   array->name[0] ? array->name : "that", array->base);
}

/* Says why an access is out of bounds. */
static void say_bounds(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_array *array = &f->array;
    size_t elem = array->elem_bytes ? array->elem_bytes : 1;
    if (f->array_known && array->freed && array->origin) {
        rd_sim_say(text, ", which ");
        rd_sim_say_thread(text, &array->freer);
        rd_sim_say(text, " has freed");
        rd_sim_say_site(text, &array->freer.site);
    } else if (f->array_known && array->freed) {
        rd_sim_say(text, ", which has been freed");
    } else if (f->event.frees) {
        rd_sim_say(text, f->array_known && array->origin
                             ? ", and not its first"
                             : ", which no malloc or new in a kernel gave");
    } else if (f->array_known && array->space == RD_SPACE_NONE) {
        say_given(text, f);
    } else if (rd_sim_found_is_of_host(f)) {
        rd_sim_say(text, ", which is a variable of the host's");
    } else if (rd_sim_found_is_missing(f)) {
        rd_sim_say(text, ", and the launch gives it no memory");
    } else if (f->array_known && array->dynamic && array->elem_bytes) {
        rd_sim_say(text, ", and the launch gives it %zu bytes, %zu element%s", array->size_bytes,
                   array->size_bytes / elem, array->size_bytes / elem == 1 ? "" : "s");
    } else if (f->array_known) {
        rd_sim_say(text, ", and it has %zu %s%s", array->size_bytes / elem,
                   array->elem_bytes ? "element" : "byte",
                   array->size_bytes / elem == 1 ? "" : "s");
    } else if (!f->event.index_known && rd_sim_found_is_shared(f)) {
        rd_sim_say(text, ", which is behind the launch's shared memory");
    } else if (!f->event.index_known && f->event.address >= RD_SIM_NULL_BYTES) {
        rd_sim_say(text, ", which is no device memory");
    }
}

/* Says which bytes the host has given to the array that a read is of, where that explains it. */
static void say_filled(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_filled *filled = &f->array.filled;
    const size_t elem = f->array.elem_bytes ? f->array.elem_bytes : 1;
    if (!filled->made)
        return;
    if (!filled->call) {
        rd_sim_say(text, "; nothing was copied to %s since its %s",
                   f->array.name[0] ? f->array.name : "it", filled->made);
        rd_sim_say_site(text, &filled->made_site);
    } else if (f->offset_bytes < (int64_t)filled->from || f->offset_bytes >= (int64_t)filled->to) {
        rd_sim_say(text, "; the last copy to it, %s", filled->call);
        rd_sim_say_site(text, &filled->site);
        rd_sim_say(text, ", wrote %zu of its %zu bytes", filled->to - filled->from,
                   f->array.size_bytes);
        if (elem > 1)
            rd_sim_say(text, ": %zu of %zu elements", (filled->to - filled->from) / elem,
                       f->array.size_bytes / elem);
    }
}

static void say_access(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    rd_sim_say_thread(text, &event->actor);
    if (event->index_known) {
        rd_sim_say(text, " takes index %" PRId64 " of an array of %zu element%s", event->index,
                   event->n_elems, event->n_elems == 1 ? "" : "s");
    } else if (event->text) {
        rd_sim_say(text, " %s", event->text);
    } else {
        say_what(text, f);
    }
    rd_sim_say_site(text, &event->actor.site);
    if (event->hazard == RD_HAZARD_OUT_OF_BOUNDS && !event->text)
        say_bounds(text, f);
    else if (event->hazard == RD_HAZARD_UNINITIALISED && f->array_known && f->array.set_at)
        rd_sim_say(text, ", which host code sets at %.*s, and nobody gave",
                   (int)strcspn(f->array.set_at, "\n"), f->array.set_at);
    else if (event->hazard == RD_HAZARD_UNINITIALISED && f->array_known)
        say_filled(text, f);
    else if (event->hazard == RD_HAZARD_MISALIGNED)
        rd_sim_say(text, " with %zu bytes at once, at an address that is no multiple of that",
                   event->size_bytes);
}

/* "writes 4 bytes at byte 16 of w (private)". */
static void say_variable(struct rd_sim_text *text, const struct rd_sim_event *event)
{
    const struct rd_sim_private_variable *variable = &event->variable;
    rd_sim_say(text, " %s %zu byte%s", verb(event), event->size_bytes,
               event->size_bytes == 1 ? "" : "s");
    if (!variable->name)
        rd_sim_say(text, " of a local variable");
    else
        rd_sim_say(text, " at byte %" PRId64 " of %.*s (private)", variable->offset_bytes,
                   (int)variable->name_length, variable->name);
}

/* The cell where it shows that a local variable was not set, with what it holds by what that starts as. */
static void say_unset(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    const bool reads =
        event->actor.op == RD_SIM_READ; /* it came after the write, which is forgotten */
    if (!f->array_known && event->text) {
        rd_sim_say(text, " %s", event->text);
        rd_sim_say_site(text, &event->actor.site);
        return;
    }
    if (!f->array_known) {
        rd_sim_say(text, " compares a local variable, or what comes of one, that it has not set");
        rd_sim_say_site(text, &event->actor.site);
        return;
    }
    rd_sim_say(text, reads ? " reads " : " writes ");
    rd_sim_say_cell(text, f);
    rd_sim_say_site(text, &event->actor.site);
    rd_sim_say(text,
               reads
                   ? ", and what is there depends on a local variable that its writer has not set: "
                   : ", and what it writes depends on a local variable that it has not set: ");
    rd_sim_say_value(text, f, event->before);
    rd_sim_say(text, " where those start as zeros, and ");
    rd_sim_say_value(text, f, event->after);
    rd_sim_say(text, " where they start otherwise");
}

static void say_private(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    rd_sim_say_thread(text, &event->actor);
    if (event->hazard == RD_HAZARD_UNINITIALISED) {
        say_unset(text, f);
        return;
    }
    say_variable(text, event);
    rd_sim_say_site(text, &event->actor.site);
    if (event->hazard == RD_HAZARD_DEAD_FRAME)
        rd_sim_say(text, event->variable.name ? ", whose block has ended"
                                              : ", whose function has returned");
    else if (event->variable.name)
        rd_sim_say(text, ", and it has %zu bytes", event->variable.size_bytes);
}

static void say_leak(struct rd_sim_text *text, const struct rd_sim_event *event)
{
    rd_sim_say(text, "%zu bytes that ", event->size_bytes);
    rd_sim_say_thread(text, &event->actor);
    rd_sim_say(text, " has allocated");
    rd_sim_say_site(text, &event->actor.site);
    rd_sim_say(text, " are not freed when the %s ends", event->of_program ? "program" : "launch");
    if (event->kept)
        rd_sim_say(text, ", though global memory holds a pointer to them");
}

/* Describes two threads that wait at one place. */
static void say_calls(struct rd_sim_text *text, const struct rd_sim_event *event)
{
    rd_sim_say_thread(text, &event->actor);
    rd_sim_say(text, " comes to the %s",
               event->hazard == RD_HAZARD_MASK_MISMATCH ? "warp function" : "barrier");
    rd_sim_say_site(text, &event->meeting);
    rd_sim_say(text, " by the call");
    rd_sim_say_site(text, &event->actor.site);
    rd_sim_say(text, ", and ");
    rd_sim_say_thread(text, &event->other);
    rd_sim_say(text, " by another");
    rd_sim_say_site(text, &event->other.site);
}

static void say_meeting(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    if (event->meeting.file) {
        say_calls(text, event);
        return;
    }
    rd_sim_say_thread(text, &event->actor);
    switch (event->hazard) {
    case RD_HAZARD_BARRIER_DIVERGENCE:
        rd_sim_say(text, " waits at the barrier");
        if (event->other.site.pc || event->other.site.file)
            break;
        rd_sim_say_site(text, &event->actor.site);
        rd_sim_say(text, ", and ");
        rd_sim_say_thread(text, &event->other);
        rd_sim_say(text, " has passed it by and come to its end");
        return;
    case RD_HAZARD_BARRIER_SKIPPED:
        rd_sim_say(text, " waits at the barrier");
        rd_sim_say_site(text, &event->actor.site);
        rd_sim_say(text, ", and ");
        rd_sim_say_thread(text, &event->other);
        rd_sim_say(text, " has exited without it");
        rd_sim_say_site(text, &event->other.site);
        return;
    case RD_HAZARD_INACTIVE_LANE:
        if (!rd_sim_extent_has(text->extent, event->other.thread)) {
            rd_sim_say(text, " takes the value of lane %u of its warp",
                       event->other.thread % RD_SIM_WARP);
            rd_sim_say_site(text, &event->actor.site);
            rd_sim_say(text, ", which a block of %u threads does not have",
                       rd_sim_extent_threads(text->extent));
            return;
        }
        rd_sim_say(text, " takes the value of a lane that takes no part in the shuffle, that of ");
        rd_sim_say_thread(text, &event->other);
        rd_sim_say_site(text, &event->actor.site);
        return;
    case RD_HAZARD_MASK_MISMATCH:
        if (!event->has_other) {
            rd_sim_say(text, " calls a warp function with a mask that leaves itself out");
            rd_sim_say_site(text, &event->actor.site);
            return;
        }
        rd_sim_say(text, " calls a warp function");
        rd_sim_say_site(text, &event->actor.site);
        rd_sim_say(text, " with a mask that names ");
        rd_sim_say_thread(text, &event->other);
        rd_sim_say(text, event->other.site.file == event->actor.site.file &&
                                 event->other.site.line == event->actor.site.line
                             ? ", which names others there"
                             : ", which is elsewhere");
        return;
    default:
        break;
    }
    rd_sim_say_site(text, &event->actor.site);
    rd_sim_say(text, ", and ");
    rd_sim_say_thread(text, &event->other);
    rd_sim_say(text, " at another");
    rd_sim_say_site(text, &event->other.site);
}

static void say_difference(struct rd_sim_text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_extent *extent = text->extent;
    rd_sim_say_cell(text, f);
    rd_sim_say(text, " is ");
    rd_sim_say_value(text, f, f->event.after);
    rd_sim_say(text, " under schedule %s, and ", extent->schedules[__builtin_ctzll(f->schedules)]);
    rd_sim_say_value(text, f, f->event.before);
    rd_sim_say(text, " under %s", extent->schedules[0]);
}

/* Under which it was seen, where that was not all. */
static void say_schedules(struct rd_sim_text *text, uint64_t schedules)
{
    enum { NAMED_MAX = 3 };
    const struct rd_sim_extent *extent = text->extent;
    unsigned n = (unsigned)__builtin_popcountll(schedules), said = 0;
    if (n == extent->n_schedules)
        return;
    rd_sim_say(text, " Seen under %u of %u schedules: ", n, extent->n_schedules);
    for (unsigned k = 0; k < extent->n_schedules && said < NAMED_MAX; k++)
        if (schedules >> k & 1)
            rd_sim_say(text, "%s%s", said++ > 0 ? ", " : "", extent->schedules[k]);
    rd_sim_say(text, "%s", n > NAMED_MAX ? ", ..." : ".");
}

static void say_operands(struct rd_sim_text *text, const struct rd_sim_operation *operation)
{
    switch (operation->kind) {
    case RD_SIM_SHIFT:
        rd_sim_say(text, " shifts ");
        rd_sim_say_number(text, operation->left);
        rd_sim_say(text, "%s by ",
                   !operation->result.letter ? ""
                   : operation->to_the_left  ? " to the left"
                                             : " to the right");
        rd_sim_say_number(text, operation->right);
        break;
    case RD_SIM_CONVERSION:
        rd_sim_say(text, " converts ");
        rd_sim_say_number(text, operation->left);
        rd_sim_say(text, " to %s%u",
                   operation->right.letter == 'i'   ? "i"
                   : operation->right.letter == 'u' ? "u"
                                                    : "an integer of ",
                   operation->right.bits);
        break;
    case RD_SIM_DIVISION:
        rd_sim_say(text, " divides ");
        rd_sim_say_number(text, operation->left);
        rd_sim_say(text, " by ");
        rd_sim_say_number(text, operation->right);
        break;
    }
}

/* Tells the result that the thread went on with: a GPU's, or where that could not be, the processor's. */
static void say_result(struct rd_sim_text *text, const struct rd_sim_found *f,
                       const struct rd_sim_sum *sum)
{
    const struct rd_sim_operation *operation = &f->event.operation;
    if (sum->resumed > 0) {
        rd_sim_say(text, "; it goes on with ");
        rd_sim_say_number(text, operation->result);
        rd_sim_say(text, operation->kind == RD_SIM_DIVISION
                             ? ", as GPUs do, though PTX leaves it open"
                             : ", as PTX has it");
    }
    if (sum->resumed == 0)
        rd_sim_say(text, "; it goes on with what this computer's processor makes of it, not a GPU");
    else if (sum->resumed < sum->count)
        rd_sim_say(text, ", and %" PRIu64 " times with what this computer's processor makes of it",
                   sum->count - sum->resumed);
}

static void say_arithmetic(struct rd_sim_text *text, const struct rd_sim_found *f,
                           const struct rd_sim_sum *sum)
{
    const struct rd_sim_operation *operation = &f->event.operation;
    rd_sim_say_thread(text, &f->event.actor);
    say_operands(text, operation);
    rd_sim_say_site(text, &f->event.actor.site);
    if (operation->kind == RD_SIM_SHIFT)
        rd_sim_say(text, ", and its type has %u bits", operation->left.bits);
    else if (operation->kind == RD_SIM_CONVERSION)
        rd_sim_say(text, ", which can't hold it");
    say_result(text, f, sum);
}

/* Says how often it happened, and the lesson. */
static void say_end(struct rd_sim_text *text, const struct rd_sim_found *f,
                    const struct rd_sim_sum *sum)
{
    if (sum->lines[0])
        rd_sim_say(text, "; out of step from then on, also at line%s %s",
                   strchr(sum->lines, ' ') ? "s" : "", sum->lines);
    if (sum->n_pairs > 1)
        rd_sim_say(text, "; and at %u other pairs of places", sum->n_pairs - 1);
    if (sum->count > 1)
        rd_sim_say(text, "; %" PRIu64 " times", sum->count);
    if (sum->count > 1 && f->event.hazard == RD_HAZARD_LEAK)
        rd_sim_say(text, ", %" PRIu64 " bytes in all", sum->bytes);
    rd_sim_say(text, ". %s", rd_sim_found_lesson(f, text->extent));
    if (f->event.hazard != RD_HAZARD_ORDER_DEPENDENT)
        say_schedules(text, sum->schedules);
}

void rd_sim_found_message(const struct rd_sim_found *f, const struct rd_sim_sum *sum,
                          const struct rd_sim_extent *extent, char message[RD_SIM_MESSAGE_SIZE])
{
    const struct rd_sim_event *event = &f->event;
    struct rd_sim_text sentence = {message, RD_SIM_MESSAGE_SIZE, extent}, *text = &sentence;
    if (event->is_private) {
        say_private(text, f);
        say_end(text, f, sum);
        return;
    }
    const bool has_own = event->hazard == RD_HAZARD_MASK_MISMATCH && event->text;
    switch (has_own ? RD_HAZARD_UNKNOWN : event->hazard) {
    case RD_HAZARD_RACE:
    case RD_HAZARD_PLAIN_READ_OF_ATOMIC:
        say_race(text, f);
        break;
    case RD_HAZARD_OUT_OF_BOUNDS:
    case RD_HAZARD_MISALIGNED:
    case RD_HAZARD_UNINITIALISED:
        say_access(text, f);
        break;
    case RD_HAZARD_BARRIER_DIVERGENCE:
    case RD_HAZARD_BARRIER_SKIPPED:
    case RD_HAZARD_INACTIVE_LANE:
    case RD_HAZARD_MASK_MISMATCH:
        say_meeting(text, f);
        break;
    case RD_HAZARD_NO_TERMINATION:
        rd_sim_say_thread(text, &event->actor);
        rd_sim_say(text, " does not come to an end");
        rd_sim_say_site(text, &event->actor.site);
        if (event->limit_s > 0)
            rd_sim_say(text, ", and was stopped after %u s", event->limit_s);
        else if (event->allowed > 0)
            rd_sim_say(text, ", and was stopped after %" PRIu64 " accesses with no barrier between",
                       event->allowed);
        break;
    case RD_HAZARD_ASSERT_FAILED:
        rd_sim_say(text, "the assertion '%s'", event->text);
        rd_sim_say_site(text, &event->actor.site);
        rd_sim_say(text, " failed in ");
        rd_sim_say_thread(text, &event->actor);
        break;
    case RD_HAZARD_LEAK:
        say_leak(text, event);
        break;
    case RD_HAZARD_OVER_BUDGET:
        say_access(text, f);
        rd_sim_say(text, ": %s number %" PRIu64 " of the thread, and %" PRIu64 " are allowed",
                   event->actor.op == RD_SIM_READ ? "global read" : "global write", event->made,
                   event->allowed);
        break;
    case RD_HAZARD_ILLEGAL_LAUNCH:
        if (event->launches) {
            rd_sim_say_thread(text, &event->actor);
            rd_sim_say(text, " launches a grid");
            rd_sim_say_site(text, &event->actor.site);
            rd_sim_say(text, ": %s", event->text);
            break;
        }
        rd_sim_say(text, "%s", event->text);
        rd_sim_say_site(text, &event->actor.site);
        break;
    case RD_HAZARD_ORDER_DEPENDENT:
        say_difference(text, f);
        break;
    case RD_HAZARD_UNDEFINED_ARITHMETIC:
        say_arithmetic(text, f, sum);
        break;
    default: /* a sentence that its detector makes */
        rd_sim_say_thread(text, &event->actor);
        rd_sim_say(text, " %s", event->text);
        rd_sim_say_site(text, &event->actor.site);
        break;
    }
    say_end(text, f, sum);
}
