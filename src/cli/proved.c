// SPDX-License-Identifier: MIT
#include "cli/proved.h"
#include "prove/report/round_sets.h"
#include "view/paint.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PROVERS_MAX = 4 };

/* Names of the provers, each once: "cvc5 1.0.3, Z3 4.8.12". */
static void print_provers(const struct rd_proof *proof, FILE *out)
{
    const char *names[PROVERS_MAX];
    size_t n = 0;
    for (size_t k = 0; k < proof->count; k++) {
        const char *prover = proof->goals[k].prover;
        size_t at = 0;
        while (prover && at < n && strcmp(names[at], prover) != 0)
            at++;
        if (!prover || at < n || n == PROVERS_MAX)
            continue;
        names[n++] = prover;
        fprintf(out, "%s%s", n > 1 ? ", " : "", prover);
    }
}

static void print_claim(const struct rd_cli_proved *proved, FILE *out)
{
    const struct rd_proof *proof = &proved->known.proof;
    if (!proved->known.is_proved) {
        fputs(proved->known.otherwise, out);
        return;
    }
    fprintf(out, "PROVED for %s: %zu goals, by ", proof->shape ? proof->shape : "every n",
            proof->count);
    print_provers(proof, out);
    if (proof->by_host)
        fprintf(out, "; not proved is what the host makes of the cells: %s", proof->by_host);
}

enum rd_status rd_cli_proved_init(struct rd_cli_proved *proved, const struct rd_program *program,
                                  struct rd_error *error)
{
    size_t size;
    *proved = (struct rd_cli_proved){.sentences = {.names = ""}};
    enum rd_status status = rd_known_proof_init(&proved->known, program, error);
    if (status == RD_OK && proved->known.is_proved)
        status = rd_proof_sentences_init(&proved->sentences, program, &proved->known.proof, error);
    FILE *out = status == RD_OK ? open_memstream(&proved->claim, &size) : NULL;
    if (out) {
        print_claim(proved, out);
        if (fclose(out) == 0)
            return RD_OK;
    }
    rd_cli_proved_finish(proved);
    return status != RD_OK
               ? status
               : rd_fail(error, RD_ERROR_MEMORY, "no memory for the proof of '%s'", program->name);
}

void rd_cli_proved_finish(struct rd_cli_proved *proved)
{
    rd_proof_sentences_finish(&proved->sentences);
    rd_known_proof_finish(&proved->known);
    free(proved->claim);
    proved->claim = NULL;
}

/* ---- text ---- */

static void print_sentence(const struct rd_paint *paint, const struct rd_proof_sentence *sentence,
                           const char *head)
{
    enum { INDENT = 4, TOPIC = 16 };
    char *text = NULL;
    const bool has_place = *sentence->segment != '\0';
    fprintf(paint->out, "%*s%-*s", INDENT, "", TOPIC - 1, head);
    if (asprintf(&text, "%s%s%s", sentence->segment, has_place ? ": " : "", sentence->text) < 0)
        return;
    rd_paint_flow(paint, RD_INK_PLAIN, INDENT + TOPIC - 1, INDENT + TOPIC, text);
    fputc('\n', paint->out);
    free(text);
}

void rd_cli_proved_print(const struct rd_cli_proved *proved, FILE *out)
{
    const struct rd_paint paint = {.out = out, .width = rd_cli_width(out)};
    const char *topic = "";
    fputs("\nFor every n\n", out);
    rd_paint_wrap(&paint, RD_INK_PLAIN, 4, proved->claim);
    if (!proved->known.is_proved)
        return;
    rd_paint_wrap(
        &paint, RD_INK_PLAIN, 4,
        "A cell is the set of the inputs in it: {…} are those j, and j2 of a second array, for "
        "which that holds.");
    if (*proved->sentences.names)
        rd_paint_wrap(&paint, RD_INK_PLAIN, 4, proved->sentences.names);
    for (size_t k = 0; k < proved->sentences.count; k++) {
        const struct rd_proof_sentence *sentence = &proved->sentences.list[k];
        const bool is_new = strcmp(topic, sentence->topic) != 0;
        print_sentence(&paint, sentence, is_new ? sentence->topic : "");
        topic = sentence->topic;
    }
}

/* ---- one round ---- */

/* Tells whether the sentence is of a round that launches the kernel, where it comes to the point (NULL: to its end),
 * from there or from its start. */
static bool is_of(const struct rd_proof_sentence *sentence, const char *kernel, const char *point,
                  bool goes_on)
{
    static const char from_start[] = ", from its start";
    const size_t length = strlen(kernel);
    if (sentence->obligation != RD_PROOF_PRESERVATION_VALUE ||
        strncmp(sentence->segment, kernel, length) != 0)
        return false;
    if (sentence->segment[length] == '\0')
        return !point;
    const char *to = sentence->segment[length] == ',' ? strstr(sentence->segment, " to ") : NULL;
    if (!to)
        return false;
    to += strlen(" to ");
    if (!point)
        return strncmp(to, "its end", strlen("its end")) == 0;
    const bool starts = strncmp(sentence->segment + length, from_start, strlen(from_start)) == 0;
    if (starts == goes_on)
        return false;
    return strncasecmp(to, point, strlen(point)) == 0 &&
           strncmp(to + strlen(point), " at ", strlen(" at ")) == 0;
}

static void print_sentences_of(const struct rd_cli_proved *proved, const struct rd_frame *frame,
                               bool goes_on, FILE *out)
{
    bool any = false;
    for (size_t k = 0; k < proved->sentences.count; k++) {
        const struct rd_proof_sentence *sentence = &proved->sentences.list[k];
        const bool is = frame->has_round ? is_of(sentence, frame->kernel,
                                                 frame->inside ? frame->point : NULL, goes_on)
                                         : sentence->obligation == RD_PROOF_INITIALIZATION;
        if (!is)
            continue;
        fprintf(out, "%-13s%s\n", any ? "" : "every n", sentence->text);
        any = true;
    }
    if (any && *proved->sentences.names)
        fprintf(out, "%-13s%s\n", "where", proved->sentences.names);
}

void rd_cli_proved_print_round(const struct rd_cli_proved *proved, struct rd_history *history,
                               size_t frame, size_t cell, FILE *out)
{
    const struct rd_history_about *about = rd_history_about(history);
    const struct rd_frame *of = rd_history_frame(history, frame),
                          *before = rd_history_frame(history, of->before);
    const struct rd_round_cell round = {
        .program = about->program,
        .shape = about->shape,
        .step = of->step,
        .point = of->inside ? of->point : NULL,
        .block = of->inside ? of->place.block : 0,
        .warp = of->inside && of->place.warp != RD_WHOLE_BLOCK ? (uint64_t)of->place.warp : 0,
        .variable = of->inside ? of->place.variable : 0,
        .has_before = of->inside && of->before != frame && before->inside &&
                      before->step == of->step && strcmp(before->point, of->point) == 0,
        .before = before->inside ? before->place.variable : 0,
        .cell = cell,
    };
    struct rd_error error;
    if (rd_round_sets_print(&round, out, &error) != RD_OK)
        fprintf(out, "%s\n", error.text);
    fputc('\n', out);
    if (proved->known.is_proved)
        print_sentences_of(proved, of, round.has_before, out);
    fprintf(out, "%s\n", proved->claim);
}
