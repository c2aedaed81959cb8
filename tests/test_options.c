// SPDX-License-Identifier: MIT
/* Options, letter by letter: whatever the words of a command, they are taken or refused with a message.
 * Each command is read by a process of its own, since a refusal ends it. */
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/cli.h"
#include "cli/run_options.h"
#include "garble.h"
#include "temporary.h"

enum { TIMES = 1500, WORDS_MAX = 200, WORD_SIZE = 64, SAID_SIZE = 4096, TIME_LIMIT_S = 60 };

static char folder[TEMPORARY_SIZE], said_path[TEMPORARY_PATH_SIZE];

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(temporary_name(folder, "reductio-options")) || chdir(folder) != 0)
        return -1;
    snprintf(said_path, sizeof said_path, "%s/said", folder);
    setenv("TMPDIR", "/nonexistent", 1); /* what is taken goes no further than this */
    FILE *file = fopen("k.cu", "w");
    return !file || fputs("__global__ void k() {}\n", file) < 0 || fclose(file) != 0;
}

static int remove_one(const char *path, const struct stat *is, int type, struct FTW *at)
{
    (void)is, (void)type, (void)at;
    return remove(path);
}

static int tear_down(void **state)
{
    (void)state;
    return chdir("/") || nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- words ---- */

static uint64_t random_state;

/* Below n. */
static uint64_t pick(uint64_t n)
{
    return rd_random(&random_state) % n;
}

/* Right words; those with a space in them are two. */
static const char *const check_words[] = {"k.cu",
                                          "--kernel k",
                                          "--grid 1,2,3",
                                          "--block 32",
                                          "--block=4,4,4",
                                          "--shared 1k",
                                          "--heap 2^20",
                                          "--arg i32[4]:iota",
                                          "--arg -3",
                                          "--arg 0x0a0b",
                                          "-DX=1",
                                          "-I.",
                                          "-std=c++14",
                                          "--std gnu++20",
                                          "--schedule random",
                                          "--schedule all",
                                          "--schedules 7",
                                          "--seed 1",
                                          "--steps 1M",
                                          "--timeout 5",
                                          "--print 0",
                                          "--print all",
                                          "--expect 0=@k.cu",
                                          "--max-errors 3",
                                          "--json",
                                          "--sarif -",
                                          "--sarif log",
                                          "-q",
                                          "-j",
                                          "--help",
                                          "--usage",
                                          "--",
                                          "--define Y",
                                          "--include .",
                                          NULL};
static const char *const run_words[] = {"fold",
                                        "fold:wrong-half",
                                        "dot-tournament",
                                        "-n 64",
                                        "-n 2^10",
                                        "--type f32",
                                        "-tu64",
                                        "--values iota",
                                        "--values list:1,2,-3",
                                        "--values witness",
                                        "--values random:7",
                                        "--device sim",
                                        "-d auto",
                                        "--block 128",
                                        "--grid 3",
                                        "--blocks 0,7,last",
                                        "--blocks all",
                                        "--frame on",
                                        "--frame off",
                                        "--trace t",
                                        "--trace -",
                                        "--trace-cells all",
                                        "--trace-cells 100",
                                        "--no-last",
                                        "--quiet",
                                        "--json",
                                        "--color always",
                                        "-q",
                                        "-j",
                                        "--help",
                                        NULL};

struct words {
    char text[WORDS_MAX][WORD_SIZE];
    char *argv[WORDS_MAX + 1];
    int n;
};

/* No '/': what is read and written stays in the folder. */
static const char letters[] = "0123456789abgkmx-+=,.:@^[] \t\n\\'\"%n\x01\x7f\xff";

static void add(struct words *words, const char *text, size_t length)
{
    if (words->n == WORDS_MAX)
        return;
    char *word = words->text[words->n];
    snprintf(word, WORD_SIZE, "%.*s", (int)length, text);
    if (pick(12) == 0)
        test_garble(word, WORD_SIZE, letters, &random_state);
    words->argv[words->n++] = word;
}

/* The first of them nearly always; then any, now and then one of them over and over. */
static void compose(struct words *words, const char *const *from, uint64_t always)
{
    uint64_t n_from = 0, n = pick(8);
    while (from[n_from])
        n_from++;
    words->n = 0;
    words->argv[words->n++] = strcpy(words->text[0], "reductio");
    for (uint64_t k = 0; k < always + n; k++) {
        const char *option = from[k < always && pick(16) ? k : pick(n_from)];
        size_t length = strcspn(option, " ");
        for (uint64_t times = pick(30) ? 1 : pick(90); times > 0; times--) {
            add(words, option, length);
            if (option[length])
                add(words, option + length + 1, strlen(option + length + 1));
        }
    }
    words->argv[words->n] = NULL;
}

/* ---- reading them ---- */

static void end_at_once(int status, void *nothing)
{
    (void)nothing;
    fflush(NULL);
    _exit(status);
}

static int read_check(int argc, char **argv)
{
    return rd_cli_check(argc, argv);
}

static int read_run(int argc, char **argv)
{
    struct rd_cli_run_options options = {0};
    rd_cli_run_options_parse(&options, argc, argv);
    return options.program && options.numeric ? 0 : -1;
}

static _Noreturn void child(struct words *words, int (*read)(int argc, char **argv))
{
    static const int caught_by_cmocka[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};
    int said = open(said_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (size_t k = 0; k < sizeof caught_by_cmocka / sizeof *caught_by_cmocka; k++)
        signal(caught_by_cmocka[k], SIG_DFL);
    alarm(TIME_LIMIT_S);
    on_exit(end_at_once, NULL);
    if (said < 0 || dup2(said, STDERR_FILENO) < 0 || !freopen("/dev/null", "w", stdout))
        _exit(-1);
    exit(read(words->n, words->argv));
}

static const char *text_of(const struct words *words)
{
    static char text[WORDS_MAX * (WORD_SIZE + 1) + 1];
    text[0] = '\0';
    for (int k = 0; k < words->n; k++)
        strcat(strcat(text, words->argv[k]), "|");
    return text;
}

/* Returns whether the words were accepted; if not, a message must say why. */
static bool read_words(struct words *words, int (*read)(int argc, char **argv))
{
    char said[SAID_SIZE];
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        child(words, read);
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    FILE *file = fopen(said_path, "r");
    assert_non_null(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > RD_EXIT_FAILED)
        fail_msg("%s ends with status %x: %s", text_of(words), (unsigned)status, said);
    if (WEXITSTATUS(status) == RD_EXIT_FAILED && strncmp(said, "reductio: ", 10) != 0)
        fail_msg("%s is refused with '%s'", text_of(words), said);
    return WEXITSTATUS(status) != RD_EXIT_FAILED || strstr(said, "no folder can be made");
}

static void read_many(const char *const *from, uint64_t always, int (*read)(int argc, char **argv))
{
    unsigned taken = 0;
    random_state = 1;
    for (int k = 0; k < TIMES; k++) {
        struct words words;
        compose(&words, from, always);
        taken += read_words(&words, read);
    }
    print_message("%u of %d taken\n", taken, TIMES);
    assert_true(taken > TIMES / 10 && taken < TIMES - TIMES / 10);
}

static void test_any_words_of_check_are_taken_or_refused(void **state)
{
    (void)state;
    read_many(check_words, 4, read_check);
}

static void test_any_words_of_run_are_taken_or_refused(void **state)
{
    (void)state;
    read_many(run_words, 1, read_run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_words_of_check_are_taken_or_refused),
        cmocka_unit_test(test_any_words_of_run_are_taken_or_refused),
    };
    argp_err_exit_status = RD_EXIT_FAILED; /* as main does */
    return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
