// SPDX-License-Identifier: MIT
/* The script `cached_cxx` where there is nothing to do for it: finds an object that is kept, or calls the compiler. A hit
 * takes the script thirty processes, and there are two a check. Whatever is not kept, the script compiles and keeps, by the
 * key that is found here. CHECK_SCRIPT is its path; the rest of the environment is the script's. */
#include <fcntl.h>
#include <glob.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 16 };

/* ---- a hash of 128 bits ---- */

struct hash {
    uint64_t lanes[2];
};

static void mix(struct hash *hash, uint64_t word)
{
    static const uint64_t factors[2] = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu};
    for (int k = 0; k < 2; k++) {
        uint64_t lane = (hash->lanes[k] ^ word) * factors[k];
        hash->lanes[k] = lane ^ lane >> 29;
    }
}

/* Its length comes first: two contents are not one. */
static void hash_bytes(struct hash *hash, const char *bytes, size_t size)
{
    mix(hash, size);
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        mix(hash, word);
    }
}

static void hash_text(struct hash *hash, const char *text)
{
    hash_bytes(hash, text, strlen(text));
}

/* ---- files ---- */

/* The content, ended by a zero; NULL where it can't be read. */
static char *content_of(const char *path, size_t *size)
{
    struct stat status;
    char *content = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && (content = malloc((size_t)status.st_size + 1))) {
        ssize_t n = read(file, content, (size_t)status.st_size);
        *size = n < 0 ? 0 : (size_t)n;
        content[*size] = '\0';
    }
    if (file >= 0)
        close(file);
    return content;
}

static bool hash_file(struct hash *hash, const char *path)
{
    size_t size;
    char *content = content_of(path, &size);
    if (content)
        hash_bytes(hash, content, size);
    free(content);
    return content != NULL;
}

static bool hash_files(struct hash *hash, const char *folder, const char *pattern)
{
    char path[TEXT_MAX];
    glob_t found;
    bool all = true;
    snprintf(path, sizeof path, "%s/%s", folder, pattern);
    if (glob(path, 0, NULL, &found) != 0)
        return true; /* there are none */
    for (size_t k = 0; k < found.gl_pathc; k++)
        all &= hash_file(hash, found.gl_pathv[k]);
    globfree(&found);
    return all;
}

/* Finds a program as a shell does. */
static bool find_program(const char *name, char path[TEXT_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(path, TEXT_MAX, "%s", name);
        return access(path, X_OK) == 0;
    }
    while (folders && *folders) {
        size_t n = strcspn(folders, ":");
        snprintf(path, TEXT_MAX, "%.*s/%s", (int)n, folders, name);
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
        "-iquote", NULL, "-include", "reductio_cuda.hpp", "-include", "reductio_macros.hpp", "-c",
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
        snprintf(path, sizeof path, "%s/%.*s", unit->beside, (int)n, word + 1);
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

static bool hash_unit(const struct unit *unit, const char *script, struct hash *hash)
{
    char compiler[TEXT_MAX], beside[TEXT_MAX];
    const char *its = getenv("CHECK_CXX"), *comma = strrchr(unit->last, ',');
    struct stat status;
    for (int k = 0; k < unit->n_words; k++)
        hash_without(hash, unit->words[k], unit->folder);
    if (!find_program(its ? its : "g++", compiler) || stat(compiler, &status) != 0)
        return false;
    hash_text(hash, compiler);
    mix(hash, (uint64_t)status.st_size);
    mix(hash, (uint64_t)status.st_mtime);
    hash_bytes(hash, unit->last, comma ? (size_t)(comma - unit->last) : strlen(unit->last));
    hash_text(hash, unit->text);
    snprintf(beside, sizeof beside, "%.*s/prepared_cxx", (int)(strrchr(script, '/') - script),
             script);
    return hash_files(hash, unit->folder, "*.hpp") && hash_files(hash, unit->folder, "*.h") &&
           hash_file(hash, script) && hash_file(hash, beside) &&
           each_included(unit, unit->text, hash_included, hash);
}

/* ---- what is kept ---- */

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

static bool copy(const char *from, const char *to)
{
    size_t size;
    char *content = content_of(from, &size);
    int file = content ? open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    bool done = file >= 0 && write(file, content, size) == (ssize_t)size;
    if (file >= 0)
        done &= close(file) == 0;
    free(content);
    return done;
}

/* Ends the process with the object made, if it is kept. */
static void take_kept(const struct unit *unit, const char *kept, const char *alone)
{
    char path[TEXT_MAX], thread[64], describe[64];
    size_t size;
    snprintf(path, sizeof path, "%s.kernels", kept);
    char *list = content_of(path, &size);
    if (!list)
        return;
    const int number = find_kernel(list, unit->last);
    free(list);
    if (number < 0) {
        if (copy(alone, unit->object))
            exit(0);
        return;
    }
    touch(path);
    snprintf(path, sizeof path, "%s.all", kept);
    touch(path);
    snprintf(thread, sizeof thread, "--redefine-sym=rd_other_thread%d=rd_check_thread", number);
    snprintf(describe, sizeof describe, "--redefine-sym=rd_other_describe%d=rd_check_describe",
             number);
    execlp("objcopy", "objcopy", thread, describe, path, unit->object, (char *)NULL);
}

/* ---- calls ---- */

static void call_compiler(int argc, char **argv, const char *option)
{
    const char *its = getenv("CHECK_CXX");
    char **words = calloc((size_t)argc + 2, sizeof *words);
    int n = 0;
    if (!words)
        exit(1);
    words[n++] = (char *)(its ? its : "g++");
    if (option && *option)
        words[n++] = (char *)option;
    for (int k = 1; k < argc; k++)
        words[n++] = argv[k];
    execvp(words[0], words);
    perror(words[0]);
    exit(1);
}

static bool is_of_check(int argc, char **argv)
{
    for (int k = 1; k + 1 < argc; k++)
        if (strcmp(argv[k], "-include") == 0 && strcmp(argv[k + 1], "reductio_cuda.hpp") == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    static struct unit unit;
    const char *script = getenv("CHECK_SCRIPT"), *cache = getenv("CHECK_CACHE");
    char key[40], alone_key[24], kept[TEXT_MAX], alone[TEXT_MAX + 32];
    struct hash hash = {{1, 2}}, of_last = {{1, 2}};
    if (!script || !strchr(script, '/') || !cache) {
        fprintf(stderr, "%s: CHECK_SCRIPT and CHECK_CACHE are to be set\n", argv[0]);
        return 1;
    }
    unit.words = argv + 1;
    unit.n_words = argc - 1;
    if (argc > 1 && strcmp(argv[1], "-shared") == 0)
        call_compiler(argc, argv, getenv("CHECK_LINKER"));
    if (!is_of_check(argc, argv))
        call_compiler(argc, argv, NULL);
    unsetenv("CHECK_KEY");
    if (read_words(&unit) && read_source(&unit) && hash_unit(&unit, script, &hash)) {
        hash_text(&of_last, unit.last);
        snprintf(key, sizeof key, "%016llx%016llx", (unsigned long long)hash.lanes[0],
                 (unsigned long long)hash.lanes[1]);
        snprintf(alone_key, sizeof alone_key, "%016llx", (unsigned long long)of_last.lanes[0]);
        snprintf(kept, sizeof kept, "%s/%s", cache, key);
        snprintf(alone, sizeof alone, "%s.%s", kept, alone_key);
        take_kept(&unit, kept, alone);
        setenv("CHECK_KEY", key, 1);
        setenv("CHECK_ALONE", alone_key, 1);
    }
    argv[0] = (char *)script;
    execv(script, argv);
    perror(script);
    return 1;
}
