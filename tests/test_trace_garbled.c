// SPDX-License-Identifier: MIT
/* Files that are no trace, or not one that this version reads, are refused with the line. */
#include "trace_harness.h"

#include <string.h>

/* Replaying the text is refused with the message where `to` stands for the first `from` behind `after`. */
static void assert_change_refused(const char *text, const char *after, const char *from,
                                  const char *to, const char *message)
{
    char *changed = replaced(text, after, from, to);
    assert_replay_refused(changed, message);
    free(changed);
}

static void test_replay_foreign_major_is_refused(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 2});
    assert_change_refused(text, "\"major\"", "1", "2", "major version 2, and this reader knows 1");
    char *changed = replaced(text, "\"minor\"", "0", "7");
    assert_int_equal(replay_text(changed).verdict, RD_HOLDS);
    free(changed);
    free(text);
}

static void test_replay_unknown_kinds_and_members_are_passed_over(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 2});
    char *kind =
        replaced(text, "\n{\"record\":\"step\"", "\n", "\n{\"record\":\"weather\",\"n\":[]}\n");
    char *both = replaced(kind, "\"asserted\"", "\"", "\"mood\":{\"x\":[1,2]},\"");
    assert_int_equal(replay_text(both).verdict, RD_HOLDS);
    free(both);
    free(kind);
    free(text);
}

static void test_replay_garbled_lines_are_refused_with_their_number(void **state)
{
    static const char *const changes[][4] = {
        /* after, from, to, message */
        {"{", "{", "", ":1: the line is not JSON"},
        {"{", "reductio-trace", "tape", ":1: not a trace"},
        {"{", "\"major\":1", "\"major\":\"1\"", ":1: the 'version' record has no 'major'"},
        {"{", "\"record\":\"version\"", "\"record\":\"run\"", ":1: not a trace"},
        {"\n{", "{", "[", ":2: the line is not JSON"},
        {"\n{", "\"record\":\"run\",", "", ":2: the line has no 'record'"},
        {"\n{", "\"run\"", "\"step\"", ":2: a 'step' record before the 'run'"},
        {"\n{", "\"program\":\"fold\"", "\"program\":7", ":2: no 'program' that is a string"},
        {"\n{", "\"program\":\"fold\"", "\"program\":\"knit\"", ":2: 'program' is \"knit\""},
        {"\n{", "\"n\":4", "\"n\":-4", ":2: 'n' is not a whole number"},
        {"\n{", "\"n\":4", "\"n\":0", ":2: 'n' is not a whole number"},
        {"\n{", "\"n\":4", "\"n\":4.0", ":2: 'n' is not a whole number"},
        {"\n{", "\"n\":4", "\"n\":4,\"n\":4", ":2: the line is not JSON"},
        {"\n{", "\"n\":4", "\"m\":4", ":2: no 'n'"},
        {"\n{", "\"n\":4", "\"n\":5", ":2: 'count' of a state is 4, and should be 5"},
        {"\n{", "\"n\":4", "\"n\":1e999", ":2: the line is not JSON"},
        {"\n{", "\"n\":4", "\"n\":99999999999999999999", ":2: the line is not JSON"},
        {"\n{", "\"n\":4", "\"n\":\" 4\"", ":2: 'n' is not a whole number"},
        {"\n{", "\"i32\"", "\"i33\"", ":2: 'type' is \"i33\""},
        {"\n{", "\"block\":256", "\"block\":0", ":2: 'block' is not a whole number"},
        {"\n{", "\"frame\":false", "\"frame\":0", ":2: no 'frame' that is true or false"},
        {"\n{", "\"input\"", "\"output\"", ":2: no 'input' that is an object"},
        {"\n{", "\"values\"", "\"witness\":{},\"values\"", ":2: no 'passes'"},
        {"\n{", "0,1,2,3", "0,1,2", ":2: a state has 3 cells, and its 'count' is 4"},
        {"\n{", "0,1,2,3", "0,1,2.5,3", ":2: cell 2 is not a value of type i32"},
        {"\n{", "0,1,2,3", "0,1,[],3", ":2: cell 2 is not a value of type i32"},
        {"\n{", "0,1,2,3", "0,1,3000000000,3", ":2: cell 2 is not a value of type i32"},
        {"\n{", "0,1,2,3", "0,1,\"2\",3", ":2: cell 2 is not a value of type i32"},
        {"\n{", "\"cells\":[0,1,2,3]", "\"head\":[0],\"tail\":[3]", ":2: no 'digest'"},
        {"\n{", "\"cells\":[0,1,2,3]", "\"head\":[0],\"tail\":[3],\"digest\":\"xyz\"",
         ":2: 'digest' is not of 16"},
        {"\n{", "\"cells\":[0,1,2,3]", "\"head\":[0],\"tail\":[3],\"digest\":\"0123456789abcdefg\"",
         ":2: 'digest' is not of 16"},
        {"\n{", "\"cells\":[0,1,2,3]",
         "\"head\":[0,1],\"tail\":[2,3],\"digest\":\"0123456789abcdef\"",
         ":2: a state has 4 cells in head and tail"},
        {"\"input\":", "}}", "},\"b\":{\"count\":4,\"whole\":true,\"cells\":[1,2,3,4]}}",
         ":2: 'input' has a b, and fold takes none"},
        {"\"step\":0", "\"step\":0", "\"step\":1", ":3: step 1 of pass 1, where step 0"},
        {"\"step\":1", "\"claim\":{", "\"claim\":[{}],\"c\":{", ":4: no 'claim' that is an object"},
        {"\"step\":1", "\"HOLDS\"", "\"FINE\"", ":4: 'verdict' is \"FINE\""},
        {"\"step\":1", "\"round\":{", "\"round\":3,\"r\":{", ":4: no 'round' that is an object"},
        {"\"step\":1", "\"asserted\"", "\"violation\":{\"kind\":\"odd\"},\"asserted\"",
         ":4: no 'step'"},
        {"\n{\"record\":\"verdict\"", "\n", "\n\n", ":6: the line is not JSON"},
        {"\n{\"record\":\"verdict\"", "\n", "\n{\"record\":\"run\"}\n", ":6: a second 'run'"},
        {"\n{\"record\":\"verdict\"", "\n", "\n{\"record\":\"version\"}\n",
         ":6: a second 'version'"},
        {"\"obligations\":", "\"exit\":", "\"exist\":", ":6: no 'exit' that is a string"},
        {"\"hazards\":0}", "\n", "\n{\"record\":\"hazard\"}\n", ":7: a record follows the last"},
    };
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 4});
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        assert_change_refused(text, changes[k][0], changes[k][1], changes[k][2], changes[k][3]);
    }
    free(text);
}

/* Its cells would be taken for those of a claim, as far apart. */
static void test_replay_checkpoint_that_is_not_whole_is_refused(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "ladder-interleaved-modulo", .n = 8});
    assert_change_refused(text, "\"checkpoint\"", "\"whole\":true", "\"whole\":false",
                          ":4: the state of a checkpoint is not whole");
    free(text);
}

/* The invariants rely on what a place is: such numbers would end them, or never. */
static void test_replay_checkpoint_that_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *program, *from, *to, *message;
    } changes[] = {
        {"ladder-interleaved-modulo", "\"variable\":1", "\"variable\":0",
         ":4: 'variable' is 0, and s can be 1 to 256 here"},
        {"ladder-interleaved-modulo", "\"variable\":1", "\"variable\":257",
         "'variable' is 257, and s can be 1 to 256 here"},
        {"ladder-interleaved-modulo", "\"variable\":1", "\"variable\":\"18446744073709551615\"",
         "'variable' is 18446744073709551615, and"},
        {"ladder-interleaved-modulo", "\"number\":1", "\"number\":0", "'number' is 0"},
        {"ladder-interleaved-modulo", "\"block\":0", "\"block\":1",
         "'block' is 1, and round 1 has 1 blocks"},
        {"ladder-interleaved-modulo", "\"block\":0", "\"block\":0,\"warp\":0",
         "'warp' is 0, and the cells of 'interleaved' are those of the block"},
        {"dot-cpu", "\"variable\":0", "\"variable\":9",
         "'variable' is 9, and i can be 0 to 8 here"},
        {"dot-cpu", "\"warp\":0", "\"warp\":1", "'warp' is 1, and a block has 1 warps"},
        {"dot-cpu", "\"warp\":0", "\"worn\":0",
         "no 'warp', and the cells of 'serial' are lanes of a warp"},
        {"puzzle-dot", "\"variable\":1", "\"variable\":9", "j can be 1 to 8 here"},
        {"puzzle-block-sum", "\"variable\":8", "\"variable\":9", "w can be 1 to 8 here"},
        {"puzzle-block-sum", "\"block\":0", "\"block\":4611686018427387904",
         "round 1 has 1 blocks"},
        {"puzzle-matmul", "\"variable\":0", "\"variable\":9", "k can be 0 to 8 here"},
        {"ladder-grid-stride", "\"variable\":0", "\"variable\":257", "base can be 0 to 256 here"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        char *text = recorded_text(&(struct recipe){.program = changes[k].program, .n = 8});
        assert_change_refused(text, "\"checkpoint\":", changes[k].from, changes[k].to,
                              changes[k].message);
        free(text);
    }
}

static void test_replay_other_files_are_refused(void **state)
{
    struct rd_replay replay;
    struct rd_error error;
    (void)state;
    assert_replay_refused("", "is empty");
    assert_replay_refused("{\"record\":\"ver", "not even one whole line");
    assert_replay_refused("0 1 2 3\n", ":1: the line is not JSON");
    assert_replay_refused("[1,2]\n", ":1: the line is not a JSON object");
    assert_replay_refused("{}\n", ":1: the line has no 'record'");
    assert_replay_refused("{\"record\":\"version\",\"format\":\"reductio-trace\",\"major\":1}\n",
                          "before its 'run' record");
    char deep[20000];
    memset(deep, '[', sizeof deep - 2);
    strcpy(deep + sizeof deep - 2, "\n");
    assert_replay_refused(deep, ":1: the line is not JSON");
    const char with_nul[] = "{\"record\":\"version\"\0}\n";
    assert_int_equal(replay_bytes(with_nul, sizeof with_nul - 1, &replay, &error), RD_ERROR_INPUT);
    assert_int_equal(rd_trace_replay(in_folder("none"), &replay, &error), RD_ERROR_IO);
    assert_non_null(strstr(error.text, "No such file"));
    assert_int_equal(rd_trace_replay(trace_folder, &replay, &error), RD_ERROR_IO);
}

static void test_replay_absurd_n_is_not_believed(void **state)
{
    (void)state;
    char *text =
        recorded_text(&(struct recipe){.program = "tournament", .n = 9, .cut = true, .cells = 2});
    char *n = replaced(text, "\"n\":9", "9", "1000000000000000");
    char *changed = replaced(n, "\"count\":9", "9", "1000000000000000");
    char *head = without_line(changed, 7); /* the steps no longer fit */
    for (unsigned k = 0; k < 5; k++) {
        char *next = without_line(head, 2);
        free(head);
        head = next;
    }
    assert_replay_inconclusive(head, "this machine has");
    free(head);
    free(changed);
    free(n);
    n = replaced(text, "\"n\":9", "9", "18446744073709551615");
    assert_replay_refused(n, ":2: the line is not JSON");
    free(n);
    n = replaced(text, "\"n\":9", "9", "\"18446744073709551615\"");
    changed = replaced(n, "\"count\":9", "9", "\"18446744073709551615\"");
    assert_replay_refused(changed, "more than memory can hold");
    free(changed);
    free(n);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replay_foreign_major_is_refused),
        cmocka_unit_test(test_replay_unknown_kinds_and_members_are_passed_over),
        cmocka_unit_test(test_replay_garbled_lines_are_refused_with_their_number),
        cmocka_unit_test(test_replay_checkpoint_that_is_not_whole_is_refused),
        cmocka_unit_test(test_replay_checkpoint_that_cannot_be_is_refused),
        cmocka_unit_test(test_replay_other_files_are_refused),
        cmocka_unit_test(test_replay_absurd_n_is_not_believed),
    };
    return cmocka_run_group_tests_name("trace_garbled", tests, trace_set_up, trace_tear_down) != 0;
}
