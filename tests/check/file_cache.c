// SPDX-License-Identifier: MIT
#include "file_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- hashes ---- */

struct hash hash_start(void)
{
    return (struct hash){{1, 2}};
}

void hash_number(struct hash *hash, uint64_t number)
{
    static const uint64_t factors[2] = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu};
    for (int k = 0; k < 2; k++) {
        uint64_t lane = (hash->lanes[k] ^ number) * factors[k];
        hash->lanes[k] = lane ^ lane >> 29;
    }
}

void hash_bytes(struct hash *hash, const char *bytes, size_t size)
{
    hash_number(hash, size);
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash_number(hash, word);
    }
}

void hash_text(struct hash *hash, const char *text)
{
    hash_bytes(hash, text, strlen(text));
}

bool hash_file(struct hash *hash, const char *path)
{
    size_t size;
    char *content = content_of(path, &size);
    if (content)
        hash_bytes(hash, content, size);
    free(content);
    return content != NULL;
}

static struct {
    struct hash sum;
    size_t length; /* of the folder's path */
    bool (*takes)(const char *name);
} hashed;

static int add_file(const char *path, const struct stat *status, int type, struct FTW *place)
{
    struct hash hash = hash_start();
    (void)status;
    if (type != FTW_F || (place->level == 1 && !hashed.takes(path + place->base)))
        return 0;
    hash_text(&hash, path + hashed.length);
    if (!hash_file(&hash, path))
        return 0;
    for (int k = 0; k < 2; k++)
        hashed.sum.lanes[k] += hash.lanes[k];
    return 0;
}

void hash_folder(struct hash *hash, const char *folder, bool (*takes)(const char *name))
{
    memset(&hashed, 0, sizeof hashed);
    hashed.length = strlen(folder);
    hashed.takes = takes;
    nftw(folder, add_file, 16, FTW_PHYS);
    for (int k = 0; k < 2; k++)
        hash_number(hash, hashed.sum.lanes[k]);
}

void hash_name(const struct hash *hash, char name[33])
{
    snprintf(name, 33, "%016llx%016llx", (unsigned long long)hash->lanes[0],
             (unsigned long long)hash->lanes[1]);
}

/* ---- files ---- */

char *content_of(const char *path, size_t *size)
{
    struct stat status;
    char *content = NULL;
    ssize_t n = -1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && (content = malloc((size_t)status.st_size + 1)))
        n = read(file, content, (size_t)status.st_size);
    if (file >= 0)
        close(file);
    if (n < 0) {
        free(content);
        return NULL;
    }
    content[n] = '\0';
    if (size)
        *size = (size_t)n;
    return content;
}

bool copy_file(const char *from, const char *to)
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

int lock_file(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file >= 0) {
        flock(file, LOCK_EX);
        futimens(file, NULL); /* or remove_older() would take it from under those that wait */
    }
    return file;
}

static time_t oldest;

static int remove_old(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)type;
    if (place->level > 0 && status->st_mtime < oldest)
        remove(path); /* a folder once it is empty */
    return 0;
}

void remove_older(const char *folder, int days)
{
    oldest = time(NULL) - (time_t)days * 24 * 60 * 60;
    nftw(folder, remove_old, 16, FTW_DEPTH | FTW_PHYS);
}

void print_path(char path[TEXT_MAX], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, TEXT_MAX, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= TEXT_MAX) {
        fprintf(stderr, "a path is too long: %.60s...\n", path);
        exit(1);
    }
}

/* ---- programs ---- */

void become(char *const *words)
{
    execvp(words[0], words);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    _exit(1);
}

int run_program(char *const *words, bool quiet)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int nothing = quiet ? open("/dev/null", O_WRONLY) : -1;
        if (nothing >= 0) {
            dup2(nothing, STDERR_FILENO);
            close(nothing);
        }
        become(words);
    }
    pid_t ended = child;
    do
        ended = child > 0 ? waitpid(child, &status, 0) : -1;
    while (ended < 0 && child > 0 && errno == EINTR);
    return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
