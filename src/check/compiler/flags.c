// SPDX-License-Identifier: MIT
/* What the C++ compiler is told: how the source is instrumented and optimised, and the user's own macros and options. */
#include "check/compiler/compiler_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- the user's macros ---- */

/* Tells whether a compiler's argument defines or undefines a macro with a name that headers may use for something of their
 * own: one of the user's, as N or T, and none that is reserved. */
static bool is_of_user(const char *argument)
{
    return argument[0] == '-' && (argument[1] == 'D' || argument[1] == 'U') &&
           (isalpha((unsigned char)argument[2]) != 0);
}

enum rd_status rd_check_compiler_write_macros(const struct rd_check_compiler *compiler,
                                              struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", compiler->directory, RD_CHECK_MACROS);
    FILE *file = fopen(path, "w");
    const char *const *given = compiler->options->compiler_args;
    for (; file && given && *given; given++) {
        const char *name = *given + 2, *equals = strchr(name, '=');
        if (!is_of_user(*given))
            continue;
        if ((*given)[1] == 'U')
            fprintf(file, "#undef %s\n", name);
        else
            fprintf(file, "#define %.*s %s\n", (int)(equals ? equals - name : (long)strlen(name)),
                    name, equals ? equals + 1 : "1");
    }
    if (!file || fclose(file) != 0)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
    return RD_OK;
}

/* ---- what it is told ---- */

/* Integers wrap: of overflow the checks then tell that of a division alone. Two barriers or accesses must
 * not become one, nor one access several; shared variables must not share a section; copies and allocations
 * must be calls, and of the plain functions: some systems harden them without being asked. */
static const char *const common[] = {
    "-std=gnu++17",
    "-pipe", /* no file of its own, which would stay when it is ended */
    "-g",
    "-fPIC",
    "-w",
    "-fwrapv",
    "-fstack-clash-protection", /* a large frame ends here, too */
    "-fno-stack-protector",     /* as a device has none; some systems ask for it by themselves */
    "-fsanitize=shift-exponent",
    "-fsanitize=float-cast-overflow",
    "-fsanitize=integer-divide-by-zero",
    "-fsanitize=signed-integer-overflow",
    "-fdata-sections",
    "-fno-threadsafe-statics",
    "-fno-strict-aliasing",
    "-U_FORTIFY_SOURCE",
    "-fno-builtin-memcpy",
    "-fno-builtin-memset",
    "-fno-builtin-memmove",
    "-fno-builtin-memcmp",
    "-fno-builtin-strcpy",
    "-fno-builtin-strncpy",
    "-fno-builtin-strcat",
    "-fno-builtin-sprintf",
    "-fno-builtin-snprintf",
    "-fno-builtin-malloc",
    "-fno-builtin-free",
    NULL};
/* Checks are of the source as it stands. Both set the hooks behind most of the passes that -O1 asks
 * for, which drop a read that nobody wants and read but once a flag that a loop waits for. Hooks cost
 * far more than the code between them: it is as fast without. What is written to an allocation that
 * is then freed must be written; a new may give NULL. A static variable that no function writes is none
 * the less no constant: the host writes it. An access that is known to be misaligned is told
 * as one of bytes: the check of alignment says which these are. It takes the address of each variable that it checks: what
 * such an address points to is worked out, or each local variable would have hooks, as one that others may reach. */
static const char *const gcc[] = {
    "--param=tsan-distinguish-volatile=1", "-fno-tree-dce", "-fno-tree-fre", "-fno-ipa-pure-const",
    "-fno-ipa-reference-addressable", "-fsanitize=bounds", "-fsanitize=alignment",
    "-fno-extern-tls-init", "-fno-tree-tail-merge", "-fno-crossjumping",
    "-fno-optimize-sibling-calls", "-fno-tree-sra", "-ftree-pta", "-fno-allocation-dce",
    "-fcheck-new", "-fpermissive",
    /* A link to a toolkit's header is beside ours, however long its path. */
    "-fno-canonical-system-headers", NULL};
/* No hook tells of what a call takes and gives by value: each such struct is copied, and the hooks tell of that, in
 * functions that are inlined where they are small, as all that do nothing but copy (see rd_sim_source_line). The build for
 * local variables inlines nothing, and has hooks of calls. */
static const char *const gcc_thread[] = {"-fno-elide-constructors", NULL};
/* Nobody listens to hooks at a function's beginning and end. */
static const char *const gcc_12_thread[] = {"--param=tsan-instrument-func-entry-exit=0", NULL};
static const char *const gcc_plain[] = {"-Og", NULL};
/* GCC makes one operation of two in a pass that -Og leaves out. The others that come with it drop
 * accesses, merge or move them. */
static const char *const gcc_fmad[] = {"-O1",
                                       "-fexpensive-optimizations",
                                       "-fno-tree-dse",
                                       "-fno-tree-pre",
                                       "-fno-ipa-modref",
                                       "-fno-tree-loop-optimize",
                                       "-fno-tree-sink",
                                       "-fno-tree-dominator-opts",
                                       "-fno-tree-copy-prop",
                                       "-fno-tree-ch",
                                       "-fno-if-conversion",
                                       "-fno-if-conversion2",
                                       "-fno-tree-phiprop",
                                       "-fno-ssa-phiopt",
                                       "-fno-inline-functions-called-once",
                                       "-fno-tree-ter",
                                       "-fno-move-loop-invariants",
                                       "-fno-tree-slsr",
                                       "-fno-tree-bit-ccp",
                                       "-fno-tree-ccp",
                                       "-fno-tree-forwprop",
                                       "-fno-tree-reassoc",
                                       NULL};
/* Terms that cancel, as x - x, are computed: the simplifications of expressions are counted, and none is
 * made. */
static const char *const gcc_11[] = {"-fdbg-cnt=match:0", NULL};
/* Its bounds of local arrays would trap; it leaves out reads before writes, and the table by which
 * lines are found, unless it is asked. A vector it takes apart all the same. */
static const char *const clang[] = {"-O0",
                                    "-fsanitize=array-bounds",
                                    "-gdwarf-aranges",
                                    "-mllvm",
                                    "-tsan-instrument-read-before-write=1",
                                    "-mllvm",
                                    "-tsan-distinguish-volatile=1",
                                    NULL};

/* For local variables: each in a zone of its own, and comparisons told. Optimised, they would be in
 * registers. */
static const char *const gcc_private[] = {"-O0",
                                          "-fsanitize=kernel-address",
                                          "--param=asan-stack=1",
                                          "--param=asan-globals=0",
                                          "--param=asan-instrumentation-with-call-threshold=0",
                                          "-fsanitize-address-use-after-scope",
                                          "-fsanitize-coverage=trace-cmp",
                                          "--param=logical-op-non-short-circuit=0",
                                          NULL};
static const char *const clang_private[] = {"-fsanitize=kernel-address",
                                            "-mllvm",
                                            "-asan-stack=1",
                                            "-mllvm",
                                            "-asan-globals=0",
                                            "-mllvm",
                                            "-asan-instrumentation-with-call-threshold=0",
                                            "-mllvm",
                                            "-asan-use-after-scope=1",
                                            "-fsanitize-coverage=trace-cmp",
                                            NULL};

bool rd_check_compiler_fills(const struct rd_check_compiler *compiler)
{
    return compiler->gcc >= 12 || compiler->clang >= 8;
}

static void add_fill(struct rd_check_command *command, const struct rd_check_compiler *compiler,
                     enum rd_check_build build)
{
    if (!compiler->options->private_memory || !rd_check_compiler_fills(compiler))
        return;
    /* Since 13, GCC takes a variable that is set on some paths for one that always has that value, filled or not. */
    if (compiler->gcc >= 13)
        rd_check_command_add(command, "-fno-tree-ccp");
    if (build == RD_CHECK_BUILD_PLAIN_OTHERWISE || build == RD_CHECK_BUILD_PRIVATE_OTHERWISE) {
        rd_check_command_add(command, "-ftrivial-auto-var-init=pattern");
        return;
    }
    rd_check_command_add(command, "-ftrivial-auto-var-init=zero");
    if (compiler->clang && compiler->clang < 16)
        rd_check_command_add(
            command, "-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang");
}

/* Within an expression: without its optimiser, clang contracts there alone. */
static void add_contraction(struct rd_check_command *command,
                            const struct rd_check_compiler *compiler)
{
    if (!compiler->options->fmad) {
        rd_check_command_add(command, "-ffp-contract=off");
        return;
    }
    rd_check_command_add(command, compiler->clang ? "-ffp-contract=on" : "-ffp-contract=fast");
#ifdef __x86_64__
    rd_check_command_add(command, "-mfma");
#endif
}

/* Adds an argument of the user's. What was written for an older C++ than the simulator's headers is read as theirs, C++14. */
static void add_given(struct rd_check_command *command, const char *argument)
{
    static const char *const older[] = {"98", "03", "0x", "11", NULL};
    const char *year = strncmp(argument, "-std=", 5) == 0 ? strstr(argument, "++") : NULL;
    for (size_t k = 0; year && older[k]; k++)
        if (strcmp(year + 2, older[k]) == 0)
            argument = "-std=gnu++14";
    rd_check_command_add(command, argument);
}

static void add_users(struct rd_check_command *command, const struct rd_check_compiler *compiler)
{
    const char *const *given = compiler->options->compiler_args;
    for (; given && *given; given++)
        if (!is_of_user(*given) &&
            (strncmp(*given, "-I", 2) != 0 || !rd_check_is_toolkit(*given + 2)))
            add_given(command, *given);
}

/* For what the compiler says, and no object. */
static const char *const warnings[] = {"-std=gnu++17", "-fsyntax-only", NULL};

static void add_build(struct rd_check_command *command, const struct rd_check_compiler *compiler,
                      enum rd_check_build build)
{
    bool is_private = build == RD_CHECK_BUILD_PRIVATE || build == RD_CHECK_BUILD_PRIVATE_OTHERWISE;
    rd_check_command_add_all(command, common);
    if (!is_private)
        rd_check_command_add(command, "-fsanitize=thread");
    rd_check_command_add_all(command, compiler->clang ? clang : gcc);
    if (!compiler->clang && !is_private) {
        rd_check_command_add_all(command, gcc_thread);
        if (compiler->gcc >= 12)
            rd_check_command_add_all(command, gcc_12_thread);
        rd_check_command_add_all(command, compiler->options->fmad ? gcc_fmad : gcc_plain);
    }
    if (compiler->gcc >= 11)
        rd_check_command_add_all(command, gcc_11);
    if (is_private && compiler->clang) {
        rd_check_command_add_all(command, clang_private);
        rd_check_command_add(command, "-mllvm");
        rd_check_command_add(command, compiler->shadow);
    } else if (is_private) {
        rd_check_command_add_all(command, gcc_private);
        rd_check_command_add(command, compiler->shadow);
    }
    add_fill(command, compiler, build);
    add_contraction(command, compiler);
    add_users(command, compiler);
}

void rd_check_compiler_add_options(struct rd_check_command *command,
                                   const struct rd_check_compiler *compiler,
                                   enum rd_check_build build)
{
    if (build != RD_CHECK_BUILD_WARNINGS) {
        add_build(command, compiler, build);
        return;
    }
    rd_check_command_add_all(command, warnings);
    if (!compiler->clang)
        rd_check_command_add(command, "-fpermissive");
    add_users(command, compiler);
}
