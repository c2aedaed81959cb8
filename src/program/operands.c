// SPDX-License-Identifier: MIT
#include "program/operands.h"
#include "device/kernel_names.h"

/* The name of an operand, and the parameters that take it. An input is const; but see takes(). */
static const struct row {
    const char *text;
    enum rd_param param, other;
} rows[] = {
    [RD_OPERAND_A] = {"the array A", RD_PARAM_ELEMS, RD_PARAM_CONST_ELEMS},
    [RD_OPERAND_INPUT] = {"the input a", RD_PARAM_CONST_ELEMS, RD_PARAM_CONST_ELEMS},
    [RD_OPERAND_B] = {"the input b", RD_PARAM_CONST_ELEMS, RD_PARAM_CONST_ELEMS},
    [RD_OPERAND_SCRATCH] = {"scratch memory", RD_PARAM_ELEMS, RD_PARAM_CONST_ELEMS},
    [RD_OPERAND_TICKET] = {"the ticket", RD_PARAM_UNSIGNED, RD_PARAM_UNSIGNED},
    [RD_OPERAND_SIZE] = {"a size", RD_PARAM_SIZE, RD_PARAM_SIZE},
};

/* A fault's kernel that writes to its inputs takes them as it takes any array. */
static bool takes(enum rd_param param, const struct rd_round *round, enum rd_operand kind)
{
    const struct row *row = &rows[kind];
    bool is_input = row->param == RD_PARAM_CONST_ELEMS;
    return param == row->param || param == row->other ||
           (is_input && round->spoils_inputs && param == RD_PARAM_ELEMS);
}

static enum rd_status check_round(const struct rd_program *program, const struct rd_round *round,
                                  struct rd_error *error)
{
    const enum rd_param *params;
    const char *kernel = round->kernel_name;
    if (program->played)
        return rd_fail(error, RD_ERROR_USAGE,
                       "whole programs record states, and not what each thread did");
    if ((int)round->kernel == RD_KERNEL_ABSENT)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "kernel '%s' of '%s' is not in this program: its rounds can be made where it is "
            "registered",
            kernel, program->name);
    const unsigned n_params = rd_kernel_params(round->kernel, &params);
    for (unsigned k = 0; k < n_params && k < round->n_operands; k++)
        if (!takes(params[k], round, round->operands[k].kind))
            return rd_fail(error, RD_ERROR_USAGE,
                           "'%s' passes %s to kernel '%s' as argument %u of round %u, where it "
                           "takes '%s': pass what LAUNCHABLE(%s, ...) says",
                           program->name, rows[round->operands[k].kind].text, kernel, k + 1,
                           round->number, rd_param_type(params[k]), kernel);
    if (round->n_operands != n_params)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' passes %u arguments to kernel '%s' in round %u, where it takes %u: "
                       "pass what LAUNCHABLE(%s, ...) says",
                       program->name, round->n_operands, kernel, round->number, n_params, kernel);
    return RD_OK;
}

enum rd_status rd_program_check_operands(const struct rd_program *program,
                                         const struct rd_shape *shape, struct rd_error *error)
{
    struct rd_round round;
    enum rd_status status = RD_OK;
    for (unsigned number = 1; status == RD_OK && rd_program_round(program, shape, number, &round);
         number++)
        status = check_round(program, &round, error);
    return status;
}
