// SPDX-License-Identifier: MIT
#include "solver_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[TEMPORARY_SIZE], fakes[TEMPORARY_PATH_SIZE];
char cache[TEMPORARY_PATH_SIZE], *own_path;

/* ---- goals ---- */

struct rd_proof proof;
struct rd_terms *terms;

void begin(void)
{
    terms = rd_terms_create();
    assert_non_null(terms);
    proof = (struct rd_proof){.name = "test", .terms = terms};
}

struct rd_proof_goal *add(const char *what)
{
    struct rd_proof_goal *goal = rd_proof_add(&proof, RD_PROOF_FACT, what);
    assert_non_null(goal);
    return goal;
}

void give(struct rd_proof_goal *goal, rd_term hypothesis)
{
    rd_term_list_add(terms, &goal->hypotheses, hypothesis);
}

rd_term number(int value)
{
    return rd_number(terms, value);
}

rd_term constant(const char *name)
{
    return rd_constant(terms, name);
}

struct rd_proof_goal *add_true(void)
{
    struct rd_proof_goal *goal = add("a square isn't negative");
    const rd_term x = constant("x");
    goal->goal = rd_at_most(terms, number(0), rd_multiply(terms, x, x));
    return goal;
}

void ask_with(struct rd_solver_options options)
{
    struct rd_error error = {""};
    if (rd_solver_ask(&proof, &options, &error) != RD_OK)
        fail_msg("%s", error.text);
}

void ask(void)
{
    ask_with((struct rd_solver_options){.no_cache = true});
}

void assert_answer(const struct rd_proof_goal *goal, enum rd_answer answer)
{
    static const char *const words[] = {"none", "PROVED", "REFUTED", "OPEN"};
    if (goal->answer != answer)
        fail_msg("%s: %s, not %s (%s)", goal->what, words[goal->answer], words[answer],
                 goal->reason ? goal->reason : "no reason");
}

/* ---- provers of the test's ---- */

void write_prover(const char *name, const char *version, const char *body)
{
    char path[TEMPORARY_PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", fakes, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'version %s'; exit; fi\n%s\n",
            version, body);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

void write_session(const char *name, const char *version, const char *body)
{
    char *script;
    assert_true(
        asprintf(&script,
                 "number=0\n"
                 "while IFS= read -r line; do\n"
                 "    case $line in\n"
                 "    '(echo \"<'*) number=$((number + 1)) query= tag=${line#*<} tag=${tag%%??}\n"
                 "        printf '<%%s\\n' \"$tag\";;\n"
                 "    '(echo \">'*)\n"
                 "        %s\n"
                 "        printf '>%%s\\n' \"$tag\"\n"
                 "        [ ! \"$late\" ] || printf \"$late\";;\n"
                 "    *) query=\"$query$line\";;\n"
                 "    esac\n"
                 "done",
                 body) > 0);
    write_prover(name, version, script);
    free(script);
}

void use_fakes(const char *body)
{
    write_session("cvc5", "1", body);
    write_session("z3", "1", body);
    setenv("PATH", fakes, 1);
}

static void use_own(void)
{
    setenv("PATH", own_path, 1);
}

void clear(const char *path)
{
    char file[512];
    DIR *all = opendir(path);
    for (struct dirent *entry; all && (entry = readdir(all));) {
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(file);
    }
    if (all)
        closedir(all);
}

int end(void **state)
{
    (void)state;
    rd_proof_finish(&proof);
    use_own();
    clear(cache);
    return 0;
}

/* ---- the group of tests ---- */

bool has_provers(void)
{
    char names[200];
    rd_solver_names(names, sizeof names);
    if (strstr(names, "cvc5 ") && strstr(names, "Z3 "))
        return true;
    puts("skipped: cvc5 and z3 are needed");
    return false;
}

int set_up(void **state)
{
    (void)state;
    char parent[TEMPORARY_PATH_SIZE];
    own_path = strdup(getenv("PATH"));
    if (!own_path || !mkdtemp(temporary_name(folder, "reductio-prove")))
        return -1;
    snprintf(fakes, sizeof fakes, "%s/bin", folder);
    snprintf(parent, sizeof parent, "%s/cache", folder);
    snprintf(cache, sizeof cache, "%s/cache/reductio/proofs", folder);
    setenv("XDG_CACHE_HOME", parent, 1);
    return mkdir(fakes, 0700);
}

int tear_down(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH_SIZE];
    clear(fakes);
    rmdir(fakes);
    for (int k = 0; k < 3; k++) {
        static const char *const parts[] = {"cache/reductio/proofs", "cache/reductio", "cache"};
        snprintf(path, sizeof path, "%s/%s", folder, parts[k]);
        rmdir(path);
    }
    free(own_path);
    return rmdir(folder);
}
