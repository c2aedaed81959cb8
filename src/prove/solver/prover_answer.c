// SPDX-License-Identifier: MIT
/* What a prover is told, and what it prints. */
#include "prove/solver/prover.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* The second tag is printed once the query is forgotten: so an error of `(reset)`, and all that comes late, is before it. */
char *rd_prover_question(const char *tag, const char *query)
{
    char *question;
    const int size =
        asprintf(&question, "(echo \"<%s\")\n%s\n(reset)\n(echo \">%s\")\n", tag, query, tag);
    return size < 0 ? NULL : question;
}

/* ---- lines ---- */

/* Returns the length of the line of the tag, which may stand in quotes, with its newline; 0: there is another line. */
static size_t tag_line(const char *at, char mark, const char *tag)
{
    char lines[2][RD_PROVER_TAG_SIZE + 4];
    snprintf(lines[0], sizeof lines[0], "%c%s\n", mark, tag);
    snprintf(lines[1], sizeof lines[1], "\"%c%s\"\n", mark, tag);
    for (unsigned k = 0; k < 2; k++)
        if (strncmp(at, lines[k], strlen(lines[k])) == 0)
            return strlen(lines[k]);
    return 0;
}

/* Returns the line of the second tag; NULL: it isn't there yet. */
static char *last_line(const struct rd_prover_process *process)
{
    for (char *at = process->text, *end = at + process->size; at && at < end;) {
        if (tag_line(at, '>', process->tag) > 0)
            return at;
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return NULL;
}

static bool is_line(const char *text, const char *line)
{
    const size_t length = strlen(line);
    return strncmp(text, line, length) == 0 && (text[length] == '\n' || text[length] == '\0');
}

/* Tells whether it is what a prover prints that hasn't found out. */
static bool is_ignorance(const char *text)
{
    return is_line(text, "unknown") || is_line(text, "timeout") ||
           strncmp(text, "cvc5 interrupted", strlen("cvc5 interrupted")) == 0 || *text == '\0';
}

/* Tells whether it is `unsat`, and an error, as there are no values to print. */
static bool is_no_model(const char *text)
{
    const char *error = "unsat\n(error ";
    return strncmp(text, error, strlen(error)) == 0 &&
           strchr(text + strlen(error), '\n') == text + strlen(text) - 1;
}

static void say(struct rd_prover_process *process, const char *text)
{
    snprintf(process->said, sizeof process->said, "said '%.*s'", (int)strcspn(text, "\n"), text);
}

/* ---- answers ---- */

bool rd_prover_judge(struct rd_prover_process *process)
{
    char *last = process->tag[0] != '\0' ? last_line(process) : NULL;
    if (!last)
        return false;
    const size_t first_size = tag_line(process->text, '<', process->tag);
    const bool is_whole = first_size > 0 && strlen(process->text) == process->size &&
                          last[tag_line(last, '>', process->tag)] == '\0';
    *last = '\0';
    memmove(process->text, process->text + first_size,
            (size_t)(last - process->text) - first_size + 1);
    const char *text = process->text;
    if (is_whole && strcmp(text, "unsat\n") == 0)
        process->answer = RD_PROVER_UNSAT;
    else if (is_whole && !strstr(text, "(error") &&
             (strcmp(text, "sat\n") == 0 || strncmp(text, "sat\n(", 5) == 0))
        process->answer = RD_PROVER_SAT;
    else if (is_whole && is_no_model(text))
        process->answer = RD_PROVER_NO_MODEL;
    else if (!is_whole || !is_ignorance(text))
        say(process, text);
    process->can_go_on =
        process->answer != RD_PROVER_NOTHING || (is_whole && strcmp(text, "unknown\n") == 0);
    return true;
}

void rd_prover_judge_end(struct rd_prover_process *process, int status)
{
    const char *text = process->text ? process->text : "";
    text += process->tag[0] != '\0' ? tag_line(text, '<', process->tag) : 0;
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGXCPU && WTERMSIG(status) != SIGKILL &&
        (*text == '\0' || !is_ignorance(text)))
        snprintf(process->said, sizeof process->said, "was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!is_ignorance(text))
        say(process, text);
    else if (WIFEXITED(status) && *text == '\0')
        snprintf(process->said, sizeof process->said, "said nothing and ended with status %d",
                 WEXITSTATUS(status));
}
