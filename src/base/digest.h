// SPDX-License-Identifier: MIT
/* FNV-1a: a digest of texts that nobody chooses in order to deceive. (Fowler, Noll, Vo.) */
#ifndef RD_BASE_DIGEST_H
#define RD_BASE_DIGEST_H

#include <stdint.h>

#define RD_DIGEST_START 0xcbf29ce484222325u

/* Returns the digest of what `digest` is of, and of the text with its NUL. */
static inline uint64_t rd_digest_text(uint64_t digest, const char *text)
{
    for (; *text; text++)
        digest = (digest ^ (unsigned char)*text) * 0x100000001b3u;
    return digest * 0x100000001b3u;
}

#endif
