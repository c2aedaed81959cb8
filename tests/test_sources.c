// SPDX-License-Identifier: MIT
/* The sources that are part of the program. */
#include "harness.h"
#include "device/kernel_names.h"
#include "reductio/launchable.h"
#include "reductio/sources.h"
#include "temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* ---- kernels of clients ---- */

static char folder[TEMPORARY_SIZE];

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(temporary_name(folder, "reductio")) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void no_thread(void *const *arguments)
{
    (void)arguments;
}

/* Registers a kernel as if it had been compiled from the file, LAUNCHABLE being at that line. */
static void compiled(const char *name, const char *file, unsigned line)
{
    static struct rd_launchable kernels[16];
    static unsigned n_kernels;
    struct rd_launchable *kernel = &kernels[n_kernels++];
    struct rd_error error;
    *kernel = (struct rd_launchable){.size = sizeof *kernel,
                                     .name = name,
                                     .type = "i32",
                                     .parameters = "elem *",
                                     .file = file,
                                     .line = line,
                                     .thread = no_thread};
    if (rd_kernel_register(kernel, &error) != RD_OK)
        fail_msg("%s", error.text);
}

static void put_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static const char own_file[] = "#include \"kernel.h\"\n"
                               "/* Doubles\n"
                               " * all. */\n"
                               "EXTERN_C __global__ void\n"
                               "NAME(own_first)(elem *A)\n"
                               "{\n"
                               "\tA[0] *= 2;\n"
                               "}\n"
                               "LAUNCHABLE(own_first,\n"
                               "           elem *)\n"
                               "// Halves\n"
                               "// all.\n"
                               "EXTERN_C __global__ void NAME(own_second)(elem *A)\n"
                               "{\n"
                               "}\n"
                               "LAUNCHABLE(own_second, elem *)\n"
                               "MADE(own_third)\n";

static void assert_lines(const char *kernel, unsigned first, unsigned last)
{
    struct rd_error why;
    const struct rd_source *source = rd_source_of_kernel(kernel);
    if (!source) {
        rd_source_explain_absence(kernel, &why);
        fail_msg("%s: %s", kernel, why.text);
    }
    assert_int_equal(source->first, first);
    assert_int_equal(source->last, last);
    assert_string_equal(source->name, kernel);
}

static void test_kernel_of_a_client_has_its_part_of_the_file_it_was_compiled_from(void **state)
{
    size_t length;
    (void)state;
    put_file("own.cu", own_file, strlen(own_file));
    compiled("own_first", "own.cu", 10);
    compiled("own_second", "own.cu", 16);
    compiled("own_third", "own.cu", 17);
    assert_lines("own_first", 2, 8);
    assert_lines("own_second", 11, 15);
    assert_lines("own_third", 1, 17); /* a macro's: all there is */
    unlink("own.cu");                 /* it was read once */
    const struct rd_source *source = rd_source_of_kernel("own_first");
    const char *line = rd_source_line(source->text, 7, &length);
    assert_memory_equal(line, "        A[0] *= 2;\n", length + 1);
    const struct rd_source *file = rd_source_of_file("/some/where/own.cu");
    assert_non_null(file);
    assert_ptr_equal(file, rd_source_of_file("own.cu"));
    assert_int_equal(file->last, 17);
    assert_null(rd_source_of_file("own"));
    assert_null(rd_source_of_file("brown.cu"));
}

static void assert_absent(const char *kernel, const char *why)
{
    struct rd_error error = {""};
    assert_null(rd_source_of_kernel(kernel));
    rd_source_explain_absence(kernel, &error);
    if (!strstr(error.text, why))
        fail_msg("'%s' doesn't say '%s'", error.text, why);
}

static void test_kernel_of_a_client_without_a_source_says_why(void **state)
{
    static char large[(1 << 20) + 1];
    (void)state;
    assert_absent("own_none", "the trace has no source of it");
    compiled("own_unnamed", NULL, 0);
    assert_absent("own_unnamed", "doesn't say of which file");
    compiled("own_gone", "gone.cu", 1);
    assert_absent("own_gone", "'gone.cu', of which it was compiled, can't be read: No such file");
    put_file("changed.cu", own_file, strlen(own_file));
    compiled("own_changed", "changed.cu", 16);
    assert_absent("own_changed", "'changed.cu' has changed since it was compiled");
    compiled("own_shorter", "changed.cu", 1000);
    assert_absent("own_shorter", "has changed");
    unlink("changed.cu");
    put_file("binary.cu", "a\0b", 3);
    compiled("own_binary", "binary.cu", 1);
    assert_absent("own_binary", "is no text");
    unlink("binary.cu");
    memset(large, 'x', sizeof large);
    put_file("large.cu", large, sizeof large);
    compiled("own_large", "large.cu", 1);
    assert_absent("own_large", "is larger than 1 MiB");
    unlink("large.cu");
    assert_int_equal(mkfifo("pipe.cu", 0600), 0);
    compiled("own_pipe", "pipe.cu", 1);
    assert_absent("own_pipe", "can't be read");
    unlink("pipe.cu");
    compiled("own_folder", ".", 1);
    assert_absent("own_folder", "can't be read");
}

/* What a trace names is compared with the files that are known, and not read. */
static void test_no_other_file_is_read(void **state)
{
    (void)state;
    put_file("secret.cu", own_file, strlen(own_file));
    assert_null(rd_source_of_file("secret.cu"));
    assert_null(rd_source_of_file("/etc/passwd"));
    unlink("secret.cu");
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
        cmocka_unit_test(test_kernel_of_a_client_has_its_part_of_the_file_it_was_compiled_from),
        cmocka_unit_test(test_kernel_of_a_client_without_a_source_says_why),
        cmocka_unit_test(test_no_other_file_is_read),
    };
    return cmocka_run_group_tests_name("sources", tests, make_folder, remove_folder) != 0;
}
