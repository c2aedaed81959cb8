// SPDX-License-Identifier: MIT
/* Codes at work. */
#include "law/lanes.h"

#include <string.h>

static bool divide(int64_t x, int64_t y, int64_t *quotient, int64_t *remainder)
{
    if (y == 0 || (x == INT64_MIN && y == -1))
        return false;
    *quotient = x / y;
    *remainder = x % y;
    if (*remainder != 0 && (*remainder < 0) != (y < 0)) {
        *quotient -= 1;
        *remainder += y;
    }
    return true;
}

static bool power_of(int64_t base, int64_t exponent, int64_t *value)
{
    *value = 1;
    if (exponent < 0 || exponent > 63)
        return false;
    for (; exponent > 0; exponent--)
        if (__builtin_mul_overflow(*value, base, value))
            return false;
    return true;
}

static bool root(int64_t x, bool up, int64_t *value)
{
    if (x < 0)
        return false;
    *value = 0;
    for (int64_t bit = (int64_t)1 << 31; bit > 0; bit >>= 1)
        if ((*value | bit) <= 3037000499 && (*value | bit) * (*value | bit) <= x)
            *value |= bit;
    *value += up && *value * *value != x;
    return true;
}

bool rd_lane_of_one(enum lane_step step, int64_t x, int64_t *value)
{
    *value = x;
    switch (step) {
    case LANE_NEGATIVE:
        return !__builtin_sub_overflow((int64_t)0, x, value);
    case LANE_NATURAL:
        return x >= 0;
    case LANE_ABS:
        *value = x < 0 ? -x : x;
        return x != INT64_MIN;
    case LANE_LOG2:
        *value = x < 1 ? 0 : 63 - __builtin_clzll((unsigned long long)x);
        return x >= 1;
    case LANE_BIT_CEIL:
        for (*value = 1; *value < x; *value *= 2)
            if (*value > INT64_MAX / 2)
                return false;
        return true;
    case LANE_FLOOR_ROOT:
    case LANE_CEIL_ROOT:
        return root(x, step == LANE_CEIL_ROOT, value);
    default:
        *value = !x;
        return true;
    }
}

/* Computes one operation of two numbers; inlined, so that the choice is gone if the step is a constant. */
static inline __attribute__((always_inline)) bool of_two(enum lane_step step, int64_t x, int64_t y,
                                                         int64_t *value)
{
    int64_t remainder;
    switch (step) {
    case LANE_ADD:
        return !__builtin_add_overflow(x, y, value);
    case LANE_SUBTRACT:
        return !__builtin_sub_overflow(x, y, value);
    case LANE_TIMES:
        return !__builtin_mul_overflow(x, y, value);
    case LANE_QUOTIENT:
        return divide(x, y, value, &remainder);
    case LANE_CEILING:
        if (!divide(x, y, value, &remainder))
            return false;
        *value += remainder != 0;
        return true;
    case LANE_REMAINDER:
        return divide(x, y, &remainder, value);
    case LANE_XOR:
        *value = x ^ y;
        return x >= 0 && y >= 0;
    case LANE_POWER:
        return power_of(x, y, value);
    case LANE_MIN:
        *value = y < x ? y : x;
        return true;
    case LANE_MAX:
        *value = y > x ? y : x;
        return true;
    case LANE_LESS:
        *value = x < y;
        return true;
    case LANE_LESS_EQUAL:
        *value = x <= y;
        return true;
    case LANE_EQUAL:
        *value = x == y;
        return true;
    case LANE_AND:
        *value = x & y;
        return true;
    default:
        *value = x | y;
        return true;
    }
}

bool rd_lane_of_two(enum lane_step step, int64_t x, int64_t y, int64_t *value)
{
    return of_two(step, x, y, value);
}

bool rd_lane_is_of_one(enum lane_step step)
{
    return step == LANE_NEGATIVE || step == LANE_NATURAL || step == LANE_NOT ||
           (step >= LANE_ABS && step <= LANE_CEIL_ROOT);
}

static inline bool is_leaf(const struct lane_code_step *step)
{
    return step->step == LANE_CONSTANT || step->step == LANE_VARIABLE;
}

static inline int64_t leaf(const struct lane_code_step *step, const int64_t *values)
{
    return step->step == LANE_CONSTANT ? step->number : values[step->number];
}

int64_t rd_lane_evaluate_steps(struct lane_work *work, const struct lane_code *code,
                               const int64_t *values)
{
    const struct lane_code_step *steps = code->steps;
    if (code->count == 3 && is_leaf(&steps[1])) { /* x + y: most are of this kind */
        int64_t value;
        if (of_two(steps[2].step, leaf(&steps[0], values), leaf(&steps[1], values), &value))
            return value;
        work->gave_up = true;
        return 0;
    }
    int64_t stack[LANE_STACK];
    int64_t *top = stack; /* behind the last */
    for (size_t k = 0; k < code->count; k++) {
        const struct lane_code_step *step = &code->steps[k];
        bool failed = false;
        switch (step->step) {
        case LANE_CONSTANT:
            *top++ = step->number;
            break;
        case LANE_VARIABLE:
            *top++ = values[step->number];
            break;
        case LANE_ADD: /* the most frequent ones stand here, too */
            top--;
            failed = __builtin_add_overflow(top[-1], *top, &top[-1]);
            break;
        case LANE_SUBTRACT:
            top--;
            failed = __builtin_sub_overflow(top[-1], *top, &top[-1]);
            break;
        case LANE_TIMES:
            top--;
            failed = __builtin_mul_overflow(top[-1], *top, &top[-1]);
            break;
        default:
            if (rd_lane_is_of_one(step->step)) {
                failed = !rd_lane_of_one(step->step, top[-1], &top[-1]);
                break;
            }
            top--;
            failed = !rd_lane_of_two(step->step, top[-1], *top, &top[-1]);
            break;
        }
        if (failed) {
            work->gave_up = true;
            return 0;
        }
    }
    return stack[0];
}

/* ---- straight lines ---- */

/* start + k*slope in lane k; `last` in the last lane. */
struct line {
    int64_t start, slope, last;
};

static struct line constant_line(int64_t number)
{
    return (struct line){number, 0, number};
}

/* start and last are known. */
static bool set_slope(struct line *line, int64_t slope)
{
    line->slope = slope;
    return true;
}

/* Divides a line of numbers: if all have the same quotient, it is a constant, and the remainder a line. */
static bool divide_line(enum lane_step step, struct line *x, int64_t y)
{
    int64_t first, last, from, to;
    if (y <= 0 || !divide(x->start, y, &first, &from) || !divide(x->last, y, &last, &to) ||
        first != last)
        return false;
    *x = step == LANE_QUOTIENT ? constant_line(first) : (struct line){from, x->slope, to};
    return true;
}

/* A comparison that is the same at both ends: so it is between them, but for equality of lines that cross. */
static bool compare_lines(enum lane_step step, struct line *x, const struct line *y)
{
    int64_t first, last;
    of_two(step, x->start, y->start, &first);
    of_two(step, x->last, y->last, &last);
    if (first != last || (step == LANE_EQUAL && x->slope != y->slope &&
                          (first || (x->start < y->start) != (x->last < y->last))))
        return false;
    *x = constant_line(first);
    return true;
}

/* x = x step y; false where that isn't a line, or has no value. */
static bool two_lines(enum lane_step step, struct line *x, const struct line *y)
{
    int64_t slope;
    switch (step) {
    case LANE_ADD:
    case LANE_SUBTRACT:
        return of_two(step, x->start, y->start, &x->start) &&
               of_two(step, x->last, y->last, &x->last) &&
               of_two(step, x->slope, y->slope, &slope) && set_slope(x, slope);
    case LANE_TIMES:
        slope = x->slope != 0 ? y->start : x->start;
        return (x->slope == 0 || y->slope == 0) &&
               !__builtin_mul_overflow(slope, x->slope + y->slope, &slope) &&
               of_two(step, x->start, y->start, &x->start) &&
               of_two(step, x->last, y->last, &x->last) && set_slope(x, slope);
    case LANE_LESS:
    case LANE_LESS_EQUAL:
    case LANE_EQUAL:
        return compare_lines(step, x, y);
    case LANE_MIN:
    case LANE_MAX:
        if ((x->start <= y->start) != (x->last <= y->last))
            return false;
        *x = (x->start <= y->start) == (step == LANE_MIN) ? *x : *y;
        return true;
    case LANE_QUOTIENT:
    case LANE_REMAINDER:
        if (x->slope != 0 && y->slope == 0)
            return divide_line(step, x, y->start);
        break;
    default:
        break;
    }
    if (x->slope != 0 || y->slope != 0 || !of_two(step, x->start, y->start, &slope))
        return false;
    *x = constant_line(slope);
    return true;
}

static bool one_line(enum lane_step step, struct line *x)
{
    int64_t value;
    if (step == LANE_NATURAL)
        return x->start >= 0 && x->last >= 0;
    if (x->slope != 0 || !rd_lane_of_one(step, x->start, &value))
        return false;
    *x = constant_line(value);
    return true;
}

static bool load_line(const struct lane_frame *frame, unsigned v, struct line *line)
{
    *line = constant_line(frame->here[v]);
    if (!(frame->varying & (uint64_t)1 << v))
        return true;
    return !__builtin_sub_overflow(frame->next[v], frame->here[v], &line->slope) &&
           !__builtin_mul_overflow((int64_t)frame->count - 1, line->slope, &line->last) &&
           !__builtin_add_overflow(line->last, line->start, &line->last);
}

bool rd_lane_straight(const struct lane_code *code, const struct lane_frame *frame, int64_t *start,
                      int64_t *slope)
{
    struct line stack[LANE_STACK], *top = stack; /* behind the last */
    stack[0] = constant_line(0);
    for (size_t k = 0; k < code->count; k++) {
        const struct lane_code_step *step = &code->steps[k];
        bool is_line = true;
        if (step->step == LANE_CONSTANT)
            *top++ = constant_line(step->number);
        else if (step->step == LANE_VARIABLE)
            is_line = load_line(frame, (unsigned)step->number, top++);
        else if (rd_lane_is_of_one(step->step))
            is_line = one_line(step->step, top - 1);
        else
            is_line = (top--, two_lines(step->step, top - 1, top));
        if (!is_line)
            return false;
    }
    *start = stack->start;
    *slope = stack->slope;
    return true;
}

bool rd_lane_line(struct lane_work *work, const struct lane_code *code,
                  const struct lane_frame *frame, int64_t *start, int64_t *slope)
{
    if (frame->count > 1 && (code->curved & frame->varying))
        return rd_lane_straight(code, frame, start, slope);
    *start = rd_lane_evaluate(work, code, frame->here);
    *slope = 0;
    if ((code->variables & frame->varying) && frame->count > 1 &&
        __builtin_sub_overflow(rd_lane_evaluate(work, code, frame->next), *start, slope))
        work->gave_up = true;
    return true;
}

/* ---- in all lanes ---- */

enum { COLUMN = 32 }; /* lanes at a time: the stack of them lies on that of a thread */

/* The same number in all lanes stands in the first alone. */
struct column {
    bool same;
    int64_t numbers[COLUMN];
};

static void load_column(const struct lane_frame *frame, unsigned v, size_t first, size_t count,
                        struct column *column)
{
    column->same = !(frame->varying & (uint64_t)1 << v);
    if (column->same) {
        column->numbers[0] = frame->here[v];
        return;
    }
    const int64_t slope = frame->next[v] - frame->here[v];
    for (size_t k = 0; k < count; k++)
        column->numbers[k] = frame->here[v] + (int64_t)(first + k) * slope;
}

static void spread(struct column *column, size_t count)
{
    for (size_t k = 1; column->same && k < count; k++)
        column->numbers[k] = column->numbers[0];
    column->same = false;
}

static bool column_of_one(enum lane_step step, struct column *x, size_t count)
{
    bool failed = false;
    for (size_t k = 0; k < (x->same ? 1 : count); k++)
        failed |= !rd_lane_of_one(step, x->numbers[k], &x->numbers[k]);
    return !failed;
}

/* x[k] = x[k] step y[k]; of the same y, y[0]. */
static inline __attribute__((always_inline)) bool
two_columns(enum lane_step step, int64_t *restrict x, const struct column *restrict y, size_t count)
{
    bool failed = false;
    const int64_t same = y->numbers[0];
    if (y->same)
        for (size_t k = 0; k < count; k++)
            failed |= !of_two(step, x[k], same, &x[k]);
    else
        for (size_t k = 0; k < count; k++)
            failed |= !of_two(step, x[k], y->numbers[k], &x[k]);
    return !failed;
}

/* x div 2^k and x mod 2^k, which are rounded down as a shift and a mask are. */
static bool by_power_of_two(enum lane_step step, int64_t *x, int64_t y, size_t count)
{
    const int shift = __builtin_ctzll((unsigned long long)y);
    for (size_t k = 0; step == LANE_REMAINDER && k < count; k++)
        x[k] &= y - 1;
    for (size_t k = 0; step == LANE_QUOTIENT && k < count; k++)
        x[k] >>= shift;
    return true;
}

/* False where one has no value. */
static bool column_of_two(enum lane_step step, struct column *x, const struct column *y,
                          size_t count)
{
    if (x->same && y->same)
        return of_two(step, x->numbers[0], y->numbers[0], &x->numbers[0]);
    spread(x, count);
    switch (step) { /* those that are frequent have loops of their own */
    case LANE_ADD:
        return two_columns(LANE_ADD, x->numbers, y, count);
    case LANE_SUBTRACT:
        return two_columns(LANE_SUBTRACT, x->numbers, y, count);
    case LANE_TIMES:
        return two_columns(LANE_TIMES, x->numbers, y, count);
    case LANE_QUOTIENT:
    case LANE_REMAINDER:
        if (y->same && y->numbers[0] > 0 && (y->numbers[0] & (y->numbers[0] - 1)) == 0)
            return by_power_of_two(step, x->numbers, y->numbers[0], count);
        return two_columns(step, x->numbers, y, count);
    case LANE_XOR:
        return two_columns(LANE_XOR, x->numbers, y, count);
    case LANE_LESS:
        return two_columns(LANE_LESS, x->numbers, y, count);
    case LANE_EQUAL:
        return two_columns(LANE_EQUAL, x->numbers, y, count);
    default:
        return two_columns(step, x->numbers, y, count);
    }
}

static bool evaluate_column(const struct lane_code *code, const struct lane_frame *frame,
                            size_t first, size_t count, int64_t *numbers)
{
    struct column stack[LANE_STACK], *top = stack; /* behind the last */
    stack->same = false;
    for (size_t k = 0; k < code->count; k++) {
        const struct lane_code_step *step = &code->steps[k];
        bool has_value = true;
        if (step->step == LANE_VARIABLE) {
            load_column(frame, (unsigned)step->number, first, count, top++);
        } else if (step->step == LANE_CONSTANT) {
            top->same = true;
            top++->numbers[0] = step->number;
        } else if (rd_lane_is_of_one(step->step)) {
            has_value = column_of_one(step->step, top - 1, count);
        } else {
            top--;
            has_value = column_of_two(step->step, top - 1, top, count);
        }
        if (!has_value)
            return false;
    }
    spread(stack, count);
    memcpy(numbers, stack->numbers, count * sizeof *numbers);
    return true;
}

bool rd_lane_numbers(const struct lane_code *code, const struct lane_frame *frame,
                     int64_t numbers[RD_LANES_MAX])
{
    for (size_t first = 0; first < frame->count; first += COLUMN) {
        const size_t left = frame->count - first;
        if (!evaluate_column(code, frame, first, left < COLUMN ? left : COLUMN, numbers + first))
            return false;
    }
    return true;
}

void rd_lane_only(const struct lane_frame *frame, size_t k, struct lane_frame *one)
{
    memcpy(one->here, frame->here, sizeof one->here);
    one->count = 1;
    one->varying = 0;
    for (uint64_t left = frame->varying; left != 0; left &= left - 1) {
        const unsigned v = (unsigned)__builtin_ctzll(left);
        one->here[v] += (int64_t)k * (frame->next[v] - frame->here[v]);
    }
}
