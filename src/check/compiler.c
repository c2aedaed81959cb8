// SPDX-License-Identifier: MIT
#include "check/compiler.h"

#include "base/cache_folder.h"
#include "check/headers.h"
#include "check/lexer.h"
#include "check/missing.h"
#include "check/precompiled.h"
#include "check/interruption.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the command ---- */

enum { COMMAND_MAX = 700 };

extern char **environ;

struct command {
    const char *words[COMMAND_MAX + 1];
    unsigned n;
};

static void add(struct command *command, const char *word)
{
    if (command->n < COMMAND_MAX)
        command->words[command->n++] = word;
}

static void add_all(struct command *command, const char *const *words)
{
    for (; words && *words; words++)
        add(command, *words);
}

static struct command begin(const struct rd_check_compiler *compiler)
{
    struct command command = {.n = 0};
    for (unsigned k = 0; k < compiler->n_words; k++)
        add(&command, compiler->words[k]);
    return command;
}

/* ---- running it ---- */

/* Starts the command, with its output and its errors in a file, and with all that it starts in a group of its own. */
static enum rd_status start(const struct command *command, const char *said, pid_t *process,
                            struct rd_error *error)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    int failed = posix_spawnp(process, command->words[0], &actions, &attributes,
                              (char *const *)command->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed)
        return rd_fail(error, RD_ERROR_DEVICE,
                       "no C++ compiler: '%s': %s; install one (apt-get install g++) or set CXX",
                       command->words[0], strerror(failed));
    rd_sandbox_limit_compiler(*process);
    rd_interruption_watch(-*process);
    return RD_OK;
}

static enum rd_status finish(const char *program, pid_t process, struct rd_error *error)
{
    int status = 0;
    while (rd_interruption_await(process) < 0 && errno == EINTR) {
    }
    rd_interruption_unwatch(-process);
    const pid_t ended = waitpid(process, &status, 0);
    const int failed = errno;
    if (ended < 0)
        return rd_fail(error, RD_ERROR_DEVICE, "the compiler '%s' can't be waited for: %s", program,
                       strerror(failed));
    if (*rd_interruption())
        return rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted");
    if (WIFSIGNALED(status))
        return rd_fail(error, RD_ERROR_DEVICE, "the compiler '%s' was ended by signal %d (%s)",
                       program, WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == 127)
        return rd_fail(error, RD_ERROR_DEVICE,
                       "no C++ compiler: '%s'; install one (apt-get install g++) or set CXX",
                       program);
    if (WEXITSTATUS(status) != 0)
        return rd_fail(error, RD_ERROR_INPUT,
                       "the compiler refuses the file; its errors are above");
    return RD_OK;
}

enum rd_status rd_check_command_run(const char *const *words, const char *said,
                                    struct rd_error *error)
{
    struct command command = {.n = 0};
    pid_t process;
    add_all(&command, words);
    if (words[command.n])
        return rd_fail(error, RD_ERROR_USAGE, "too many options for '%s'", words[0]);
    enum rd_status status = start(&command, said, &process, error);
    return status == RD_OK ? finish(words[0], process, error) : status;
}

static enum rd_status run(const struct command *command, const char *said, struct rd_error *error)
{
    pid_t process;
    enum rd_status status = start(command, said, &process, error);
    return status == RD_OK ? finish(command->words[0], process, error) : status;
}

static void path_of(char path[RD_CHECK_PATH_SIZE], const struct rd_check_compiler *compiler,
                    const char *name, const char *ending)
{
    snprintf(path, RD_CHECK_PATH_SIZE, "%s/%s%s", compiler->directory, name, ending);
}

/* The number that a macro stands for; 0 where there is none. */
static unsigned macro_of(const char *path, const char *name)
{
    char line[256];
    unsigned value = 0;
    size_t start = strlen("#define "), length = strlen(name);
    FILE *file = fopen(path, "r");
    while (file && value == 0 && fgets(line, sizeof line, file))
        if (strncmp(line + start, name, length) == 0 && line[start + length] == ' ')
            value = (unsigned)strtoul(line + start + length, NULL, 10);
    if (file)
        fclose(file);
    return value;
}

/* Tells whether a compiler's argument defines or undefines a macro with a name that headers may use for something of their
 * own: one of the user's, as N or T, and none that is reserved. */
static bool is_of_user(const char *argument)
{
    return argument[0] == '-' && (argument[1] == 'D' || argument[1] == 'U') &&
           (isalpha((unsigned char)argument[2]) != 0);
}

/* Writes the macros of the command line as directives, in their order: they are for the file, and not for the simulator's
 * headers before it. */
static enum rd_status write_macros(const struct rd_check_compiler *compiler, struct rd_error *error)
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

const char *rd_check_compiler_name(struct rd_check_compiler *compiler)
{
    const char *given = getenv("CXX"), *name = given && given[strspn(given, " \t")] ? given : "g++";
    compiler->n_words = 0;
    snprintf(compiler->text, sizeof compiler->text, "%s", name);
    char *rest = compiler->text, *word;
    while ((word = strsep(&rest, " \t")) && compiler->n_words < 16)
        if (*word)
            compiler->words[compiler->n_words++] = word;
    return name;
}

enum rd_status rd_check_compiler_init(struct rd_check_compiler *compiler,
                                      const struct rd_check_options *options,
                                      const struct rd_device_ops *device, const char *directory,
                                      struct rd_error *error)
{
    static const char *const macros[] = {"-E", "-v", "-dM", "-x", "c++", "/dev/null", NULL};
    char said[RD_CHECK_PATH_SIZE];
#ifdef __x86_64__
    if (options->fmad && !__builtin_cpu_supports("fma"))
        return rd_fail(error, RD_ERROR_DEVICE,
                       "'--fmad on' needs a processor that multiplies and adds in one operation "
                       "(FMA), and this one does not: leave it out");
#endif
    *compiler = (struct rd_check_compiler){
        .directory = directory, .options = options, .files = device->files};
    const char *name = rd_check_compiler_name(compiler);
    struct command command = begin(compiler);
    add_all(&command, macros);
    path_of(said, compiler, "macros", ".txt");
    enum rd_status status = run(&command, said, error);
    if (status == RD_ERROR_INPUT)
        return rd_fail(error, RD_ERROR_DEVICE, "'%s' is no C++ compiler: set CXX to g++ or clang++",
                       name);
    compiler->clang = macro_of(said, "__clang_major__");
    compiler->gcc = compiler->clang ? 0 : macro_of(said, "__GNUC__");
    snprintf(compiler->shadow, sizeof compiler->shadow, "%s=%s",
             compiler->clang ? "-asan-mapping-offset" : "-fasan-shadow-offset",
             compiler->files->private_shadow);
    return status == RD_OK ? write_macros(compiler, error) : status;
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

static void add_fill(struct command *command, const struct rd_check_compiler *compiler,
                     enum rd_check_build build)
{
    if (!compiler->options->private_memory || !rd_check_compiler_fills(compiler))
        return;
    /* Since 13, GCC takes a variable that is set on some paths for one that always has that value, filled or not. */
    if (compiler->gcc >= 13)
        add(command, "-fno-tree-ccp");
    if (build == RD_CHECK_BUILD_PLAIN_OTHERWISE || build == RD_CHECK_BUILD_PRIVATE_OTHERWISE) {
        add(command, "-ftrivial-auto-var-init=pattern");
        return;
    }
    add(command, "-ftrivial-auto-var-init=zero");
    if (compiler->clang && compiler->clang < 16)
        add(command, "-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang");
}

/* Within an expression: without its optimiser, clang contracts there alone. */
static void add_contraction(struct command *command, const struct rd_check_compiler *compiler)
{
    if (!compiler->options->fmad) {
        add(command, "-ffp-contract=off");
        return;
    }
    add(command, compiler->clang ? "-ffp-contract=on" : "-ffp-contract=fast");
#ifdef __x86_64__
    add(command, "-mfma");
#endif
}

/* Adds an argument of the user's. What was written for an older C++ than the simulator's headers is read as theirs, C++14. */
static void add_given(struct command *command, const char *argument)
{
    static const char *const older[] = {"98", "03", "0x", "11", NULL};
    const char *year = strncmp(argument, "-std=", 5) == 0 ? strstr(argument, "++") : NULL;
    for (size_t k = 0; year && older[k]; k++)
        if (strcmp(year + 2, older[k]) == 0)
            argument = "-std=gnu++14";
    add(command, argument);
}

static void add_users(struct command *command, const struct rd_check_compiler *compiler)
{
    const char *const *given = compiler->options->compiler_args;
    for (; given && *given; given++)
        if (!is_of_user(*given) &&
            (strncmp(*given, "-I", 2) != 0 || !rd_check_is_toolkit(*given + 2)))
            add_given(command, *given);
}

/* For what the compiler says, and no object. */
static const char *const warnings[] = {"-std=gnu++17", "-fsyntax-only", NULL};

static void add_options(struct command *command, const struct rd_check_compiler *compiler,
                        enum rd_check_build build)
{
    bool is_private = build == RD_CHECK_BUILD_PRIVATE || build == RD_CHECK_BUILD_PRIVATE_OTHERWISE;
    add_all(command, common);
    if (!is_private)
        add(command, "-fsanitize=thread");
    add_all(command, compiler->clang ? clang : gcc);
    if (!compiler->clang && !is_private) {
        add_all(command, gcc_thread);
        if (compiler->gcc >= 12)
            add_all(command, gcc_12_thread);
        add_all(command, compiler->options->fmad ? gcc_fmad : gcc_plain);
    }
    if (compiler->gcc >= 11)
        add_all(command, gcc_11);
    if (is_private && compiler->clang) {
        add_all(command, clang_private);
        add(command, "-mllvm");
        add(command, compiler->shadow);
    } else if (is_private) {
        add_all(command, gcc_private);
        add(command, compiler->shadow);
    }
    add_fill(command, compiler, build);
    add_contraction(command, compiler);
    add_users(command, compiler);
}

enum rd_status rd_check_compiler_start(const struct rd_check_compiler *compiler,
                                       const char *source_name, const char *name,
                                       enum rd_check_build build, pid_t *process,
                                       struct rd_error *error)
{
    const struct rd_check_options *options = compiler->options;
    const char *slash = strrchr(options->file, '/');
    char headers[RD_CACHE_PATH_SIZE], toolkit[RD_CACHE_PATH_SIZE + sizeof "/toolkit"],
        precompiled[RD_CHECK_PRECOMPILED_SIZE], beside[RD_CHECK_PATH_SIZE],
        source[RD_CHECK_PATH_SIZE], object[RD_CHECK_PATH_SIZE], said[RD_CHECK_PATH_SIZE];
    struct command whole = begin(compiler), command = begin(compiler);
    rd_check_headers_find(compiler->directory, headers, sizeof headers);
    snprintf(toolkit, sizeof toolkit, "%s/toolkit", headers);
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - options->file) + 1 : 1,
             slash ? options->file : ".");
    path_of(source, compiler, source_name, ".cpp");
    path_of(object, compiler, name, ".o");
    path_of(said, compiler, name, ".txt");
    if (build == RD_CHECK_BUILD_WARNINGS) {
        add_all(&command, warnings);
        if (!compiler->clang)
            add(&command, "-fpermissive");
        add_users(&command, compiler);
    } else {
        add_options(&command, compiler, build);
    }
    add(&command, "-fno-omit-frame-pointer"); /* see source.h: whatever was asked for */
    if (!compiler->is_of_host &&
        rd_check_precompiled_find(compiler, command.words, command.n, headers, precompiled)) {
        add(&whole, "-iquote");
        add(&whole, precompiled);
    }
    add(&whole, "-iquote"); /* before all others, as if they were beside the unit */
    add(&whole, headers);
    command.words[command.n] = NULL;
    add_all(&whole, command.words + compiler->n_words);
    const char *const folders[] = {"-I",    compiler->directory, "-I",   headers, "-idirafter",
                                   toolkit, "-iquote",           beside, NULL};
    const char *const files[] = {"-include", RD_CHECK_MACROS, "-c", source, "-o", object, NULL};
    add_all(&whole, folders);
    if (!compiler->is_of_host) {
        add(&whole, "-include");
        add(&whole, RD_CHECK_FIRST);
    }
    if (compiler->is_c) {
        add(&whole, "-x");
        add(&whole, "c");
        add(&whole, "-std=gnu17"); /* which still has functions of before ISO C */
    }
    add_all(&whole, files);
    return start(&whole, said, process, error);
}

enum rd_status rd_check_compiler_wait(const struct rd_check_compiler *compiler, pid_t process,
                                      struct rd_error *error)
{
    return finish(compiler->words[0], process, error);
}

enum rd_status rd_check_compiler_compile(const struct rd_check_compiler *compiler, const char *name,
                                         struct rd_error *error)
{
    pid_t process;
    enum rd_status status =
        rd_check_compiler_start(compiler, name, name, RD_CHECK_BUILD_PLAIN, &process, error);
    return status == RD_OK ? rd_check_compiler_wait(compiler, process, error) : status;
}

enum rd_status rd_check_compiler_warn(const struct rd_check_compiler *compiler, const char *name,
                                      struct rd_error *error)
{
    pid_t process;
    enum rd_status status =
        rd_check_compiler_start(compiler, name, name, RD_CHECK_BUILD_WARNINGS, &process, error);
    return status == RD_OK ? rd_check_compiler_wait(compiler, process, error) : status;
}

enum rd_status rd_check_compiler_link(const struct rd_check_compiler *compiler, const char *name,
                                      const char *const *objects, unsigned n_objects,
                                      const char *const *libraries, struct rd_error *error)
{
    enum { OBJECTS_MAX = 256 };
    static char paths[OBJECTS_MAX][RD_CHECK_PATH_SIZE];
    char dynamic[RD_CHECK_PATH_SIZE], library[RD_CHECK_PATH_SIZE], said[RD_CHECK_PATH_SIZE],
        missing[RD_CHECK_PATH_SIZE], variables[RD_CHECK_PATH_SIZE], absent[RD_CHECK_PATH_SIZE];
    struct rd_check_missing lacks;
    struct command command = begin(compiler);
    path_of(dynamic, compiler, name, ".s");
    path_of(library, compiler, name, ".so");
    path_of(said, compiler, name, ".txt");
    const char *const words[] = {"-shared",
                                 "-Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove",
                                 "-Wl,--wrap=fmin,--wrap=fminf,--wrap=fmax,--wrap=fmaxf",
                                 compiler->files->link_option,
                                 "-o",
                                 library,
                                 dynamic,
                                 NULL};
    add_all(&command, words);
    if (!compiler->options->kernel)
        add_all(&command, compiler->files->program_link_options);
    for (unsigned k = 0; k < n_objects && k < OBJECTS_MAX; k++) {
        path_of(paths[k], compiler, objects[k], ".o");
        add(&command, paths[k]);
    }
    if (libraries)
        add_all(&command, libraries);
    add(&command, "-Wl,-z,defs,--warn-unresolved-symbols,--no-demangle");
    enum rd_status status = run(&command, said, error);
    if (status != RD_OK)
        return status;
    path_of(missing, compiler, name, ".missing.cpp");
    path_of(variables, compiler, name, ".absent.s");
    path_of(absent, compiler, name, RD_FILE_ABSENT_LIBRARY_SUFFIX);
    status =
        rd_check_missing_write(missing, variables, said, (const char(*)[RD_CHECK_PATH_SIZE])paths,
                               n_objects < OBJECTS_MAX ? n_objects : OBJECTS_MAX, &lacks, error);
    if (status == RD_OK && lacks.variables) {
        /* in a library of its own, as no code that is linked with them reaches over so much memory */
        struct command other = begin(compiler);
        const char *const to[] = {"-shared", "-nostdlib", "-o", absent, variables, NULL};
        add_all(&other, to);
        status = run(&other, said, error);
        add(&command, absent);
    }
    if (lacks.functions) {
        add(&command, "-fPIC");
        add(&command, missing);
    }
    if (status == RD_OK && (lacks.functions || lacks.variables))
        status = run(&command, said, error);
    return status;
}

/* "sum.cu:12:3: error: ...": the line of that file. */
static unsigned line_of(const char *said, const char *file)
{
    size_t length = strlen(file);
    char *end;
    if (strncmp(said, file, length) != 0 || said[length] != ':')
        return 0;
    unsigned long line = strtoul(said + length + 1, &end, 10);
    return *end == ':' && line <= UINT32_MAX ? (unsigned)line : 0;
}

void rd_check_compiler_visit(const struct rd_check_compiler *compiler, const char *name,
                             const char *source,
                             void (*visit)(void *self, const char *said, unsigned line), void *self)
{
    char path[RD_CHECK_PATH_SIZE], *said = NULL;
    size_t size = 0;
    path_of(path, compiler, name, ".txt");
    FILE *file = fopen(path, "r");
    while (file && getline(&said, &size, file) > 0)
        visit(self, said, line_of(said, source));
    free(said);
    if (file)
        fclose(file);
}

/* Tells whether the line quotes the file, "    5 |     return y;", in which names are the user's own. */
static bool is_quoted_source(const char *said)
{
    const char *at = said + strspn(said, " 0123456789");
    return at > said && *at == '|';
}

void rd_check_compiler_pass_on(const struct rd_check_compiler *compiler, const char *name)
{
    char path[RD_CHECK_PATH_SIZE], *said = NULL;
    size_t size = 0;
    path_of(path, compiler, name, ".txt");
    FILE *file = fopen(path, "r");
    while (file && getline(&said, &size, file) > 0) {
        if (!is_quoted_source(said))
            rd_check_names_restore(said);
        fputs(said, stderr);
    }
    free(said);
    if (file)
        fclose(file);
}
