// SPDX-License-Identifier: MIT
/* Cuts what the compiler has said into messages. */
#include "check/compiler/compiler_internal.h"
#include "check/compiler/compiler.h"
#include "base/array.h"
#include "check/source/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

/* "12:" at `at`; 0: there is no number before a colon. */
static unsigned read_number(const char **at)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return 0;
    const unsigned long number = strtoul(*at, &end, 10);
    if (*end != ':' && *end != ',')
        return 0;
    *at = end + 1;
    return (unsigned)number;
}

bool rd_check_place_read(struct rd_check_place *place, const char *line, const char **behind)
{
    for (const char *colon = strchr(line, ':'); colon; colon = strchr(colon + 1, ':')) {
        const char *at = colon + 1;
        const unsigned number = read_number(&at);
        if (number == 0)
            continue;
        *place = (struct rd_check_place){line, (size_t)(colon - line), number, read_number(&at)};
        *behind = at;
        return true;
    }
    return false;
}

bool rd_check_place_is_same(const struct rd_check_place *a, const struct rd_check_place *b)
{
    return a->line == b->line && a->column == b->column && a->length == b->length &&
           strncmp(a->path, b->path, a->length) == 0;
}

/* ---- messages ---- */

/* Reads "sum.cu:12:3: error: text"; false where the line is none of these. */
static bool read_message(struct rd_check_message *message, const char *line)
{
    static const struct {
        const char *word;
        bool is_error, is_note;
    } kinds[] = {{" error: ", true, false},
                 {" fatal error: ", true, false},
                 {" sorry, unimplemented: ", true, false},
                 {" note: ", false, true},
                 {" warning: ", false, false}};
    const char *behind;
    *message = (struct rd_check_message){0};
    if (!rd_check_place_read(&message->place, line, &behind))
        return false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strncmp(behind, kinds[k].word, strlen(kinds[k].word)) == 0) {
            message->text = behind + strlen(kinds[k].word);
            message->is_error = kinds[k].is_error;
            message->is_note = kinds[k].is_note;
            return true;
        }
    return false;
}

/* Tells whether the line says how the compiler came to the next message: "sum.cu: In function 'int main()':". What is neither that
 * nor a message quotes the source. */
static bool is_heading(const char *line)
{
    static const char *const marks[] = {"In file included from ",
                                        "                 from ",
                                        ": In ",
                                        ": At ",
                                        "required from ",
                                        "required by "};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (strstr(line, marks[k]))
            return true;
    return false;
}

static void cut_lines(struct rd_check_messages *messages)
{
    size_t capacity = 0;
    for (char *at = messages->said; *at;) {
        if (!rd_array_make_room(&messages->lines, messages->n_lines, &capacity,
                                sizeof *messages->lines))
            return;
        messages->lines[messages->n_lines++] = at;
        at += strcspn(at, "\n");
        if (*at)
            *at++ = '\0';
    }
}

void rd_check_messages_init(struct rd_check_messages *messages,
                            const struct rd_check_compiler *compiler, const char *name)
{
    char path[RD_CHECK_PATH_SIZE];
    size_t capacity = 0, head = 0;
    struct rd_check_message message;
    struct rd_error error;
    *messages = (struct rd_check_messages){0};
    snprintf(path, sizeof path, "%s/%s.txt", compiler->directory, name);
    if (rd_check_read_source(path, &messages->said, &error) != RD_OK)
        return;
    cut_lines(messages);
    for (size_t k = 0; k < messages->n_lines; k++) {
        const bool is_message = read_message(&message, messages->lines[k]);
        if (is_message || is_heading(messages->lines[k]))
            rd_check_names_restore(messages->lines[k]); /* what is quoted has the user's own */
        else if (messages->n > 0 && messages->all[messages->n - 1].end == k)
            head = messages->all[messages->n - 1].end = k + 1;
        if (!is_message)
            continue;
        if (!rd_array_make_room(&messages->all, messages->n, &capacity, sizeof *messages->all))
            return;
        message.head = head;
        message.line = k;
        message.end = head = k + 1;
        messages->all[messages->n++] = message;
    }
}

void rd_check_messages_finish(struct rd_check_messages *messages)
{
    free(messages->said);
    free(messages->lines);
    free(messages->all);
    *messages = (struct rd_check_messages){0};
}
