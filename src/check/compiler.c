// SPDX-License-Identifier: MIT
#include "check/compiler.h"
#include "sim/heap.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMAND_MAX = 160 };

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

/* Runs the command, with its output and its errors in a file. */
static enum rd_status run(const struct command *command, const char *said, struct rd_error *error)
{
    pid_t child;
    int status;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    int failed = posix_spawnp(&child, command->words[0], &actions, NULL,
                              (char *const *)command->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return rd_fail(error, RD_ERROR_DEVICE,
                       "no C++ compiler: '%s': %s; install one (apt-get install g++) or set CXX",
                       command->words[0], strerror(failed));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status))
        return rd_fail(error, RD_ERROR_DEVICE, "the compiler '%s' was ended by signal %d (%s)",
                       command->words[0], WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == 127)
        return rd_fail(error, RD_ERROR_DEVICE,
                       "no C++ compiler: '%s'; install one (apt-get install g++) or set CXX",
                       command->words[0]);
    if (WEXITSTATUS(status) != 0)
        return rd_fail(error, RD_ERROR_INPUT,
                       "the compiler refuses the file; its errors are above");
    return RD_OK;
}

static void path_of(char path[RD_CHECK_PATH_SIZE], const struct rd_check_compiler *compiler,
                    const char *name, const char *ending)
{
    snprintf(path, RD_CHECK_PATH_SIZE, "%s/%s%s", compiler->directory, name, ending);
}

/* Whether a line of the file is this one. */
static bool has_line(const char *path, const char *wanted)
{
    char line[256];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, wanted, strlen(wanted)) == 0;
    if (file)
        fclose(file);
    return found;
}

enum rd_status rd_check_compiler_init(struct rd_check_compiler *compiler,
                                      const struct rd_check_options *options, const char *directory,
                                      struct rd_error *error)
{
    static const char *const macros[] = {"-E", "-dM", "-x", "c++", "/dev/null", NULL};
    const char *name = getenv("CXX");
    char said[RD_CHECK_PATH_SIZE];
    bool given = name && name[strspn(name, " \t")];
    *compiler = (struct rd_check_compiler){.directory = directory, .options = options};
    snprintf(compiler->text, sizeof compiler->text, "%s", given ? name : "g++");
    char *rest = compiler->text, *word;
    while ((word = strsep(&rest, " \t")) && compiler->n_words < 16)
        if (*word)
            compiler->words[compiler->n_words++] = word;
    if (!given)
        return RD_OK;
    struct command command = begin(compiler);
    add_all(&command, macros);
    path_of(said, compiler, "macros", ".txt");
    enum rd_status status = run(&command, said, error);
    if (status == RD_ERROR_INPUT)
        return rd_fail(error, RD_ERROR_DEVICE, "'%s' is no C++ compiler: set CXX to g++ or clang++",
                       name);
    compiler->is_clang = has_line(said, "#define __clang__ ");
    return status;
}

/* ---- what it is told ---- */

/* Two barriers or accesses must not become one, nor one access several; shared variables must not
 * share a section; copies and allocations must be calls, and of the plain functions: some
 * systems harden them without being asked. */
static const char *const common[] = {"-std=gnu++17",
                                     "-g",
                                     "-fPIC",
                                     "-w",
                                     "-fwrapv",
                                     "-fstack-clash-protection", /* a large frame ends here, too */
                                     "-ffp-contract=off",
                                     "-fsanitize=thread",
                                     "-fdata-sections",
                                     "-fno-threadsafe-statics",
                                     "-fno-strict-aliasing",
                                     "-U_FORTIFY_SOURCE",
                                     "-fno-builtin-memcpy",
                                     "-fno-builtin-memset",
                                     "-fno-builtin-memmove",
                                     "-fno-builtin-malloc",
                                     "-fno-builtin-free",
                                     NULL};
/* What the source says is what is checked. Both set the hooks behind most of the passes that -O1 asks
 * for, which drop a read that nobody wants and read but once a flag that a loop waits for. Hooks cost
 * far more than the code between them: it is as fast without. What is written to an allocation that
 * is then freed must be written; a new may give NULL. An access that is known to be misaligned is told
 * as one of bytes: the check of alignment says which these are. */
static const char *const gcc[] = {"-Og",
                                  "--param=tsan-distinguish-volatile=1",
                                  "-fno-tree-dce",
                                  "-fno-ipa-pure-const",
                                  "-fsanitize=bounds",
                                  "-fsanitize=alignment",
                                  "-fno-extern-tls-init",
                                  "-fno-tree-tail-merge",
                                  "-fno-crossjumping",
                                  "-fno-optimize-sibling-calls",
                                  "-fno-tree-sra",
                                  "-fno-tree-pta",
                                  "-fno-allocation-dce",
                                  "-fcheck-new",
                                  "-fpermissive",
                                  NULL};
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

enum rd_status rd_check_compiler_compile(const struct rd_check_compiler *compiler, const char *name,
                                         struct rd_error *error)
{
    const struct rd_check_options *options = compiler->options;
    const char *slash = strrchr(options->file, '/');
    char beside[RD_CHECK_PATH_SIZE], source[RD_CHECK_PATH_SIZE], object[RD_CHECK_PATH_SIZE],
        said[RD_CHECK_PATH_SIZE];
    struct command command = begin(compiler);
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - options->file) + 1 : 1,
             slash ? options->file : ".");
    path_of(source, compiler, name, ".cpp");
    path_of(object, compiler, name, ".o");
    path_of(said, compiler, name, ".txt");
    add_all(&command, common);
    add_all(&command, compiler->is_clang ? clang : gcc);
    add_all(&command, options->compiler_args);
    const char *const rest[] = {"-I",       compiler->directory,
                                "-iquote",  beside,
                                "-include", "reductio_cuda.hpp",
                                "-c",       source,
                                "-o",       object,
                                NULL};
    add_all(&command, rest);
    return run(&command, said, error);
}

enum rd_status rd_check_compiler_link(const struct rd_check_compiler *compiler, const char *name,
                                      struct rd_error *error)
{
    char object[RD_CHECK_PATH_SIZE], dynamic[RD_CHECK_PATH_SIZE], library[RD_CHECK_PATH_SIZE],
        said[RD_CHECK_PATH_SIZE];
    struct command command = begin(compiler);
    path_of(object, compiler, name, ".o");
    path_of(dynamic, compiler, name, ".s");
    path_of(library, compiler, name, ".so");
    path_of(said, compiler, name, ".txt");
    const char *const words[] = {"-shared",
                                 "-Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove",
                                 rd_sim_heap_link_option,
                                 "-o",
                                 library,
                                 object,
                                 dynamic,
                                 NULL};
    add_all(&command, words);
    return run(&command, said, error);
}

void rd_check_compiler_pass_on(const struct rd_check_compiler *compiler, const char *name)
{
    char path[RD_CHECK_PATH_SIZE], text[4096];
    size_t n;
    path_of(path, compiler, name, ".txt");
    FILE *file = fopen(path, "r");
    while (file && (n = fread(text, 1, sizeof text, file)) > 0)
        fwrite(text, 1, n, stderr);
    if (file)
        fclose(file);
}
