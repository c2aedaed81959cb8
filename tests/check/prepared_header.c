// SPDX-License-Identifier: MIT
#include "prepared_header.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_cache.h"

static bool starts_with(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* The place of the last -I; 0: this is no call of `reductio check`. */
static int find_folder(int argc, char **argv)
{
    static const char *const includes[] = {"-include", "reductio_cuda.hpp", "-include",
                                           "reductio_macros.hpp", "-c"};
    enum { N = sizeof includes / sizeof *includes };
    bool is_of_check = false, is_known = false;
    int at = 0;
    for (int k = 1; k + 1 < argc; k++) {
        int n = 0;
        while (n < N && k + n < argc && strcmp(argv[k + n], includes[n]) == 0)
            n++;
        is_of_check |= n >= 2;
        is_known |= n == N;
        if (strcmp(argv[k], "-I") == 0)
            at = k;
    }
    if (is_of_check && (!is_known || at == 0)) {
        fprintf(stderr,
                "%s: no header would be prepared: the compiler's arguments are others now\n",
                argv[0]);
        exit(1);
    }
    return is_of_check ? at : 0;
}

/* The options that the header depends on, behind the compiler: not what is of this file alone. One header serves all; g++
 * passes it over where a macro would change it. */
static int header_options(char **words, int n_words, char **options)
{
    int n = 0;
    options[n++] = "g++";
    for (int k = 1; k < n_words; k++) {
        if (strcmp(words[k], "-D") == 0)
            k++;
        else if (!starts_with(words[k], "-D") && !starts_with(words[k], "-fdebug-prefix-map=") &&
                 strcmp(words[k], "-fsyntax-only") != 0)
            options[n++] = words[k];
    }
    return n;
}

/* All headers, but for the macros and for copies of headers of the user's, which differ by file. */
static int is_common(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN) &&
           fnmatch("*.h*", name, 0) == 0 && strcmp(name, "reductio_macros.hpp") != 0 &&
           fnmatch("included[0-9]*.hpp", name, 0) != 0;
}

struct headers {
    const char *folder;
    struct dirent **list;
    int n;
};

static void key_of(char **options, int n_options, const struct headers *headers, char key[33])
{
    static char path[TEXT_MAX];
    struct hash hash = hash_start();
    hash_text(&hash, __TIMESTAMP__); /* of this file: how a header is prepared */
    for (int k = 0; k < n_options; k++)
        hash_text(&hash, options[k]);
    for (int k = 0; k < headers->n; k++) {
        print_path(path, "%s/%s", headers->folder, headers->list[k]->d_name);
        hash_text(&hash, headers->list[k]->d_name);
        hash_file(&hash, path);
    }
    hash_name(&hash, key);
}

/* The next header of the same name is to be the toolkit's, not the same in FOLDER. */
static bool includes_next(const char *path)
{
    char *content = content_of(path, NULL);
    bool does =
        content && (starts_with(content, "#include_next") || strstr(content, "\n#include_next"));
    free(content);
    return does;
}

/* Compiles the header in the folder, where copies of all lie. */
static bool compile_header(const char *folder, char **options, int n_options)
{
    static char header[TEXT_MAX];
    char **words = calloc((size_t)n_options + 6, sizeof *words);
    if (!words)
        exit(1);
    print_path(header, "%s/reductio_cuda.hpp", folder);
    memcpy(words, options, (size_t)n_options * sizeof *words);
    memcpy(words + n_options, (char *[]){"-I", (char *)folder, "-x", "c++-header", header},
           5 * sizeof *words);
    bool done = run_program(words, false) == 0;
    free(words);
    return done;
}

static void remove_folder(char *folder)
{
    run_program((char *[]){"rm", "-rf", folder, NULL}, false);
}

/* Another one may be compiling with what lies there: the folder comes by its name when it is whole. */
static void prepare(const char *kept, char **options, int n_options, const struct headers *headers)
{
    static char part[TEXT_MAX], from[TEXT_MAX], to[TEXT_MAX];
    print_path(part, "%s.part", kept);
    remove_folder(part); /* of one that was interrupted */
    mkdir(part, 0777);
    for (int k = 0; k < headers->n; k++) {
        print_path(from, "%s/%s", headers->folder, headers->list[k]->d_name);
        print_path(to, "%s/%s", part, headers->list[k]->d_name);
        copy_file(from, to);
    }
    bool done = compile_header(part, options, n_options);
    for (int k = 0; done && k < headers->n; k++) {
        print_path(to, "%s/%s", part, headers->list[k]->d_name);
        if (includes_next(to))
            remove(to);
    }
    if (!done || rename(part, kept) != 0)
        remove_folder(part);
}

/* Finds the folder with the prepared header; false where none can be kept, as for a program that is contained and compiles
 * by NVRTC, which may write nothing there. */
static bool find_prepared(char **words, int n_words, const char *folder, char kept[TEXT_MAX])
{
    static char path[TEXT_MAX], lock[TEXT_MAX];
    char key[33];
    struct headers headers = {.folder = folder};
    const char *in = getenv("CHECK_HEADERS");
    char **options = calloc((size_t)n_words + 1, sizeof *options);
    if (!in || !options) {
        fprintf(stderr, "prepared_header: CHECK_HEADERS is to be set\n");
        exit(1);
    }
    const int n_options = header_options(words, n_words, options);
    headers.n = scandir(folder, &headers.list, is_common, alphasort);
    if (headers.n < 0)
        return false;
    key_of(options, n_options, &headers, key);
    print_path(kept, "%s/%s", in, key);
    print_path(path, "%s/reductio_cuda.hpp.gch", kept);
    if (access(path, R_OK) != 0) {
        mkdir(in, 0777);
        print_path(lock, "%s/lock", in);
        int locked = lock_file(lock);
        if (locked >= 0 && access(path, R_OK) != 0) {
            remove_older(in, 1);
            prepare(kept, options, n_options, &headers);
        }
        if (locked >= 0)
            close(locked);
    }
    for (int k = 0; k < headers.n; k++)
        free(headers.list[k]);
    free(headers.list);
    free(options);
    return access(path, R_OK) == 0;
}

char **prepared_words(int argc, char **argv)
{
    static char kept[TEXT_MAX], map[TEXT_MAX], part_map[TEXT_MAX];
    char **words = calloc((size_t)argc + 6, sizeof *words);
    int n = 0, at = find_folder(argc, argv);
    if (!words)
        exit(1);
    words[n++] = "g++";
    if (at > 0 && find_prepared(argv, at, argv[at + 1], kept)) {
        /* Lines of headers are to be those of FOLDER's, which `reductio` knows as its own. */
        const char *there = argv[at + 1];
        for (int k = 1; k < argc; k++)
            if (starts_with(argv[k], "-fdebug-prefix-map="))
                there = "."; /* as cached_cxx has it */
        print_path(map, "-fdebug-prefix-map=%s=%s", kept, there);
        print_path(part_map, "-fdebug-prefix-map=%s.part=%s", kept, there);
        memcpy(words + n, (char *[]){"-I", kept, map, part_map}, 4 * sizeof *words);
        n += 4;
    }
    for (int k = 1; k < argc; k++)
        words[n++] = argv[k];
    return words;
}
