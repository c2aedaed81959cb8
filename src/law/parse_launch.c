// SPDX-License-Identifier: MIT
/* The sentence `launch`: which kernel a round launches, with what, and in how many threads. */
#include "law/parser.h"
#include "law/lexer.h"

/* Passes over the name where it stands next: a word of this sentence alone, and a name elsewhere. */
static bool accept_name(struct law_parser *parser, const char *name)
{
    if (!rd_law_token_is(parser, rd_law_token(parser, 0), name))
        return false;
    parser->at++;
    return true;
}

/* One, or several. */
static bool expect_noun(struct law_parser *parser, const char *one, const char *several,
                        const char *what)
{
    return accept_name(parser, several) || accept_name(parser, one) ||
           rd_law_fail_expected(parser, what);
}

/* X, or X by Y. */
static bool parse_extent(struct law_parser *parser, struct law_node *extent[2])
{
    extent[0] = rd_law_parse_expression(parser);
    if (!extent[0] || !accept_name(parser, "by"))
        return extent[0];
    extent[1] = rd_law_parse_expression(parser);
    return extent[1];
}

/* by X threads | [by X threads] on Y blocks of Z | by X threads in blocks of Z */
static bool parse_threads(struct law_parser *parser, struct law_launch *launch)
{
    if (accept_name(parser, "by")) {
        if (!parse_extent(parser, launch->threads) ||
            !expect_noun(parser, "thread", "threads", "'threads' after their number"))
            return false;
    }
    if (accept_name(parser, "on")) {
        if (!parse_extent(parser, launch->grid) ||
            !expect_noun(parser, "block", "blocks", "'blocks of' after their number"))
            return false;
    } else if (launch->threads[0]) {
        if (!rd_law_accept(parser, LAW_WORD_IN))
            return !launch->threads[1] ||
                   rd_law_fail_expected(parser, "'in blocks of' after threads in two dimensions");
        if (!expect_noun(parser, "block", "blocks", "'blocks of' after 'in'"))
            return false;
    } else {
        return rd_law_fail_expected(parser, "'by' and the threads, or 'on' and the blocks");
    }
    return rd_law_expect(parser, LAW_WORD_OF, "'of' and the threads of a block") &&
           parse_extent(parser, launch->block);
}

static bool parse_operands(struct law_parser *parser, struct law_launch *launch)
{
    if (!rd_law_expect(parser, LAW_SIGN_OPEN, "'(' after the kernel"))
        return false;
    if (rd_law_accept(parser, LAW_SIGN_CLOSE))
        return true;
    do {
        if (launch->n_operands == RD_LAW_OPERANDS_MAX)
            return rd_law_parser_fail(parser, rd_law_token(parser, 0)->span,
                                      "a kernel takes at most %d operands", RD_LAW_OPERANDS_MAX);
        struct law_node *node = rd_law_parse_expression(parser);
        if (!node)
            return false;
        launch->operands[launch->n_operands++].node = node;
    } while (rd_law_accept(parser, LAW_SIGN_COMMA));
    return rd_law_expect(parser, LAW_SIGN_CLOSE, "',' or ')' after the operand");
}

static bool fail_twice(struct law_parser *parser)
{
    return rd_law_parser_fail(parser, rd_law_token(parser, (size_t)-1)->span,
                              "it is said of the launch already");
}

static bool parse_flag(struct law_parser *parser, bool *flag)
{
    if (*flag)
        return fail_twice(parser);
    *flag = true;
    return true;
}

static bool parse_number(struct law_parser *parser, struct law_node **number)
{
    if (*number)
        return fail_twice(parser);
    *number = rd_law_parse_expression(parser);
    return *number;
}

/* NAME = expr: what the rounds are counted by. */
static bool parse_counter(struct law_parser *parser, struct law_launch *launch)
{
    const char *name = rd_law_expect_name(parser, "a name");
    if (!name)
        return false;
    if (launch->counter)
        return fail_twice(parser);
    launch->counter = name;
    parser->at++;
    return parse_number(parser, &launch->count);
}

static bool parse_option(struct law_parser *parser, struct law_launch *launch)
{
    if (rd_law_token(parser, 0)->kind == LAW_TOKEN_NAME &&
        rd_law_token(parser, 1)->lexeme == LAW_SIGN_EQUAL)
        return parse_counter(parser, launch);
    if (rd_law_accept(parser, LAW_WORD_SHARED))
        return parse_number(parser, &launch->shared);
    if (accept_name(parser, "reads"))
        return parse_number(parser, &launch->reads);
    if (accept_name(parser, "writes"))
        return parse_number(parser, &launch->writes);
    if (accept_name(parser, "cooperative"))
        return parse_flag(parser, &launch->cooperative);
    if (accept_name(parser, "spoils"))
        return accept_name(parser, "inputs") ? parse_flag(parser, &launch->spoils_inputs)
                                             : rd_law_fail_expected(parser, "'spoils inputs'");
    return rd_law_fail_expected(
        parser, "'shared', 'reads', 'writes', 'cooperative', 'spoils inputs' or 'NAME ='");
}

static bool parse_launch(struct law_parser *parser, struct law_launch *launch)
{
    if (!rd_law_parse_when(parser, &launch->when))
        return false;
    launch->span = rd_law_token(parser, 0)->span;
    launch->kernel = rd_law_expect_name(parser, launch->when ? "a kernel" : "'when' or a kernel");
    if (!launch->kernel || !parse_operands(parser, launch) || !parse_threads(parser, launch))
        return false;
    while (rd_law_accept(parser, LAW_SIGN_COMMA))
        if (!parse_option(parser, launch))
            return false;
    return true;
}

bool rd_law_parse_launches(struct law_parser *parser)
{
    struct rd_law *law = parser->law;
    do {
        if (!rd_law_room(parser, (void **)&law->launches, law->n_launches, &law->launches_capacity,
                         sizeof *law->launches))
            return false;
        struct law_launch *launch = &law->launches[law->n_launches++];
        *launch = (struct law_launch){0};
        if (!parse_launch(parser, launch))
            return false;
    } while (rd_law_accept(parser, LAW_SIGN_SEMICOLON));
    return true;
}
