// SPDX-License-Identifier: MIT
/* The sources that are part of the program. */
#include "harness.h"
#include "device/kernel_names.h"
#include "reductio/sources.h"

#include <stdio.h>
#include <string.h>

static void assert_part(const struct rd_source *source, const char *begin, const char *has)
{
    size_t length;
    const char *first = rd_source_line(source->text, source->first, &length);
    assert_non_null(first);
    if (strncmp(first, begin, strlen(begin)) != 0)
        fail_msg("%s: line %u of %s is '%.*s'", source->name, source->first, source->path,
                 (int)length, first);
    const char *last = rd_source_line(source->text, source->last, &length);
    assert_non_null(last);
    const char *found = strstr(first, has);
    if (!found || found > last + length)
        fail_msg("%s: no '%s' in lines %u to %u", source->name, has, source->first, source->last);
    assert_true(rd_source_lines(source->text) >= source->last);
}

static void test_each_kernel_has_its_source_from_comment_to_brace(void **state)
{
    (void)state;
    for (int k = 0; k < RD_KERNEL_COUNT; k++) {
        char has[80];
        size_t length;
        const char *name = rd_kernel_name((enum rd_kernel)k);
        const struct rd_source *source = rd_source_of_kernel(name);
        if (!source)
            fail_msg("'%s' has no source", name);
        snprintf(has, sizeof has, "NAME(%s)", name);
        /* The comment of a file with one kernel may be the kernel's. */
        const char *first = rd_source_line(source->text, source->first, &length);
        assert_part(source, first[0] == '/' ? "/* " : "EXTERN_C __global__", has);
        const char *last = rd_source_line(source->text, source->last, &length);
        assert_int_equal(length, 1);
        assert_int_equal(*last, '}');
    }
    assert_null(rd_source_of_kernel("no_such_kernel"));
}

static void test_files_of_kernels_and_what_they_share_are_there_whole(void **state)
{
    (void)state;
    const struct rd_source *source = rd_source_of_file("/some/where/kernels/ladder.h");
    assert_non_null(source);
    assert_string_equal(source->path, "kernels/ladder.h");
    assert_part(source, "// SPDX", "load_two(");
    assert_int_equal(source->last, rd_source_lines(source->text));
    assert_ptr_equal(rd_source_of_file("kernels/fold.cu")->text, rd_source_of_kernel("fold")->text);
    assert_null(rd_source_of_file("otherkernels/ladder.h"));
    assert_null(rd_source_of_file("ladder.h"));
    assert_null(rd_source_of_file(""));
}

static void test_each_program_has_the_source_of_its_invariant(void **state)
{
    (void)state;
    for (const struct rd_program *const *program = rd_programs; *program; program++) {
        const struct rd_source *source = rd_source_of_invariant(*program);
        if (!source)
            fail_msg("'%s' has no source", (*program)->name);
        assert_part(source, "/* explain: ", source->name);
    }
}

static void test_a_lesson_that_keeps_the_invariant_shows_that_of_its_twin(void **state)
{
    (void)state;
    const struct rd_source *same = rd_source_of_invariant(rd_program_named("fold:wrong-half"));
    const struct rd_source *own = rd_source_of_invariant(rd_program_named("fold:inclusive-bound"));
    assert_string_equal(same->name, "fold");
    assert_string_equal(same->path, "invariants/fold.c");
    assert_part(same, "/* explain: fold\n", "rd_program_fold");
    assert_string_equal(own->name, "fold:inclusive-bound");
}

static void assert_claim(const struct rd_program *program, const struct rd_place *place)
{
    struct rd_source claim, law;
    size_t length;
    if (!rd_source_of_claim(program, place, &claim))
        fail_msg("'%s' has no sentence of its claim", program->name);
    rd_source_of_law(program, &law);
    assert_string_equal(claim.text, rd_program_law(program));
    assert_string_equal(claim.path, law.path);
    assert_in_range(claim.first, law.first, claim.last);
    assert_in_range(claim.last, claim.first, law.last);
    assert_memory_equal(rd_source_line(claim.text, claim.first, &length), "law ", 4);
}

static void test_each_claim_has_its_sentence(void **state)
{
    (void)state;
    struct rd_source claim;
    for (const struct rd_program *const *program = rd_programs; *program; program++) {
        assert_claim(*program, NULL);
        for (int point = 0; point < RD_POINT_COUNT; point++) {
            const struct rd_place place = {.point = (enum rd_point)point};
            if (rd_program_point(*program, place.point))
                assert_claim(*program, &place);
        }
    }
    const struct rd_place none = {.point = RD_POINT_TILE};
    assert_false(rd_source_of_claim(rd_program_named("fold"), &none, &claim));
    assert_true(rd_source_of_claim(rd_program_named("fold"), NULL, &claim));
    assert_part(&claim, "law for 0 <= i < w: A[i] =", "j mod w = i");
    const struct rd_place tile = {.point = RD_POINT_TILE};
    assert_true(rd_source_of_claim(rd_program_named("puzzle-matmul"), &tile, &claim));
    assert_part(&claim, "law for 0 <= l <", "i < n, j < n");
    assert_int_equal(claim.last - claim.first, 2);
}

static void test_lines_of_a_text(void **state)
{
    (void)state;
    size_t length;
    assert_int_equal(rd_source_lines(""), 0);
    assert_int_equal(rd_source_lines("a"), 1);
    assert_int_equal(rd_source_lines("a\n\nbc\n"), 3);
    assert_string_equal(rd_source_line("a\n\nbc\n", 3, &length), "bc\n");
    assert_int_equal(length, 2);
    assert_non_null(rd_source_line("a\n\nbc\n", 2, &length));
    assert_int_equal(length, 0);
    assert_null(rd_source_line("a\n\nbc\n", 4, &length));
    assert_null(rd_source_line("a\n", 0, &length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kernel_has_its_source_from_comment_to_brace),
        cmocka_unit_test(test_files_of_kernels_and_what_they_share_are_there_whole),
        cmocka_unit_test(test_each_program_has_the_source_of_its_invariant),
        cmocka_unit_test(test_a_lesson_that_keeps_the_invariant_shows_that_of_its_twin),
        cmocka_unit_test(test_each_claim_has_its_sentence),
        cmocka_unit_test(test_lines_of_a_text),
    };
    return cmocka_run_group_tests_name("sources", tests, NULL, NULL) != 0;
}
