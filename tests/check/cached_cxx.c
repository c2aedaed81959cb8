// SPDX-License-Identifier: MIT
/* A compiler for the tests of `reductio check` that compiles nothing twice: they run the kernels of few files, each kernel
 * of a file is compiled with the whole file, and folders' names differ each time. All kernels of a file are compiled at
 * once, and the object of one is made of that by other names of two symbols. CHECK_CACHE is the folder to keep objects in,
 * CHECK_CXX another compiler, CHECK_KERNELS the names of kernels that the file's text does not show, CHECK_LINKER an option for
 * links. What `reductio check` calls ends with `-iquote BESIDE -include HEADER -include MACROS -c SOURCE -o OBJECT`, and SOURCE
 * ends with the line `__RD_CHECK_KERNEL(OF_IT, INSIDE, RETURNS, KERNEL)`, or is a program. */
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_cache.h"

/* Finds a program as a shell does. */
static bool find_program(const char *name, char path[TEXT_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/')) {
        print_path(path, "%s", name);
        return access(path, X_OK) == 0;
    }
    while (folders && *folders) {
        size_t n = strcspn(folders, ":");
        print_path(path, "%.*s/%s", (int)n, folders, name);
        if (access(path, X_OK) == 0)
            return true;
        folders += n + (folders[n] == ':');
    }
    return false;
}

/* ---- the key ---- */

/* What is compiled: words of the command, and what they name. */
struct unit {
    char **words;
    int n_words;
    const char *beside, *source, *object;
    char *text; /* of the source, without its last line */
    char last[TEXT_MAX];
    char folder[TEXT_MAX];
};

/* The words end as `reductio check` has them. */
static bool read_words(struct unit *unit)
{
    static const char *const end[] = {
        "-iquote", NULL, "-include", "reductio_first.hpp", "-include", "reductio_macros.hpp", "-c",
        NULL,      "-o", NULL};
    enum { N = sizeof end / sizeof *end };
    char **words = unit->words + unit->n_words - N;
    if (unit->n_words < N)
        return false;
    for (int k = 0; k < N; k++)
        if (end[k] && strcmp(words[k], end[k]) != 0)
            return false;
    unit->beside = words[1];
    unit->source = words[7];
    unit->object = words[9];
    return true;
}

static bool read_source(struct unit *unit)
{
    size_t size;
    unit->text = content_of(unit->source, &size);
    if (!unit->text || size == 0)
        return false;
    if (unit->text[size - 1] == '\n')
        unit->text[--size] = '\0';
    char *newline = strrchr(unit->text, '\n'), *last = newline ? newline + 1 : unit->text;
    if (strlen(last) >= sizeof unit->last || strlen(unit->source) >= sizeof unit->folder)
        return false;
    strcpy(unit->last, last);
    *last = '\0';
    strcpy(unit->folder, unit->source);
    dirname(unit->folder);
    return true;
}

/* Calls `visit` with the path of each file beside the source that the text includes. False where one is not as it should be. */
static bool each_included(const struct unit *unit, const char *text,
                          bool (*visit)(const struct unit *unit, struct hash *hash,
                                        const char *path),
                          struct hash *hash)
{
    char path[TEXT_MAX];
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *word = line + strspn(line, " \t");
        if (*word++ != '#')
            continue;
        word += strspn(word, " \t");
        if (strncmp(word, "include", strlen("include")) != 0)
            continue;
        word += strlen("include");
        word += strspn(word, " \t");
        size_t n = *word == '"' ? strcspn(word + 1, "\"\n") : 0;
        if (n == 0 || word[1 + n] != '"')
            continue;
        print_path(path, "%s/%.*s", unit->beside, (int)n, word + 1);
        if (access(path, F_OK) == 0 && !visit(unit, hash, path))
            return false;
    }
    return true;
}

static bool refuse(const struct unit *unit, struct hash *hash, const char *path)
{
    (void)unit, (void)hash, (void)path;
    return false;
}

/* What lies beside the file and is included is in the key; what that includes from there in turn is not. */
static bool hash_included(const struct unit *unit, struct hash *hash, const char *path)
{
    size_t size;
    char *content = content_of(path, &size);
    const bool good = content && each_included(unit, content, refuse, NULL);
    if (good)
        hash_bytes(hash, content, size);
    free(content);
    return good;
}

/* The folder's name is another one each time. */
static void hash_without(struct hash *hash, const char *text, const char *folder)
{
    size_t n = strlen(folder);
    for (const char *found; (found = strstr(text, folder)); text = found + n)
        hash_bytes(hash, text, (size_t)(found - text));
    hash_text(hash, text);
}

/* Of what lies beside the source: all but that and what is made of it. */
static bool is_header(const char *name)
{
    const char *ending = strrchr(name, '.');
    return ending && (strcmp(ending, ".h") == 0 || strcmp(ending, ".hpp") == 0);
}

static bool hash_unit(const struct unit *unit, struct hash *hash)
{
    char compiler[TEXT_MAX];
    const char *its = getenv("CHECK_CXX"), *comma = strrchr(unit->last, ',');
    struct stat status;
    for (int k = 0; k < unit->n_words; k++)
        if (!strstr(unit->words[k], "/precompiled/")) /* which only makes it faster */
            hash_without(hash, unit->words[k], unit->folder);
    if (!find_program(its ? its : "g++", compiler) || stat(compiler, &status) != 0)
        return false;
    hash_text(hash, compiler);
    hash_number(hash, (uint64_t)status.st_size);
    hash_number(hash, (uint64_t)status.st_mtime);
    hash_bytes(hash, unit->last, comma ? (size_t)(comma - unit->last) : strlen(unit->last));
    hash_text(hash, unit->text);
    hash_folder(hash, unit->folder, is_header);
    return hash_file(hash, "/proc/self/exe") && /* how it is compiled */
           each_included(unit, unit->text, hash_included, hash);
}

/* ---- what is kept ---- */

/* The paths of what is kept of a key, each with its ending. */
struct kept {
    /* The list of the kernels that `all` has: none where they can't be compiled at once. */
    char kernels[TEXT_MAX];
    char all[TEXT_MAX];
    char alone[TEXT_MAX]; /* compiled as it is */
    char lock[TEXT_MAX];
};

static void name_kept(const struct unit *unit, const struct hash *hash, struct kept *kept)
{
    struct hash of_last = hash_start();
    const char *cache = getenv("CHECK_CACHE");
    char key[33], alone[33];
    hash_text(&of_last, unit->last);
    hash_name(hash, key);
    hash_name(&of_last, alone);
    mkdir(cache, 0777);
    print_path(kept->kernels, "%s/%s.kernels", cache, key);
    print_path(kept->all, "%s/%s.all", cache, key);
    print_path(kept->alone, "%s/%s.%s", cache, key, alone);
    print_path(kept->lock, "%s/%s.lock", cache, key);
}

static void touch(const char *path)
{
    utimensat(AT_FDCWD, path, NULL, 0);
}

/* The number of the kernel in the list of those that an object has; -1: it has none of that name. */
static int find_kernel(const char *list, const char *last)
{
    const char *name = strrchr(last, ',');
    if (!name) /* a program */
        return -1;
    name += 1 + (name[1] == ' ');
    size_t n = strlen(name) - (name[strlen(name) - 1] == ')');
    int number = 0;
    for (; *list; number++) {
        size_t length = strcspn(list, "\n");
        if (length == n && strncmp(list, name, n) == 0)
            return number;
        list += length + (list[length] == '\n');
    }
    return -1;
}

/* Ends the process with the object made, if it is kept. */
static void take_kept(const struct unit *unit, const struct kept *kept)
{
    char thread[64], describe[64];
    char *list = content_of(kept->kernels, NULL);
    if (!list)
        return;
    const int number = find_kernel(list, unit->last);
    free(list);
    if (number < 0) {
        if (copy_file(kept->alone, unit->object))
            exit(0);
        return;
    }
    touch(kept->kernels);
    touch(kept->all);
    snprintf(thread, sizeof thread, "--redefine-sym=rd_other_thread%d=rd_check_thread", number);
    snprintf(describe, sizeof describe, "--redefine-sym=rd_other_describe%d=rd_check_describe",
             number);
    become((char *[]){"objcopy", thread, describe, (char *)kept->all, (char *)unit->object, NULL});
}

/* ---- compiling ---- */

/* Compiles `source` in place of the unit's. Without the name of the folder that it was made in, an object serves in all. */
static int compile(const struct unit *unit, const char *source, const char *object, bool quiet)
{
    static char map[TEXT_MAX];
    char *here = get_current_dir_name(); /* as the compiler names it */
    char *compiler = getenv("CHECK_CXX");
    char **words = calloc((size_t)unit->n_words + 3, sizeof *words);
    if (!words || !here)
        return 1;
    print_path(map, "-fdebug-prefix-map=%s=.", here);
    words[0] = compiler ? compiler : "g++";
    words[1] = map;
    memcpy(words + 2, unit->words, (size_t)unit->n_words * sizeof *words);
    words[unit->n_words - 1] = (char *)source; /* of `-c SOURCE -o OBJECT` */
    words[unit->n_words + 1] = (char *)object;
    return run_program(words, quiet);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The length of the name in a line `// run NAME: ...` or `__global__ void NAME(...`, and where it begins; 0: there is none. */
static size_t find_name(const char *line, const char **name)
{
    static const char run[] = "// run ", kernel[] = "__global__ void ",
                      word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    if (strncmp(line, run, strlen(run)) == 0) {
        *name = line + strlen(run);
        const size_t n = strcspn(*name, " \n");
        return n > 1 && (*name)[n - 1] == ':' && (*name)[n] == ' ' ? n - 1 : 0;
    }
    if (strncmp(line, kernel, strlen(kernel)) == 0) {
        *name = line + strlen(kernel);
        const size_t n = strspn(*name, word);
        return (*name)[n] == '(' ? n : 0;
    }
    return 0;
}

/* The kernels that the source's text names, and those of CHECK_KERNELS: each once. Their names are never freed. */
static size_t name_kernels(const struct unit *unit, char **names, size_t max)
{
    size_t n = 0, n_different = 0;
    for (const char *line = unit->text; line; line = strchr(line, '\n')) {
        const char *name;
        line += *line == '\n';
        const size_t length = find_name(line, &name);
        if (length > 0 && n < max)
            names[n++] = strndup(name, length);
    }
    char *more = getenv("CHECK_KERNELS");
    more = more ? strdup(more) : NULL;
    for (char *name = more ? strtok(more, " ") : NULL; name && n < max; name = strtok(NULL, " "))
        names[n++] = name;
    qsort(names, n, sizeof *names, compare_names);
    for (size_t k = 0; k < n; k++)
        if (k == 0 || strcmp(names[k], names[n_different - 1]) != 0)
            names[n_different++] = names[k];
    return n_different;
}

/* Writes what the last line says of its kernel, of each of these: under names with numbers. */
static bool write_of_each(const struct unit *unit, const char *path, char **names, size_t n)
{
    char of_it[64], inside[64], returns[64];
    if (sscanf(unit->last, "__RD_CHECK_KERNEL(%63[^,], %63[^,], %63[^,],", of_it, inside,
               returns) != 3)
        return false;
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    fprintf(
        file,
        "%s#line 1 \"--kernel\"\n"
        "const unsigned __rd_launches = %s, __rd_launches_inside = %s, __rd_tells_returns = %s;\n",
        unit->text, of_it, inside, returns);
    for (size_t k = 0; k < n; k++)
        fprintf(
            file,
            "#line 1 \"--kernel\"\n"
            "extern \"C\" { void __rd_thread%zu(void *const *) __RD_SEEN(\"rd_other_thread%zu\"); "
            "unsigned __rd_describe%zu(const __rd_parameter **, void **) "
            "__RD_SEEN(\"rd_other_describe%zu\"); } "
            "__attribute__((no_sanitize(\"thread\"))) void __rd_thread%zu(void *const *arguments) "
            "{ __rd_call_all(&%s, arguments); } "
            "unsigned __rd_describe%zu(const __rd_parameter **parameters, void **address) "
            "{ *address = (void *)&%s; return __rd_describe(&%s, parameters); }\n",
            k, k, k, k, k, names[k], k, names[k], names[k]);
    return fclose(file) == 0;
}

/* The list comes last, and at once: where it is, so is the object. */
static bool write_list(const struct kept *kept, char **names, size_t n)
{
    static char part[TEXT_MAX];
    print_path(part, "%s.part", kept->kernels);
    FILE *list = fopen(part, "we");
    for (size_t k = 0; list && k < n; k++)
        fprintf(list, "%s\n", names[k]);
    return list && fclose(list) == 0 && rename(part, kept->kernels) == 0;
}

/* False: of one kernel there is nothing to save, a program has none, and what can't be compiled so is compiled alone. */
static bool compile_all(const struct unit *unit, const struct kept *kept)
{
    enum { MAX = 4096 };
    static char *names[MAX], source[TEXT_MAX], object[TEXT_MAX];
    size_t n = name_kernels(unit, names, MAX);
    if (n < 2)
        return false;
    /* Another build of it may be under way beside this. */
    print_path(source, "%s/%s.cpp", unit->folder, strrchr(kept->all, '/') + 1);
    print_path(object, "%s.part", kept->all);
    bool done = write_of_each(unit, source, names, n) && compile(unit, source, object, true) == 0 &&
                rename(object, kept->all) == 0;
    remove(source);
    return done && write_list(kept, names, n);
}

static int compile_alone(const struct unit *unit, const struct kept *kept)
{
    static char part[TEXT_MAX];
    int status = compile(unit, unit->source, unit->object, false);
    print_path(part, "%s.part", kept->alone);
    if (status == 0 && copy_file(unit->object, part))
        rename(part, kept->alone);
    return status;
}

static int compile_and_take(const struct unit *unit, const struct kept *kept)
{
    int locked = lock_file(kept->lock);
    if (access(kept->kernels, F_OK) != 0) {
        remove_older(getenv("CHECK_CACHE"), 7);
        if (!compile_all(unit, kept))
            write_list(kept, NULL, 0);
    }
    take_kept(unit, kept);
    int status = compile_alone(unit, kept);
    if (locked >= 0)
        close(locked);
    return status;
}

/* ---- calls ---- */

/* Becomes the compiler, whose words these are. */
static void call_compiler(char **words, int n_words, char *option)
{
    char *its = getenv("CHECK_CXX");
    char **call = calloc((size_t)n_words + 3, sizeof *call);
    int n = 0;
    if (!call)
        exit(1);
    call[n++] = its ? its : "g++";
    if (option && *option)
        call[n++] = option;
    memcpy(call + n, words, (size_t)n_words * sizeof *words);
    become(call);
}

/* What `reductio check` has compiled, and not that which makes and tries precompiled headers. */
static bool is_of_check(char **words, int n_words)
{
    bool includes = false, compiles = false;
    for (int k = 0; k + 1 < n_words; k++) {
        includes |=
            strcmp(words[k], "-include") == 0 && strcmp(words[k + 1], "reductio_first.hpp") == 0;
        compiles |= strcmp(words[k], "-c") == 0;
    }
    return includes && compiles;
}

int main(int argc, char **argv)
{
    static struct unit unit;
    static struct kept kept;
    struct hash hash = hash_start();
    unsetenv("MALLOC_PERTURB_"); /* which is meant for our own programs, and slows the compiler */
    unit.words = argv + 1;
    unit.n_words = argc - 1;
    if (argc > 1 && strcmp(argv[1], "-shared") == 0)
        call_compiler(unit.words, unit.n_words, getenv("CHECK_LINKER"));
    if (!is_of_check(unit.words, unit.n_words))
        call_compiler(unit.words, unit.n_words, NULL);
    if (!getenv("CHECK_CACHE")) {
        fprintf(stderr, "cached_cxx: CHECK_CACHE is to be set\n");
        return 1;
    }
    if (!read_words(&unit)) {
        fprintf(stderr, "cached_cxx: nothing would be kept: the end of the compiler's arguments is "
                        "another one now\n");
        return 1;
    }
    if (!read_source(&unit) || !hash_unit(&unit, &hash))
        return compile(&unit, unit.source, unit.object, false);
    name_kept(&unit, &hash, &kept);
    take_kept(&unit, &kept);
    return compile_and_take(&unit, &kept);
}
