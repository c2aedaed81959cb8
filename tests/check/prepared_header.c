// SPDX-License-Identifier: MIT
#include "prepared_header.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kept_files.h"

static bool starts_with(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* Where the first words are; false: this is no call of `reductio check`. */
static bool find_folder(int argc, char **argv, int *at)
{
    bool is_of_check = false;
    *at = 0;
    for (int k = 1; k + 1 < argc; k++) {
        is_of_check |=
            strcmp(argv[k], "-include") == 0 && strcmp(argv[k + 1], "reductio_cuda.hpp") == 0;
        if (strcmp(argv[k], "-I") == 0)
            *at = k;
    }
    if (is_of_check && *at == 0) {
        fprintf(stderr, "%s: no header would be prepared: there is no -I FOLDER any more\n",
                argv[0]);
        exit(1);
    }
    return is_of_check;
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
static bool is_common(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    struct stat status;
    return strcmp(name, "reductio_macros.hpp") != 0 &&
           fnmatch("included[0-9]*.hpp", name, 0) != 0 && stat(path, &status) == 0 &&
           S_ISREG(status.st_mode);
}

static void key_of(char **options, int n_options, const glob_t *headers, char key[33])
{
    struct hash hash = hash_start();
    hash_self(&hash);
    for (int k = 0; k < n_options; k++)
        hash_text(&hash, options[k]);
    for (size_t k = 0; k < headers->gl_pathc; k++)
        if (is_common(headers->gl_pathv[k])) {
            hash_text(&hash, strrchr(headers->gl_pathv[k], '/'));
            hash_file(&hash, headers->gl_pathv[k]);
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

/* Another one may be compiling with what lies there: the folder comes by its name when it is whole. */
static void prepare(const char *kept, char **options, int n_options, const glob_t *headers)
{
    static char part[TEXT_MAX], path[TEXT_MAX];
    print_path(part, "%s.part", kept);
    /* Of one that was interrupted. */
    run_program((char *[]){"rm", "-rf", part, NULL}, false);
    mkdir(part, 0777);
    for (size_t k = 0; k < headers->gl_pathc; k++)
        if (is_common(headers->gl_pathv[k])) {
            print_path(path, "%s%s", part, strrchr(headers->gl_pathv[k], '/'));
            copy_file(headers->gl_pathv[k], path);
        }
    print_path(path, "%s/reductio_cuda.hpp", part);
    char **words = calloc((size_t)n_options + 6, sizeof *words);
    if (!words)
        exit(1);
    memcpy(words, options, (size_t)n_options * sizeof *words);
    memcpy(words + n_options, (char *[]){"-I", part, "-x", "c++-header", path}, 5 * sizeof *words);
    run_program(words, false);
    free(words);
    for (size_t k = 0; k < headers->gl_pathc; k++) {
        print_path(path, "%s%s", part, strrchr(headers->gl_pathv[k], '/'));
        if (includes_next(path))
            remove(path);
    }
    if (rename(part, kept) != 0)
        run_program((char *[]){"rm", "-rf", part, NULL}, false);
}

/* The folder with the prepared header; false where none can be kept, as for a program that is contained and compiles by
 * NVRTC, which may write nothing there. */
static bool find_prepared(char **words, int n_words, const char *folder, char kept[TEXT_MAX])
{
    static char path[TEXT_MAX];
    char key[33];
    glob_t headers;
    const char *in = getenv("CHECK_HEADERS");
    char **options = calloc((size_t)n_words + 1, sizeof *options);
    if (!in || !options) {
        fprintf(stderr, "prepared_header: CHECK_HEADERS is to be set\n");
        exit(1);
    }
    const int n_options = header_options(words, n_words, options);
    print_path(path, "%s/*.h*", folder);
    if (glob(path, 0, NULL, &headers) != 0)
        return false;
    key_of(options, n_options, &headers, key);
    print_path(kept, "%s/%s", in, key);
    print_path(path, "%s/reductio_cuda.hpp.gch", kept);
    bool is_there = access(path, R_OK) == 0;
    if (!is_there) {
        static char lock[TEXT_MAX];
        mkdir(in, 0777);
        print_path(lock, "%s/lock", in);
        int locked = lock_file(lock);
        if (locked >= 0 && access(path, R_OK) != 0) {
            remove_older(in, 1);
            prepare(kept, options, n_options, &headers);
        }
        is_there = access(path, R_OK) == 0;
        if (locked >= 0)
            close(locked);
    }
    globfree(&headers);
    free(options);
    return is_there;
}

char **prepared_words(int argc, char **argv)
{
    static char kept[TEXT_MAX], map[TEXT_MAX], part_map[TEXT_MAX];
    char **words = calloc((size_t)argc + 6, sizeof *words);
    int n = 0, at;
    if (!words)
        exit(1);
    words[n++] = "g++";
    if (find_folder(argc, argv, &at) && find_prepared(argv, at, argv[at + 1], kept)) {
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
