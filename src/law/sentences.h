// SPDX-License-Identifier: MIT
/* The sentences of a paragraph as parts of its text, each of which begins a line. Private. */
#ifndef RD_LAW_SENTENCES_H
#define RD_LAW_SENTENCES_H

#include <stdbool.h>
#include <stddef.h>

/* Part of a text. */
struct rd_law_sentence {
    const char *begin, *end; /* the word, and behind the line feed of its last line */
};

/* The first sentence before any point that begins with the word; false where there is none. */
bool rd_law_find_sentence(const char *paragraph, const char *word, struct rd_law_sentence *found);

/* Tells whether the text, after blanks, begins with the word. */
bool rd_law_begins_with_word(const char *text, const char *word);
/* Tells whether it begins with a word whose sentence is always the program's own, as 'input'. */
bool rd_law_begins_with_fixed(const char *text);

enum { RD_LAW_WORDS_SIZE = 128 };
/* "'input', 'array' and 'at'": those that are the program's own, or all that there are. */
const char *rd_law_sentence_words(bool fixed_only, const char *last, char text[RD_LAW_WORDS_SIZE]);

#endif
