// SPDX-License-Identifier: MIT
/* An entry is a file, named by a digest of prover, answer and text, that repeats them. It is compared as a whole: neither a digest
 * that two texts share nor a file that was changed is a proof. */
#include "prove/solver/cache.h"

#include "base/cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SIZE = 40, HEAD_SIZE = 200 };

/* All entries together; of more than that, the oldest go until half is left. */
#define BYTES_MAX ((uint64_t)256 << 20)

/* ---- the folder ---- */

void rd_proof_cache_open(struct rd_proof_cache *cache)
{
    char path[RD_CACHE_PATH_SIZE];
    cache->has_grown = false;
    cache->folder =
        rd_cache_folder("proofs", path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

/* ---- entries ---- */

/* FNV-1a of 128 bits. */
static void name_of(const struct rd_proof_entry *entry, char name[NAME_SIZE])
{
    unsigned __int128 digest = ((unsigned __int128)0x6c62272e07bb0142u << 64) | 0x62b821756295c58du;
    const unsigned __int128 prime = ((unsigned __int128)1 << 88) | 0x13b;
    const char *const parts[] = {entry->prover, entry->answer, entry->text};
    for (unsigned k = 0; k < sizeof parts / sizeof *parts; k++) {
        for (const char *at = parts[k]; *at; at++)
            digest = (digest ^ (unsigned char)*at) * prime;
        digest *= prime; /* the NUL between them */
    }
    snprintf(name, NAME_SIZE, "%016llx%016llx", (unsigned long long)(digest >> 64),
             (unsigned long long)digest);
}

/* The lines above the text. */
static int head_of(const struct rd_proof_entry *entry, double seconds, char head[HEAD_SIZE])
{
    return snprintf(head, HEAD_SIZE,
                    "; reductio proof 1\n; prover: %s\n; answer: %s\n; seconds: %.3f\n",
                    entry->prover, entry->answer, seconds);
}

static char *read_all(int file, size_t size)
{
    char *content = malloc(size + 1);
    size_t n = 0;
    while (content && n < size) {
        const ssize_t got = read(file, content + n, size - n);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    if (!content || n < size) {
        free(content);
        return NULL;
    }
    content[size] = '\0';
    return content;
}

/* Tells whether it is what would be written, with some number of seconds. */
static bool is_entry(const char *content, struct rd_proof_entry *entry)
{
    char head[HEAD_SIZE];
    double said = 0;
    const char *at = strstr(content, "\n; seconds: ");
    if (!at)
        return false;
    said = strtod(at + strlen("\n; seconds: "), NULL);
    const int length = head_of(entry, said, head);
    if (length < 0 || length >= HEAD_SIZE || !(said >= 0) ||
        strncmp(content, head, (size_t)length) != 0 || strcmp(content + length, entry->text) != 0)
        return false;
    entry->seconds = said;
    return true;
}

bool rd_proof_cache_has(struct rd_proof_cache *cache, struct rd_proof_entry *entry)
{
    char name[NAME_SIZE];
    struct stat about;
    bool has = false;
    if (cache->folder < 0)
        return false;
    name_of(entry, name);
    const int file = openat(cache->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && rd_cache_is_own(&about) &&
        (uint64_t)about.st_size < strlen(entry->text) + HEAD_SIZE) {
        char *content = read_all(file, (size_t)about.st_size);
        has = content && strlen(content) == (size_t)about.st_size && is_entry(content, entry);
        free(content);
    }
    if (has)
        futimens(file, NULL); /* so that it isn't among the oldest */
    close(file);
    return has;
}

static bool write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(file, text, size);
        if (n < 0 && errno != EINTR)
            return false;
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

void rd_proof_cache_add(struct rd_proof_cache *cache, const struct rd_proof_entry *entry)
{
    char name[NAME_SIZE], part[NAME_SIZE + 32], head[HEAD_SIZE];
    const int length = head_of(entry, entry->seconds, head);
    if (cache->folder < 0 || length < 0 || length >= HEAD_SIZE)
        return;
    name_of(entry, name);
    snprintf(part, sizeof part, "%s.%ld.part", name, (long)getpid());
    const int file =
        openat(cache->folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return;
    const bool written =
        write_all(file, head, (size_t)length) && write_all(file, entry->text, strlen(entry->text));
    if (close(file) != 0 || !written || renameat(cache->folder, part, cache->folder, name) != 0)
        unlinkat(cache->folder, part, 0);
    else
        cache->has_grown = true;
}

/* ---- its size ---- */

struct entry {
    char name[NAME_SIZE + 32];
    uint64_t bytes;
    struct timespec used;
};

static int by_age(const void *x, const void *y)
{
    const struct timespec *a = &((const struct entry *)x)->used,
                          *b = &((const struct entry *)y)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

static size_t list_entries(int folder, struct entry **entries, uint64_t *bytes)
{
    size_t n = 0, capacity = 0;
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *all = again >= 0 ? fdopendir(again) : NULL;
    *bytes = 0;
    /* readdir_r is deprecated, and only this thread reads this folder. */
    // cppcheck-suppress readdirCalled
    for (struct dirent *at; all && (at = readdir(all));) {
        struct stat about;
        if (at->d_name[0] == '.' || strlen(at->d_name) >= sizeof(*entries)->name ||
            fstatat(folder, at->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(about.st_mode))
            continue;
        if (n == capacity) {
            capacity = 2 * capacity + 256;
            struct entry *grown = realloc(*entries, capacity * sizeof *grown);
            if (!grown)
                break;
            *entries = grown;
        }
        struct entry *entry = &(*entries)[n++];
        memcpy(entry->name, at->d_name, strlen(at->d_name) + 1);
        entry->bytes = (uint64_t)about.st_size;
        entry->used = about.st_mtim;
        *bytes += entry->bytes;
    }
    if (all)
        closedir(all);
    else if (again >= 0)
        close(again);
    return n;
}

static void sweep(int folder)
{
    struct entry *entries = NULL;
    uint64_t bytes;
    const size_t n = list_entries(folder, &entries, &bytes);
    if (n > 0)
        qsort(entries, n, sizeof *entries, by_age);
    for (size_t k = 0, over = bytes > BYTES_MAX; over && k < n && bytes > BYTES_MAX / 2; k++)
        if (unlinkat(folder, entries[k].name, 0) == 0)
            bytes -= entries[k].bytes;
    free(entries);
}

void rd_proof_cache_close(struct rd_proof_cache *cache)
{
    if (cache->folder < 0)
        return;
    if (cache->has_grown)
        sweep(cache->folder);
    close(cache->folder);
    cache->folder = -1;
}
