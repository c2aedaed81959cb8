// SPDX-License-Identifier: MIT
/* Hashes of contents, and files, for the tests' compilers, which keep what they made of equal contents. */
#ifndef RD_TEST_FILE_CACHE_H
#define RD_TEST_FILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_MAX = 1 << 16 };

/* 128 bits. */
struct hash {
    uint64_t lanes[2];
};

struct hash hash_start(void);
void hash_number(struct hash *hash, uint64_t number);
/* The length comes first: two contents are not one. */
void hash_bytes(struct hash *hash, const char *bytes, size_t size);
void hash_text(struct hash *hash, const char *text);
/* False where the file can't be read. */
bool hash_file(struct hash *hash, const char *path);
/* The regular files below the folder, by their paths in it, whatever their order there; of the folder itself those of which
 * `takes` is true, by their names. */
void hash_folder(struct hash *hash, const char *folder, bool (*takes)(const char *name));
/* The 32 digits of it, for a file's name. */
void hash_name(const struct hash *hash, char name[33]);

/* The content, ended by a zero, which the caller frees; NULL where it can't be read. `size` may be NULL. */
char *content_of(const char *path, size_t *size);
bool copy_file(const char *from, const char *to);
/* Locks the file, which is made, or as old as this, until it is closed; -1 where it can't be made. */
int lock_file(const char *path);
/* Removes what lies in the folder and was not touched for so many days. */
void remove_older(const char *folder, int days);

/* As snprintf, but text that doesn't fit ends the process: half a path is another path. */
void print_path(char path[TEXT_MAX], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs a program and waits: its exit status, and 1 of one that was killed. What it says is lost if `quiet`. */
int run_program(char *const *words, bool quiet);
/* Becomes the program. */
void become(char *const *words) __attribute__((noreturn));

#endif
