// SPDX-License-Identifier: MIT
#include "prove/report/known.h"
#include "prove/solver/cache.h"
#include "prove/logic/lemma.h"
#include "prove/prove.h"
#include "prove/solver/prover.h"
#include "prove/solver/solver.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct rd_proof_entry note_of(const struct rd_program *program)
{
    return (struct rd_proof_entry){
        .prover = "reductio", .answer = "all goals were proved", .text = program->name};
}

void rd_known_proof_note(const struct rd_program *program)
{
    struct rd_proof_cache cache;
    const struct rd_proof_entry entry = note_of(program);
    rd_proof_cache_open(&cache);
    rd_proof_cache_add(&cache, &entry);
    rd_proof_cache_close(&cache);
}

static bool is_noted(const struct rd_program *program)
{
    struct rd_proof_cache cache;
    struct rd_proof_entry entry = note_of(program);
    rd_proof_cache_open(&cache);
    const bool is = rd_proof_cache_has(&cache, &entry);
    rd_proof_cache_close(&cache);
    return is;
}

static void say(struct rd_known_proof *known, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct rd_known_proof *known, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(known->text, sizeof known->text, format, arguments);
    va_end(arguments);
    known->otherwise = known->text;
}

/* Without libclang or a compiler nothing is known, and nothing has failed. */
static enum rd_status make(struct rd_known_proof *known, const struct rd_program *program,
                           struct rd_prover_pool *pool, struct rd_error *error)
{
    const struct rd_prove_options options = {.pool = pool, .known_only = true};
    const struct rd_solver_options look = {.pool = pool, .known_only = true};
    enum rd_status status = rd_prove_program(program, &options, &known->proof, error);
    if (status == RD_ERROR_DEVICE || status == RD_ERROR_IO) {
        say(known, "whether it is proved can't be looked up: %.300s", error->text);
        known->proof = (struct rd_proof){.name = program->name};
        return RD_OK;
    }
    if (status != RD_OK)
        return status;
    known->lemmas = (struct rd_proof){.name = "lemmas", .terms = rd_terms_create()};
    if (!known->lemmas.terms)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the lemmas");
    status = rd_lemma_goals(&known->lemmas, error);
    if (status == RD_OK)
        status = rd_solver_ask(&known->lemmas, &look, error);
    if (status == RD_OK)
        status = rd_solver_ask(&known->proof, &look, error);
    return status;
}

enum rd_status rd_known_proof_init(struct rd_known_proof *known, const struct rd_program *program,
                                   struct rd_error *error)
{
    char provers[200];
    *known = (struct rd_known_proof){.otherwise = "", .proof = {.name = program->name}};
    if (program->played) {
        say(known,
            "a file's proof is not shown here: 'reductio prove' with the file looks for one");
        return RD_OK;
    }
    if (program->definition) {
        say(known, "'reductio prove' takes the programs of 'reductio list', and files");
        return RD_OK;
    }
    if (rd_program_is_fault(program)) {
        say(known, "it is a fault: 'reductio prove %s' shows which goal fails", program->name);
        return RD_OK;
    }
    if (!is_noted(program)) {
        say(known, "no proof of it is known here; 'reductio prove %s' looks for one",
            program->name);
        return RD_OK;
    }
    struct rd_prover_pool *pool = rd_prover_pool_create(); /* without memory, each has its own */
    const enum rd_status status = make(known, program, pool, error);
    rd_prover_pool_destroy(pool);
    if (status != RD_OK) {
        rd_known_proof_finish(known);
        return status;
    }
    known->is_proved = known->proof.count > 0 &&
                       rd_proof_verdict(&known->proof) == RD_ANSWER_PROVED &&
                       rd_proof_verdict(&known->lemmas) == RD_ANSWER_PROVED;
    if (known->is_proved || *known->otherwise)
        return RD_OK;
    rd_solver_names(provers, sizeof provers);
    if (strncmp(provers, "no prover", strlen("no prover")) == 0)
        say(known, "whether it is proved can't be looked up: %s", provers);
    else
        say(known, "it was proved before, but not as it is now: 'reductio prove %s' asks again",
            program->name);
    return RD_OK;
}

void rd_known_proof_finish(struct rd_known_proof *known)
{
    rd_proof_finish(&known->proof);
    rd_proof_finish(&known->lemmas);
    *known = (struct rd_known_proof){.otherwise = ""};
}
