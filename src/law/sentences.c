// SPDX-License-Identifier: MIT
#include "law/sentences.h"
#include "law/lexer.h"

#include <stdio.h>
#include <string.h>

static const struct {
    enum law_lexeme lexeme;
    bool is_free;
} sentences[] = {
#define SENTENCE(name, is_free) {LAW_WORD_##name, is_free},
    LAW_SENTENCES(SENTENCE)
#undef SENTENCE
};
enum { N_SENTENCES = sizeof sentences / sizeof *sentences };

bool rd_law_begins_with_word(const char *text, const char *word)
{
    text += strspn(text, " \t\r\n");
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && strchr(" \t\r\n", text[length]);
}

bool rd_law_begins_with_fixed(const char *text)
{
    for (size_t k = 0; k < N_SENTENCES; k++)
        if (!sentences[k].is_free &&
            rd_law_begins_with_word(text, rd_law_word_text(sentences[k].lexeme)))
            return true;
    return false;
}

const char *rd_law_sentence_words(bool fixed_only, const char *last, char text[RD_LAW_WORDS_SIZE])
{
    size_t left = 0, length = 0;
    for (size_t k = 0; k < N_SENTENCES; k++)
        left += !fixed_only || !sentences[k].is_free;
    for (size_t k = 0; k < N_SENTENCES; k++) {
        if (fixed_only && sentences[k].is_free)
            continue;
        left--;
        const char *behind = left > 1 ? ", " : left == 1 ? last : "";
        length += (size_t)snprintf(text + length, RD_LAW_WORDS_SIZE - length, "'%s'%s",
                                   rd_law_word_text(sentences[k].lexeme), behind);
    }
    return text;
}

/* ---- in a text ---- */

/* A claim may begin a line with 'when' behind a ';'. */
static bool is_continued(const char *paragraph, const char *line)
{
    while (line > paragraph && strchr(" \t\r\n", line[-1]))
        line--;
    return line > paragraph && (line[-1] == ';' || line[-1] == ',');
}

static bool begins_sentence(const char *paragraph, const char *line)
{
    if (strchr(" \t\r\n", *line) || is_continued(paragraph, line))
        return !*line;
    for (size_t k = 0; k < N_SENTENCES; k++)
        if (rd_law_begins_with_word(line, rd_law_word_text(sentences[k].lexeme)))
            return true;
    return false;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

bool rd_law_find_sentence(const char *paragraph, const char *word, struct rd_law_sentence *found)
{
    const char *line = paragraph;
    while (*line && !(begins_sentence(paragraph, line) && rd_law_begins_with_word(line, word))) {
        if (begins_sentence(paragraph, line) &&
            rd_law_begins_with_word(line, rd_law_word_text(LAW_WORD_AT)))
            return false;
        line = next_line(line);
    }
    if (!*line)
        return false;
    found->begin = line;
    for (line = next_line(line); *line && !begins_sentence(paragraph, line);)
        line = next_line(line);
    found->end = line;
    return true;
}
