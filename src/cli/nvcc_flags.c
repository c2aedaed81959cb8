// SPDX-License-Identifier: MIT
#include "cli/nvcc_flags.h"
#include "cli/cli.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Uses of an option's value. */
enum use {
    IGNORED,
    COMPILER,       /* passed on, with the option's short name in front */
    LIBRARY,        /* likewise, to the linker */
    DEFAULT_STREAM, /* which stream 0 is */
    HOST_COMPILER,  /* options for the host's compiler, with commas between them */
};

/* Options that have a value: in the next argument, behind a "=", or, of those of one letter, right behind them. */
static const struct flag {
    const char *name, *long_name;
    enum use use;
} with_value[] = {
    {"-I", "--include-path", COMPILER},
    {"-D", "--define-macro", COMPILER},
    {"-U", "--undefine-macro", COMPILER},
    {"-isystem", "--system-include", COMPILER},
    {"-include", "--pre-include", COMPILER},
    {"-std", "--std", COMPILER},
    {"-l", "--library", LIBRARY},
    {"-L", "--library-path", LIBRARY},
    {"-Xcompiler", "--compiler-options", HOST_COMPILER},
    {"-Xlinker", "--linker-options", IGNORED},
    {"-Xptxas", "--ptxas-options", IGNORED},
    {"-Xnvlink", "--nvlink-options", IGNORED},
    {"-Xcudafe", "--Xcudafe", IGNORED},
    {"-Xfatbin", "--fatbin-options", IGNORED},
    {"-Xarchive", "--archive-options", IGNORED},
    {"-arch", "--gpu-architecture", IGNORED},
    {"-code", "--gpu-code", IGNORED},
    {"-gencode", "--generate-code", IGNORED},
    {"-ccbin", "--compiler-bindir", IGNORED},
    {"-maxrregcount", "--maxrregcount", IGNORED},
    {"-cudart", "--cudart", IGNORED},
    {"-cudadevrt", "--cudadevrt", IGNORED},
    {"-rdc", "--relocatable-device-code", IGNORED},
    {"-fmad", "--fmad", IGNORED},
    {"-ftz", "--ftz", IGNORED},
    {"-prec-div", "--prec-div", IGNORED},
    {"-prec-sqrt", "--prec-sqrt", IGNORED},
    {"-default-stream", "--default-stream", DEFAULT_STREAM},
    {"-diag-suppress", "--diag-suppress", IGNORED},
    {"-diag-error", "--diag-error", IGNORED},
    {"-diag-warn", "--diag-warn", IGNORED},
    {"-threads", "--threads", IGNORED},
    {"-split-compile", "--split-compile", IGNORED},
    {"-odir", "--output-directory", IGNORED},
    {"-o", "--output-file", IGNORED},
    {"-x", "--x", IGNORED},
    {"-m", "--machine", IGNORED},
    {"-O", "--optimize", IGNORED},
    {"-t", "--threads", IGNORED},
    {"-MF", "--dependency-output", IGNORED},
    {"-MT", "--dependency-target-name", IGNORED},
};

/* Options without a value, all of which are passed over. */
static const char *const without_value[] = {
    "-g",
    "-G",
    "-lineinfo",
    "-c",
    "-dc",
    "-dlink",
    "-dw",
    "-w",
    "-v",
    "-k",
    "-pg",
    "-shared",
    "-lib",
    "-ewp",
    "-extended-lambda",
    "-expt-extended-lambda",
    "-expt-relaxed-constexpr",
    "-restrict",
    "-dlto",
    "-use_fast_math",
    "-extra-device-vectorization",
    "-res-usage",
    "-link",
    "-run",
    "-keep",
    "-dryrun",
    "-cuda",
    "-MD",
    "-MMD",
    "-MP",
    "-M",
    "-MM",
    "-Wno-deprecated-gpu-targets",
    "-Wreorder",
    "-Wdefault-stream-launch",
    "-allow-unsupported-compiler",
    "-debug",
    "-device-debug",
    "-generate-line-info",
    "-device-c",
    "-compile",
    "-no-compress",
    "-source-in-ptx",
    "-resource-usage",
    "-fPIC",
    "-pthread",
    "-Wall",
    "-Wextra",
};

/* CUDA's own libraries, whose functions the simulator has, or says that it lacks. */
static const char *const own_libraries[] = {
    "cudart",   "cudadevrt",  "cuda",    "nvToolsExt",     "cublas",
    "cublasLt", "cufft",      "cufftw",  "curand",         "cusparse",
    "cusolver", "cusolverMg", "nvrtc",   "nvrtc-builtins", "nvJitLink",
    "nvml",     "nvidia-ml",  "nvjpeg",  "nvptxcompiler",  "nvvm",
    "cufile",   "cupti",      "culibos", "nppc",           NULL};

/* Beginnings of the names of a library's parts: nppial, nppicc. */
static const char *const own_parts[] = {"nppi", "npps", NULL};

static void add(const char **list, unsigned *n, const char *name, const char *value)
{
    char *whole;
    if (*n == RD_CLI_FLAGS_MAX || asprintf(&whole, "%s%s", name, value) < 0)
        rd_cli_usage("run", "'%s%s' is one option too many for the compiler", name, value);
    list[(*n)++] = whole;
}

/* Options of the host's compiler: those that change what a program means. */
static void add_host_options(struct rd_cli_nvcc_flags *flags, const char *text)
{
    static const char *const kept[] = {"-D", "-U", "-I", "-std=", "-isystem", "-include"};
    char *copy = strdup(text), *rest = copy, *word;
    while (copy && (word = strsep(&rest, ", \"'"))) {
        if (strcmp(word, "-fopenmp") == 0) {
            add(flags->compiler, &flags->n_compiler, "", word);
            add(flags->libraries, &flags->n_libraries, "", word);
        }
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            if (strncmp(word, kept[k], strlen(kept[k])) == 0)
                add(flags->compiler, &flags->n_compiler, "", word);
    }
    free(copy);
}

static bool is_own_library(const char *name)
{
    static const char ending[] = "_static";
    size_t length = strlen(name);
    if (length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0)
        length -= strlen(ending);
    for (const char *const *own = own_libraries; *own; own++)
        if (strlen(*own) == length && strncmp(*own, name, length) == 0)
            return true;
    for (const char *const *own = own_parts; *own; own++)
        if (strncmp(*own, name, strlen(*own)) == 0)
            return true;
    return false;
}

static void refuse_per_thread(const char *option, const char *value)
{
    rd_cli_usage("run",
                 "'%s %s' gives stream 0 another order, which is not simulated: pass "
                 "cudaStreamPerThread where the program means that stream",
                 option, value);
}

static void use(struct rd_cli_nvcc_flags *flags, const struct flag *flag, const char *value)
{
    static const char per_thread[] = "CUDA_API_PER_THREAD_DEFAULT_STREAM";
    bool is_word = flag->name[2] != '\0'; /* -isystem FOLDER, in two arguments */
    switch (flag->use) {
    case IGNORED:
        return;
    case DEFAULT_STREAM:
        if (strcmp(value, "legacy") != 0 && strcmp(value, "null") != 0)
            refuse_per_thread(flag->name, value);
        return;
    case HOST_COMPILER:
        add_host_options(flags, value);
        return;
    case LIBRARY:
        if (flag->name[1] == 'L' || !is_own_library(value))
            add(flags->libraries, &flags->n_libraries, flag->name, value);
        return;
    case COMPILER:
        if (strcmp(flag->name, "-D") == 0 && strncmp(value, per_thread, strlen(per_thread)) == 0)
            refuse_per_thread(flag->name, value);
        if (strcmp(flag->name, "-std") == 0) {
            /* CUDA's own words need GNU's */
            const char *year = strncmp(value, "c++", 3) == 0 ? value + 3 : NULL;
            add(flags->compiler, &flags->n_compiler,
                year ? "-std=gnu++" : "-std=", year ? year : value);
        } else if (is_word) {
            add(flags->compiler, &flags->n_compiler, flag->name, "");
            add(flags->compiler, &flags->n_compiler, "", value);
        } else {
            add(flags->compiler, &flags->n_compiler, flag->name, value);
        }
        return;
    }
}

/* The value of an option, if the argument is it: behind "=", or of one letter right behind it; "" where it is the next
 * argument. */
static const char *value_of(const struct flag *flag, const char *argument)
{
    size_t length = strlen(flag->name), long_length = strlen(flag->long_name);
    if (strncmp(argument, flag->long_name, long_length) == 0 &&
        (argument[long_length] == '\0' || argument[long_length] == '='))
        return argument + long_length + (argument[long_length] == '=');
    if (strncmp(argument, flag->name, length) != 0)
        return NULL;
    if (argument[length] == '\0' || argument[length] == '=')
        return argument + length + (argument[length] == '=');
    return length == 2 && strchr("IDULlOmot", flag->name[1]) ? argument + length : NULL;
}

static bool is_plain(const char *argument)
{
    for (size_t k = 0; k < sizeof without_value / sizeof *without_value; k++)
        if (strcmp(argument, without_value[k]) == 0 ||
            (argument[0] == '-' && strcmp(argument + 1, without_value[k]) == 0))
            return true;
    return false;
}

/* Takes the option at argv[k]; returns how many arguments it has, 0 where it is none of nvcc's. */
static int take(struct rd_cli_nvcc_flags *flags, int argc, char **argv, int k)
{
    if (argv[k][0] != '-' || argv[k][1] == '\0')
        return 0;
    if (is_plain(argv[k]))
        return 1;
    for (size_t n = 0; n < sizeof with_value / sizeof *with_value; n++) {
        const char *value = value_of(&with_value[n], argv[k]);
        if (!value)
            continue;
        bool is_next = *value == '\0' && argv[k][strlen(argv[k]) - 1] != '=';
        if (is_next && with_value[n].name[1] == 'O' && with_value[n].name[2] == '\0')
            return 1;
        if (is_next && (k + 1 >= argc || strcmp(argv[k + 1], "--") == 0))
            rd_cli_usage("run", "'%s' has no value: see nvcc --help", argv[k]);
        use(flags, &with_value[n], is_next ? argv[k + 1] : value);
        return is_next ? 2 : 1;
    }
    return 0;
}

/* Options that say what nvcc is to make and where, or that it doesn't know: not for our own call of it. */
static const char *const not_passed[] = {
    "o",        "-output-file",
    "odir",     "-output-directory",
    "MF",       "-dependency-output",
    "MT",       "-dependency-target-name",
    "x",        "-x",
    "c",        "dc",
    "dlink",    "shared",
    "lib",      "link",
    "run",      "keep",
    "k",        "dryrun",
    "cuda",     "MD",
    "MMD",      "MP",
    "M",        "MM",
    "device-c", "compile",
    "fPIC",     "pthread",
    "Wall",     "Wextra",
    "ewp",
};

/* Tells whether nvcc is given the option, too, when it compiles the program for a GPU. */
static bool is_for_nvcc(const char *argument)
{
    const char *name = argument + 1;
    const size_t length = strcspn(name, "=");
    for (size_t k = 0; k < sizeof not_passed / sizeof *not_passed; k++)
        if (strlen(not_passed[k]) == length && strncmp(not_passed[k], name, length) == 0)
            return false;
    return name[0] != 'o' || length < 2 || strncmp(name, "optf", 4) == 0; /* -oFILE */
}

/* Keeps n arguments for nvcc. */
static void keep(struct rd_cli_nvcc_flags *flags, char **argv, int n)
{
    const bool is_library =
        !is_plain(argv[0]) && (strncmp(argv[0], "-l", 2) == 0 || strncmp(argv[0], "-L", 2) == 0 ||
                               strncmp(argv[0], "--library", 9) == 0);
    if (strcmp(argv[0], "-dc") == 0 || strstr(argv[0], "-device-c"))
        add(flags->nvcc, &flags->n_nvcc, "-rdc=true", "");
    for (int k = 0; k < n && is_library; k++)
        add(flags->nvcc_libraries, &flags->n_nvcc_libraries, argv[k], "");
    for (int k = 0; k < n && is_for_nvcc(argv[0]) && !is_library; k++)
        add(flags->nvcc, &flags->n_nvcc, argv[k], "");
}

int rd_cli_nvcc_flags_take(struct rd_cli_nvcc_flags *flags, int argc, char **argv)
{
    int kept = 1, k = 1;
    while (k < argc && strcmp(argv[k], "--") != 0) {
        int taken = take(flags, argc, argv, k);
        if (taken == 0)
            argv[kept++] = argv[k++];
        else
            keep(flags, argv + k, taken);
        k += taken;
    }
    while (k < argc)
        argv[kept++] = argv[k++];
    argv[kept] = NULL;
    return kept;
}

static void free_all(const char **list, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        free((char *)list[k]);
}

void rd_cli_nvcc_flags_finish(struct rd_cli_nvcc_flags *flags)
{
    free_all(flags->compiler, flags->n_compiler);
    free_all(flags->libraries, flags->n_libraries);
    free_all(flags->nvcc, flags->n_nvcc);
    free_all(flags->nvcc_libraries, flags->n_nvcc_libraries);
}
