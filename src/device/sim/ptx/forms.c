// SPDX-License-Identifier: MIT
/* The words that may stand beside a type: "add" has .sat of f32, but not of f64 (PTX ISA, the instructions' syntax). A form
 * that is not in the table is refused, so that no word of it is passed over. */
#include "device/sim/ptx/parse.h"

#define ROUNDINGS "rn rz rm rp "
#define BOOLEANS  "and or xor "
#define EQUAL     "eq ne " BOOLEANS
#define ORDERED   EQUAL "lt le gt ge "
#define FLOATING  ORDERED "equ neu ltu leu gtu geu num nan "

/* Instructions that have a row may have the forms of their rows alone. */
static const struct {
    const char *names, *types, *words;
    const char *needed; /* one of these stands there; NULL: none need */
} forms[] = {
    {"add sub", "u16 s16", "", NULL},
    {"add sub", "u32 u64 s64", "cc", NULL},
    {"add sub", "s32", "cc", NULL},
    {"add sub", "s32", "sat", NULL},
    {"mul mad", "u16 u32 s16 s32", "hi lo wide", "hi lo wide"},
    {"mul mad", "u64 s64", "hi lo", "hi lo"},
    {"mad", "u32 u64 s32 s64", "hi lo cc", "cc"},
    {"mad", "s32", "hi sat", "sat"},
    {"add sub mul", "f32", ROUNDINGS "ftz sat", NULL},
    {"add sub mul", "f64", ROUNDINGS, NULL},
    {"mad fma", "f32", ROUNDINGS "ftz sat", ROUNDINGS},
    {"mad fma div rcp sqrt", "f64", ROUNDINGS, ROUNDINGS},
    {"add sub mul", "f16 f16x2", "rn ftz sat", NULL},
    {"add sub mul", "bf16 bf16x2", "rn", NULL},
    {"fma", "f16 f16x2", "rn ftz sat relu", "rn"},
    {"fma", "bf16 bf16x2", "rn relu", "rn"},
    {"div", "u16 u32 u64 s16 s32 s64", "", NULL},
    {"div", "f32", ROUNDINGS "ftz approx full", ROUNDINGS "approx full"},
    {"rcp sqrt", "f32", ROUNDINGS "ftz approx", ROUNDINGS "approx"},
    {"rcp", "f64", "approx ftz", "ftz"},
    {"rsqrt", "f64", "approx ftz", "approx"},
    {"rsqrt sin cos ex2 lg2", "f32", "approx ftz", "approx"},
    {"ex2 tanh", "f16 f16x2", "approx", "approx"},
    {"ex2", "bf16 bf16x2", "approx ftz", "ftz"},
    {"tanh", "f32 bf16 bf16x2", "approx", "approx"},
    {"abs neg", "s16 s32 s64 f64 bf16 bf16x2", "", NULL},
    {"abs neg", "f32 f16 f16x2", "ftz", NULL},
    {"min max", "u16 u32 u64 s16 s32 s64 f64", "", NULL},
    {"min max", "f32 f16 f16x2", "ftz NaN", NULL},
    {"min max", "bf16 bf16x2", "NaN", NULL},
    {"setp set", "b16 b32 b64", EQUAL, NULL},
    {"setp set", "s16 s32 s64", ORDERED, NULL},
    {"setp set", "u16 u32 u64", ORDERED "lo ls hi hs", NULL},
    {"setp set", "f64 bf16 bf16x2", FLOATING, NULL},
    {"setp set", "f32 f16 f16x2", FLOATING "ftz", NULL},
    {"slct", "s32", "", NULL},
    {"slct", "f32", "ftz", NULL},
};

/* At most one of each row may stand there. */
static const char *const alternatives[] = {
    "rn rz rm rp rna rni rzi rmi rpi approx full",
    "sat relu",
    "hi lo wide",
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan",
    "and or xor",
};

/* Its words that stand in the list. */
static unsigned count(const struct rd_ptx_instruction *i, const char *list)
{
    unsigned n = 0;
    for (unsigned k = 0; k < RD_PTX_N_WORDS; k++)
        n += rd_ptx_is(i, (enum rd_ptx_word)k) &&
             rd_ptx_list_has(list, rd_ptx_word_text((enum rd_ptx_word)k));
    return n;
}

static unsigned count_all(const struct rd_ptx_instruction *i)
{
    unsigned n = 0;
    for (unsigned k = 0; k < RD_PTX_N_WORDS; k++)
        n += rd_ptx_is(i, (enum rd_ptx_word)k);
    return n;
}

static bool is_number(struct rd_ptx_type type)
{
    return type.kind == RD_PTX_UNSIGNED || type.kind == RD_PTX_SIGNED;
}

static bool is_single(struct rd_ptx_type type)
{
    return type.kind == RD_PTX_F && type.bits == 32 && !type.is_packed;
}

/* .relu, pairs and tf32 belong to conversions from f32, which have few words. */
static bool is_narrowing(const struct rd_ptx_instruction *i, struct rd_ptx_type to)
{
    const char *words = to.kind == RD_PTX_TF && !rd_ptx_is(i, RD_PTX_RELU) ? "rn rz rna" : "rn rz";
    return is_single(i->types[1]) && !is_number(to) &&
           (to.kind == RD_PTX_TF || rd_ptx_is_half(to)) && count(i, words) == 1 &&
           count_all(i) == 1u + rd_ptx_is(i, RD_PTX_RELU);
}

/* Integers are made of floats in one of four ways; other roundings belong to what loses digits. */
static bool is_conversion(const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type to = i->types[0], from = i->types[1];
    bool same = to.kind == from.kind && to.bits == from.bits;
    bool of_whole = count(i, "rni rzi rmi rpi") == 1;
    if (to.kind == RD_PTX_BITS || to.kind == RD_PTX_PRED || from.kind == RD_PTX_BITS ||
        from.kind == RD_PTX_PRED || from.kind == RD_PTX_TF || from.is_packed ||
        i->n != (to.is_packed ? 3 : 2))
        return false;
    if (to.is_packed || to.kind == RD_PTX_TF || rd_ptx_is(i, RD_PTX_RELU))
        return is_narrowing(i, to);
    if (rd_ptx_is(i, RD_PTX_FTZ) && !is_single(to) && !is_single(from))
        return false;
    if (is_number(to))
        return is_number(from) ? count_all(i) == count(i, "sat")
                               : of_whole && count_all(i) == 1 + count(i, "ftz sat");
    return count_all(i) == count(i, ROUNDINGS "ftz sat") + (of_whole && same) &&
           !(to.kind == RD_PTX_BF && rd_ptx_is(i, RD_PTX_SAT));
}

static bool has_alternatives(const struct rd_ptx_instruction *i)
{
    for (size_t k = 0; k < sizeof alternatives / sizeof *alternatives; k++)
        if (count(i, alternatives[k]) > 1)
            return true;
    return false;
}

bool rd_ptx_is_form(const struct rd_ptx_instruction *i)
{
    const char *name = i->opcode->name;
    bool has_row = strcmp(name, "cvt") == 0, is_found = has_row && is_conversion(i);
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        if (!rd_ptx_list_has(forms[k].names, name))
            continue;
        const char *type = rd_ptx_type_name(i->types[i->opcode->types - 1]);
        has_row = true;
        is_found = is_found || (rd_ptx_list_has(forms[k].types, type) &&
                                count_all(i) == count(i, forms[k].words) &&
                                (!forms[k].needed || count(i, forms[k].needed) > 0));
    }
    return !has_row || (is_found && i->n_types == i->opcode->types && !has_alternatives(i));
}
