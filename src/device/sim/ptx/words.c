// SPDX-License-Identifier: MIT
/* The words behind the name of an instruction, and lists of them. */
#include "device/sim/ptx/parse.h"

const char *rd_ptx_word_text(enum rd_ptx_word word)
{
#define TEXT(name, text) text,
    static const char *const all[] = {RD_PTX_WORDS(TEXT)};
#undef TEXT
    return all[word];
}

bool rd_ptx_find_word(const char *text, enum rd_ptx_word *word)
{
    for (unsigned k = 0; k < RD_PTX_N_WORDS; k++)
        if (strcmp(rd_ptx_word_text((enum rd_ptx_word)k), text) == 0) {
            *word = (enum rd_ptx_word)k;
            return true;
        }
    *word = RD_PTX_HINT; /* of the caches: "L2::128B", "L1::evict_last" */
    return strncmp(text, "L1::", 4) == 0 || strncmp(text, "L2::", 4) == 0;
}

bool rd_ptx_list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}
