// SPDX-License-Identifier: MIT
/* A text of PTX as it is interpreted. Private to the folder. */
#ifndef RD_SIM_PTX_INTERNAL_H
#define RD_SIM_PTX_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- words behind an instruction's name ---- */

/* Each with the name that C has for it. */
#define RD_PTX_WORDS(X)                                                                            \
    X(RN, "rn")                                                                                    \
    X(RZ, "rz")                                                                                    \
    X(RM, "rm")                                                                                    \
    X(RP, "rp")                                                                                    \
    X(RNA, "rna")                                                                                  \
    X(RNI, "rni")                                                                                  \
    X(RZI, "rzi")                                                                                  \
    X(RMI, "rmi")                                                                                  \
    X(RPI, "rpi")                                                                                  \
    X(FTZ, "ftz")                                                                                  \
    X(SAT, "sat")                                                                                  \
    X(SATFINITE, "satfinite")                                                                      \
    X(RELU, "relu")                                                                                \
    X(APPROX, "approx")                                                                            \
    X(FULL, "full")                                                                                \
    X(WIDE, "wide")                                                                                \
    X(HI, "hi")                                                                                    \
    X(LO, "lo")                                                                                    \
    X(CC, "cc")                                                                                    \
    X(NAN, "NaN")                                                                                  \
    X(EQ, "eq")                                                                                    \
    X(NE, "ne")                                                                                    \
    X(LT, "lt")                                                                                    \
    X(LE, "le")                                                                                    \
    X(GT, "gt")                                                                                    \
    X(GE, "ge")                                                                                    \
    X(LS, "ls")                                                                                    \
    X(HS, "hs")                                                                                    \
    X(EQU, "equ")                                                                                  \
    X(NEU, "neu")                                                                                  \
    X(LTU, "ltu")                                                                                  \
    X(LEU, "leu")                                                                                  \
    X(GTU, "gtu")                                                                                  \
    X(GEU, "geu")                                                                                  \
    X(NUM, "num")                                                                                  \
    X(ISNAN, "nan")                                                                                \
    X(AND, "and")                                                                                  \
    X(OR, "or")                                                                                    \
    X(XOR, "xor")                                                                                  \
    X(GLOBAL, "global")                                                                            \
    X(SHARED, "shared")                                                                            \
    X(SHARED_CTA, "shared::cta")                                                                   \
    X(SHARED_CLUSTER, "shared::cluster")                                                           \
    X(LOCAL, "local")                                                                              \
    X(CONST, "const")                                                                              \
    X(PARAM, "param")                                                                              \
    X(WEAK, "weak")                                                                                \
    X(VOLATILE, "volatile")                                                                        \
    X(RELAXED, "relaxed")                                                                          \
    X(ACQUIRE, "acquire")                                                                          \
    X(RELEASE, "release")                                                                          \
    X(ACQ_REL, "acq_rel")                                                                          \
    X(SC, "sc")                                                                                    \
    X(CTA, "cta")                                                                                  \
    X(CLUSTER, "cluster")                                                                          \
    X(GPU, "gpu")                                                                                  \
    X(SYS, "sys")                                                                                  \
    X(GL, "gl")                                                                                    \
    X(CA, "ca")                                                                                    \
    X(CG, "cg")                                                                                    \
    X(CS, "cs")                                                                                    \
    X(LU, "lu")                                                                                    \
    X(CV, "cv")                                                                                    \
    X(WB, "wb")                                                                                    \
    X(WT, "wt")                                                                                    \
    X(NC, "nc")                                                                                    \
    X(CACHE_HINT, "L2::cache_hint")                                                                \
    X(HINT, "L1::*")                                                                               \
    X(L1, "L1")                                                                                    \
    X(L2, "L2")                                                                                    \
    X(V2, "v2")                                                                                    \
    X(V4, "v4")                                                                                    \
    X(ADD, "add")                                                                                  \
    X(INC, "inc")                                                                                  \
    X(DEC, "dec")                                                                                  \
    X(EXCH, "exch")                                                                                \
    X(CAS, "cas")                                                                                  \
    X(MIN, "min")                                                                                  \
    X(MAX, "max")                                                                                  \
    X(NOFTZ, "noftz")                                                                              \
    X(SYNC, "sync")                                                                                \
    X(UP, "up")                                                                                    \
    X(DOWN, "down")                                                                                \
    X(BFLY, "bfly")                                                                                \
    X(IDX, "idx")                                                                                  \
    X(ALL, "all")                                                                                  \
    X(ANY, "any")                                                                                  \
    X(UNI, "uni")                                                                                  \
    X(BALLOT, "ballot")                                                                            \
    X(ARRIVE, "arrive")                                                                            \
    X(WAIT, "wait")                                                                                \
    X(RED, "red")                                                                                  \
    X(POPC, "popc")                                                                                \
    X(ALIGNED, "aligned")                                                                          \
    X(TO, "to")                                                                                    \
    X(F4E, "f4e")                                                                                  \
    X(B4E, "b4e")                                                                                  \
    X(RC8, "rc8")                                                                                  \
    X(ECL, "ecl")                                                                                  \
    X(ECR, "ecr")                                                                                  \
    X(RC16, "rc16")                                                                                \
    X(WARP, "warp")                                                                                \
    X(L, "l")                                                                                      \
    X(R, "r")                                                                                      \
    X(CLAMP, "clamp")                                                                              \
    X(WRAP, "wrap")                                                                                \
    X(SHIFTAMT, "shiftamt")                                                                        \
    X(M16N8K16, "m16n8k16")                                                                        \
    X(M16N8K8, "m16n8k8")                                                                          \
    X(M16N8K4, "m16n8k4")                                                                          \
    X(M16N8K32, "m16n8k32")                                                                        \
    X(M8N8, "m8n8")                                                                                \
    X(ROW, "row")                                                                                  \
    X(COL, "col")                                                                                  \
    X(X1, "x1")                                                                                    \
    X(X2, "x2")                                                                                    \
    X(X4, "x4")                                                                                    \
    X(TRANS, "trans")                                                                              \
    X(ASYNC, "async")                                                                              \
    X(COMMIT_GROUP, "commit_group")                                                                \
    X(WAIT_GROUP, "wait_group")                                                                    \
    X(WAIT_ALL, "wait_all")                                                                        \
    X(FINITE, "finite")                                                                            \
    X(INFINITE, "infinite")                                                                        \
    X(NUMBER, "number")                                                                            \
    X(NORMAL, "normal")                                                                            \
    X(SUBNORMAL, "subnormal")                                                                      \
    X(NOTANUMBER, "notanumber")                                                                    \
    X(LAUNCH_DEPENDENTS, "launch_dependents")
#define RD_PTX_WORD(name, text) RD_PTX_##name,
enum rd_ptx_word { RD_PTX_WORDS(RD_PTX_WORD) RD_PTX_N_WORDS };
#undef RD_PTX_WORD

/* A set of them. */
struct rd_ptx_set {
    uint64_t bits[(RD_PTX_N_WORDS + 63) / 64];
};
static inline bool rd_ptx_has(const struct rd_ptx_set *set, enum rd_ptx_word word)
{
    return set->bits[word / 64] >> (word % 64) & 1;
}
static inline void rd_ptx_add(struct rd_ptx_set *set, enum rd_ptx_word word)
{
    set->bits[word / 64] |= UINT64_C(1) << (word % 64);
}

/* ---- types ---- */

enum rd_ptx_kind {
    RD_PTX_BITS,
    RD_PTX_UNSIGNED,
    RD_PTX_SIGNED,
    RD_PTX_F,
    RD_PTX_BF,
    RD_PTX_TF,
    RD_PTX_PRED
};
struct rd_ptx_type {
    enum rd_ptx_kind kind;
    unsigned bits;  /* of the whole */
    bool is_packed; /* two of them, as f16x2 */
};

/* ---- operands ---- */

enum {
    RD_PTX_NAME_SIZE = 40,
    RD_PTX_PARTS_MAX = 8,
    RD_PTX_OPERANDS_MAX = 7,
    RD_PTX_SLOTS_MAX = 192,
    RD_PTX_USER_MAX = 64
};

enum rd_ptx_special {
    RD_PTX_TID_X,
    RD_PTX_TID_Y,
    RD_PTX_TID_Z,
    RD_PTX_NTID_X,
    RD_PTX_NTID_Y,
    RD_PTX_NTID_Z,
    RD_PTX_CTAID_X,
    RD_PTX_CTAID_Y,
    RD_PTX_CTAID_Z,
    RD_PTX_NCTAID_X,
    RD_PTX_NCTAID_Y,
    RD_PTX_NCTAID_Z,
    RD_PTX_LANEID,
    RD_PTX_WARPID,
    RD_PTX_NWARPID,
    RD_PTX_SMID,
    RD_PTX_NSMID,
    RD_PTX_GRIDID,
    RD_PTX_LANEMASK_EQ,
    RD_PTX_LANEMASK_LE,
    RD_PTX_LANEMASK_LT,
    RD_PTX_LANEMASK_GE,
    RD_PTX_LANEMASK_GT,
    RD_PTX_CLOCK,
    RD_PTX_CLOCK_HI,
    RD_PTX_CLOCK64,
    RD_PTX_GLOBALTIMER,
    RD_PTX_GLOBALTIMER_LO,
    RD_PTX_GLOBALTIMER_HI,
    RD_PTX_DYNAMIC_SMEM_SIZE,
    RD_PTX_TOTAL_SMEM_SIZE,
    RD_PTX_WARP_SZ,
    RD_PTX_N_SPECIALS
};

struct rd_ptx_part {
    enum { RD_PTX_NONE, RD_PTX_SLOT, RD_PTX_INTEGER, RD_PTX_REAL, RD_PTX_SPECIAL } kind;
    bool is_negated;  /* !p */
    unsigned slot;    /* or the special register */
    uint64_t integer; /* of a real the bits of a double */
};
struct rd_ptx_operand {
    enum { RD_PTX_SINGLE, RD_PTX_VECTOR, RD_PTX_ADDRESS, RD_PTX_PAIR } form;
    unsigned n; /* parts */
    struct rd_ptx_part parts[RD_PTX_PARTS_MAX];
    int64_t offset; /* of an address */
};

/* ---- instructions ---- */

struct rd_ptx_machine;
struct rd_ptx_instruction;
typedef void rd_ptx_run(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);

struct rd_ptx_opcode {
    const char *name;
    rd_ptx_run *run;
    unsigned least, most; /* operands */
    const char *words;    /* those that may stand behind it */
    unsigned types;       /* so many types stand there, at least */
};
extern const struct rd_ptx_opcode rd_ptx_opcodes[];

struct rd_ptx_instruction {
    const struct rd_ptx_opcode *opcode;
    struct rd_ptx_part guard; /* none: always */
    struct rd_ptx_set words;
    struct rd_ptx_type types[5];
    unsigned n_types, n;
    enum rd_ptx_word first_space; /* the first of its spaces */
    bool has_space;
    struct rd_ptx_operand operands[RD_PTX_OPERANDS_MAX];
};

struct rd_ptx_program {
    char *text, *constraints; /* copies */
    unsigned n_user, n_slots, n, capacity;
    unsigned char *widths; /* bits of each slot; 1 of a predicate */
    uint64_t outputs;      /* a bit for each operand that is "=": it begins unset */
    char (*names)[RD_PTX_NAME_SIZE];
    struct rd_ptx_instruction *code;
    char *refusal; /* not NULL: what is not simulated in it */
};

/* Reads the text; never NULL but without memory. */
struct rd_ptx_program *rd_ptx_parse(const char *text, const char *constraints);
void rd_ptx_destroy(struct rd_ptx_program *program);

/* ---- the machine ---- */

struct rd_ptx_machine {
    const struct rd_ptx_program *program;
    uint64_t *values;     /* of the slots */
    uint64_t written;     /* operands of the user's */
    unsigned char *unset; /* slots that nothing has written */
    const char *file;
    unsigned line; /* with the number of a barrier */
    uintptr_t pc;  /* where the statement returns to */
    uintptr_t frame;
    const struct rd_ptx_instruction *at;
};

/* The line of the statement, without the number of a barrier. */
unsigned rd_ptx_line(const struct rd_ptx_machine *m);

/* Ends the run at what is not simulated. */
_Noreturn void rd_ptx_refuse(struct rd_ptx_machine *m, const char *what);

static inline bool rd_ptx_is(const struct rd_ptx_instruction *i, enum rd_ptx_word word)
{
    return rd_ptx_has(&i->words, word);
}
static inline uint64_t rd_ptx_mask(unsigned bits)
{
    return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}
static inline int64_t rd_ptx_extended(uint64_t x, unsigned bits)
{
    return bits >= 64 ? (int64_t)x : (int64_t)(x << (64 - bits)) >> (64 - bits);
}

/* Part k of an operand, as bits of this type. */
uint64_t rd_ptx_get_part(struct rd_ptx_machine *m, const struct rd_ptx_part *part,
                         struct rd_ptx_type type);
/* Operand `number`. */
static inline uint64_t rd_ptx_get(struct rd_ptx_machine *m, unsigned number,
                                  struct rd_ptx_type type)
{
    return rd_ptx_get_part(m, &m->at->operands[number].parts[0], type);
}
void rd_ptx_put_part(struct rd_ptx_machine *m, const struct rd_ptx_part *part, uint64_t bits);
static inline void rd_ptx_put(struct rd_ptx_machine *m, unsigned number, uint64_t bits)
{
    rd_ptx_put_part(m, &m->at->operands[number].parts[0], bits);
}
/* The generic address that an operand has, in the instruction's space. */
uintptr_t rd_ptx_address(struct rd_ptx_machine *m, unsigned number, enum rd_ptx_word space,
                         bool has_space);

static const struct rd_ptx_type rd_ptx_b32 = {RD_PTX_BITS, 32, false},
                                rd_ptx_b64 = {RD_PTX_BITS, 64, false},
                                rd_ptx_pred = {RD_PTX_PRED, 1, false};

/* Tells whether it is a float of 16 bits, or two of them. */
static inline bool rd_ptx_is_half(struct rd_ptx_type type)
{
    return type.bits == 16 || type.is_packed;
}

/* Numbers of a type from their bits, and back; rounded as the words say (to nearest without). */
double rd_ptx_real_of(uint64_t bits, struct rd_ptx_type type);
uint64_t rd_ptx_nearest(double x, struct rd_ptx_type type);
/* A tf32 of a number of 32 bits, rounded as the words say. */
uint64_t rd_ptx_tf32(double x, const struct rd_ptx_instruction *i);
/* The bits of one number, or a zero of its sign if it is a subnormal one. */
uint64_t rd_ptx_without_subnormal(uint64_t bits, struct rd_ptx_type type);
/* The NaN of all ones but for the sign. */
uint64_t rd_ptx_canonical_nan(struct rd_ptx_type type);

/* Runs the instructions, each in its file. */
#define RD_PTX_RUNS(X)                                                                             \
    X(mov)                                                                                         \
    X(add)                                                                                         \
    X(sub)                                                                                         \
    X(addc)                                                                                        \
    X(subc)                                                                                        \
    X(mul)                                                                                         \
    X(mad)                                                                                         \
    X(madc)                                                                                        \
    X(mul24)                                                                                       \
    X(mad24)                                                                                       \
    X(sad)                                                                                         \
    X(div)                                                                                         \
    X(rem)                                                                                         \
    X(abs)                                                                                         \
    X(neg)                                                                                         \
    X(min)                                                                                         \
    X(max)                                                                                         \
    X(and)                                                                                         \
    X(or)                                                                                          \
    X(xor)                                                                                         \
    X(not )                                                                                        \
    X(cnot)                                                                                        \
    X(shl)                                                                                         \
    X(shr)                                                                                         \
    X(shf)                                                                                         \
    X(lop3)                                                                                        \
    X(prmt)                                                                                        \
    X(bfe)                                                                                         \
    X(bfi)                                                                                         \
    X(bfind)                                                                                       \
    X(popc)                                                                                        \
    X(clz)                                                                                         \
    X(brev)                                                                                        \
    X(cvt)                                                                                         \
    X(setp)                                                                                        \
    X(set)                                                                                         \
    X(selp)                                                                                        \
    X(slct)                                                                                        \
    X(fma)                                                                                         \
    X(rcp)                                                                                         \
    X(sqrt)                                                                                        \
    X(rsqrt)                                                                                       \
    X(sin)                                                                                         \
    X(cos)                                                                                         \
    X(ex2)                                                                                         \
    X(lg2)                                                                                         \
    X(tanh)                                                                                        \
    X(copysign)                                                                                    \
    X(testp)                                                                                       \
    X(dp4a)                                                                                        \
    X(vabsdiff4)                                                                                   \
    X(fns)                                                                                         \
    X(ld)                                                                                          \
    X(st)                                                                                          \
    X(atom)                                                                                        \
    X(red)                                                                                         \
    X(cvta)                                                                                        \
    X(isspacep)                                                                                    \
    X(cp)                                                                                          \
    X(nothing)                                                                                     \
    X(fence)                                                                                       \
    X(shfl)                                                                                        \
    X(vote)                                                                                        \
    X(match)                                                                                       \
    X(activemask)                                                                                  \
    X(redux)                                                                                       \
    X(elect)                                                                                       \
    X(bar)                                                                                         \
    X(trap)                                                                                        \
    X(exit)                                                                                        \
    X(ldmatrix)                                                                                    \
    X(mma)
#define RD_PTX_RUN(name)                                                                           \
    void rd_ptx_run_##name(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
RD_PTX_RUNS(RD_PTX_RUN)
#undef RD_PTX_RUN

#endif
