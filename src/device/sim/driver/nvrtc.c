// SPDX-License-Identifier: MIT
/* NVRTC: source code is compiled as that of files is, within the process that asks for it and its confinement; what comes of it is an
 * image that cuModuleLoadData() knows. */
#include "device/sim/driver/nvrtc.h"
#include "base/array.h"
#include "device/sim/driver/driver.h"
#include "device/sim/runtime/libraries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct _nvrtcProgram {
    char *name, *text, *image;
    char **headers, **header_names;
    size_t n_headers;
    char **expressions;
    size_t n_expressions, capacity;
    struct rd_file_compile compile;
    bool has_compiled; /* well */
    bool was_compiled; /* or not */
};

static const struct row {
    const char *name;
    nvrtcResult result;
} rows[] = {
#define ROW(name, number) {#name, name},
    RD_NVRTC_RESULTS(ROW)
#undef ROW
};

static const char *name_of(nvrtcResult result)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].result == result)
            return rows[k].name;
    return "NVRTC_ERROR unknown";
}

RD_HOOK const char *nvrtcGetErrorString(nvrtcResult result)
{
    return name_of(result);
}

/* ---- calls ---- */

static bool begins(const struct rd_sim_host_call *call)
{
    cudaError_t error;
    return rd_sim_call_begins(call, &error) || rd_sim_error_has_stuck();
}

static nvrtcResult ends(const struct rd_sim_host_call *call, nvrtcResult result)
{
    if (!rd_sim_error_has_stuck())
        rd_sim_library_ends(call, result == NVRTC_SUCCESS ? NULL : name_of(result), "");
    return result;
}

#define BEGIN(name)                                                                                \
    const struct rd_sim_host_call call = RD_HOST_CALL(#name);                                      \
    if (!begins(&call))                                                                            \
    return NVRTC_ERROR_INTERNAL_ERROR
#define END(result) return ends(&call, (result))

/* ---- programs ---- */

RD_HOOK nvrtcResult nvrtcVersion(int *major, int *minor)
{
    BEGIN(nvrtcVersion);
    if (!major || !minor)
        END(NVRTC_ERROR_INVALID_INPUT);
    *major = 12;
    *minor = 0;
    END(NVRTC_SUCCESS);
}

RD_HOOK nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    BEGIN(nvrtcGetNumSupportedArchs);
    if (!count)
        END(NVRTC_ERROR_INVALID_INPUT);
    *count = 1;
    END(NVRTC_SUCCESS);
}

RD_HOOK nvrtcResult nvrtcGetSupportedArchs(int *all)
{
    BEGIN(nvrtcGetSupportedArchs);
    if (!all)
        END(NVRTC_ERROR_INVALID_INPUT);
    all[0] = 90;
    END(NVRTC_SUCCESS);
}

static void finish(struct _nvrtcProgram *program)
{
    for (size_t k = 0; k < program->n_headers; k++) {
        free(program->headers[k]);
        free(program->header_names[k]);
    }
    for (size_t k = 0; k < program->n_expressions; k++)
        free(program->expressions[k]);
    free(program->headers);
    free(program->header_names);
    free(program->expressions);
    free(program->compile.log);
    free(program->image);
    free(program->name);
    free(program->text);
    free(program);
}

/* Copies the headers; false without memory, or where one is missing. */
static bool take_headers(struct _nvrtcProgram *program, size_t count, const char *const *headers,
                         const char *const *names)
{
    program->headers = calloc(count + 1, sizeof *program->headers);
    program->header_names = calloc(count + 1, sizeof *program->header_names);
    if (!program->headers || !program->header_names || (count > 0 && (!headers || !names)))
        return false;
    for (size_t k = 0; k < count; k++) {
        if (!headers[k] || !names[k])
            return false;
        program->n_headers++;
        program->headers[k] = strdup(headers[k]);
        program->header_names[k] = strdup(names[k]);
        if (!program->headers[k] || !program->header_names[k])
            return false;
    }
    return true;
}

RD_HOOK nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *name,
                                       int count, const char *const *headers,
                                       const char *const *names)
{
    BEGIN(nvrtcCreateProgram);
    if (!program || !text || count < 0)
        END(NVRTC_ERROR_INVALID_INPUT);
    struct _nvrtcProgram *made = calloc(1, sizeof *made);
    if (!made)
        END(NVRTC_ERROR_OUT_OF_MEMORY);
    made->text = strdup(text);
    made->name = strdup(name ? name : "default_program");
    if (!made->text || !made->name || !take_headers(made, (size_t)count, headers, names)) {
        finish(made);
        END(NVRTC_ERROR_PROGRAM_CREATION_FAILURE);
    }
    *program = made;
    END(NVRTC_SUCCESS);
}

RD_HOOK nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    BEGIN(nvrtcDestroyProgram);
    if (!program || !*program)
        END(NVRTC_ERROR_INVALID_PROGRAM);
    finish(*program);
    *program = NULL;
    END(NVRTC_SUCCESS);
}

RD_HOOK nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
    BEGIN(nvrtcAddNameExpression);
    if (!program || !expression)
        END(program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    if (program->was_compiled)
        END(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    char *copy = strdup(expression);
    if (!copy || !rd_array_make_room(&program->expressions, program->n_expressions,
                                     &program->capacity, sizeof *program->expressions)) {
        free(copy);
        END(NVRTC_ERROR_OUT_OF_MEMORY);
    }
    program->expressions[program->n_expressions++] = copy;
    END(NVRTC_SUCCESS);
}

/* ---- options ---- */

/* Behind the beginning of an option, "--include-path=" or its short form; NULL: it is another. A value may be the next word: then
 * that is "". */
static const char *value_of(const char *option, const char *name, const char *letter)
{
    const size_t length = strlen(name);
    if (strncmp(option, name, length) == 0 && (option[length] == '=' || !option[length]))
        return option + length + (option[length] == '=');
    if (letter && strncmp(option, letter, strlen(letter)) == 0)
        return option + strlen(letter);
    return NULL;
}

/* Options that say something of the device's code, its speed or its debugging, and change nothing here. */
static bool is_of_no_matter(const char *option)
{
    static const char *const beginnings[] = {
        "--gpu-architecture",
        "-arch",
        "--relocatable-device-code",
        "-rdc",
        "--device-debug",
        "-G",
        "--generate-line-info",
        "-lineinfo",
        "--dopt",
        "-dopt",
        "--ptxas-options",
        "-Xptxas",
        "--maxrregcount",
        "-maxrregcount",
        "--ftz",
        "-ftz",
        "--prec-",
        "-prec-",
        "--fmad",
        "-fmad",
        "--use_fast_math",
        "-use_fast_math",
        "--extra-device-vectorization",
        "-extra-device",
        "--default-device",
        "-default-device",
        "--device-as-default",
        "-device-as-default",
        "--restrict",
        "-restrict",
        "--disable-warnings",
        "-w",
        "--diag-",
        "-diag-",
        "--display-error",
        "-err-no",
        "--brief-",
        "-brief-",
        "--device-int128",
        "-device-int128",
        "--optimization-info",
        "-opt-info",
        "--no-",
        "-no-",
        "--dlink-time-opt",
        "-dlto",
        "--modify-stack-limit",
        "-modify-stack",
        "--builtin-",
        "-builtin-",
        "--split-compile",
        "-split-compile",
        "--version-ident",
        "-version-ident",
        "--minimal",
        "-minimal",
    };
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
        if (strncmp(option, beginnings[k], strlen(beginnings[k])) == 0)
            return true;
    return false;
}

/* Makes the compiler's words of an option; 0: it is none, else how many of NVRTC's words it is. */
static int take_option(const char *const *options, int left, char **word)
{
    static const struct {
        const char *name, *letter, *gcc_option;
    } known[] = {
        {"--include-path", "-I", "-I"},
        {"--define-macro", "-D", "-D"},
        {"--undefine-macro", "-U", "-U"},
        {"--std", "-std=", "-std="},
        {"--pre-include", "-include=", "-include"},
    };
    *word = NULL;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const char *value = value_of(options[0], known[k].name, known[k].letter);
        if (!value)
            continue;
        const bool is_next = !*value && left > 1;
        if (is_next)
            value = options[1];
        return asprintf(word, "%s%s", known[k].gcc_option, value) < 0 ? 0 : 1 + is_next;
    }
    return is_of_no_matter(options[0]);
}

/* ---- compiling ---- */

static nvrtcResult run_compiler(nvrtcProgram program, const char *const *words)
{
    const struct rd_file_program *running = rd_sim_runtime_program();
    struct rd_error error = {""};
    program->compile = (struct rd_file_compile){
        .name = program->name,
        .text = program->text,
        .options = words,
        .headers = (const char *const *)program->headers,
        .header_names = (const char *const *)program->header_names,
        .n_headers = program->n_headers,
        .expressions = (const char *const *)program->expressions,
        .n_expressions = program->n_expressions,
    };
    const enum rd_status status =
        running->compile ? running->compile(running->how.self, &program->compile, &error)
                         : RD_ERROR_DEVICE;
    if (status == RD_OK) {
        program->image = rd_sim_image_of(program->compile.library);
        program->has_compiled = program->image != NULL;
        return program->image ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
    }
    if (status != RD_ERROR_INPUT)
        rd_sim_runtime_lacks("what nvrtcCompileProgram was to compile: %s", error.text);
    return status == RD_ERROR_INPUT ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_INTERNAL_ERROR;
}

static nvrtcResult compile(nvrtcProgram program, int count, const char *const *options)
{
    char **words = calloc((size_t)count + 1, sizeof *words);
    size_t n = 0;
    nvrtcResult result = words ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
    free(program->compile.log);
    free(program->image); /* of the compilation before this */
    program->compile.log = NULL;
    program->image = NULL;
    program->has_compiled = false;
    for (int k = 0, taken; k < count && result == NVRTC_SUCCESS; k += taken) {
        char *word;
        taken = take_option(options + k, count - k, &word);
        if (word)
            words[n++] = word;
        if (taken > 0)
            continue;
        result = NVRTC_ERROR_INVALID_OPTION;
        if (asprintf(&program->compile.log, "nvrtc: error: unrecognized option %s\n", options[k]) <
            0)
            program->compile.log = NULL;
    }
    program->was_compiled = true;
    if (result == NVRTC_SUCCESS)
        result = run_compiler(program, (const char *const *)words);
    for (size_t k = 0; k < n; k++)
        free(words[k]);
    free(words);
    program->compile.options = NULL;
    return result;
}

RD_HOOK nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
    BEGIN(nvrtcCompileProgram);
    if (!program || count < 0 || (count > 0 && !options))
        END(program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    END(compile(program, count, options));
}

/* ---- what comes of it ---- */

static nvrtcResult size_of_image(nvrtcProgram program, size_t *size_bytes)
{
    if (!program || !size_bytes)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    if (!program->has_compiled)
        return NVRTC_ERROR_INVALID_PROGRAM;
    *size_bytes = strlen(program->image) + 1;
    return NVRTC_SUCCESS;
}

static nvrtcResult copy_image(nvrtcProgram program, char *image)
{
    size_t size;
    const nvrtcResult result = size_of_image(program, &size);
    if (result != NVRTC_SUCCESS || !image)
        return result == NVRTC_SUCCESS ? NVRTC_ERROR_INVALID_INPUT : result;
    memcpy(image, program->image, size);
    return NVRTC_SUCCESS;
}

RD_HOOK nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size_bytes)
{
    BEGIN(nvrtcGetPTXSize);
    END(size_of_image(program, size_bytes));
}

RD_HOOK nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *image)
{
    BEGIN(nvrtcGetPTX);
    END(copy_image(program, image));
}

RD_HOOK nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size_bytes)
{
    BEGIN(nvrtcGetCUBINSize);
    END(size_of_image(program, size_bytes));
}

RD_HOOK nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image)
{
    BEGIN(nvrtcGetCUBIN);
    END(copy_image(program, image));
}

static const char *log_of(nvrtcProgram program)
{
    return program->compile.log ? program->compile.log : "";
}

RD_HOOK nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size_bytes)
{
    BEGIN(nvrtcGetProgramLogSize);
    if (!program || !size_bytes)
        END(program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    *size_bytes = strlen(log_of(program)) + 1;
    END(NVRTC_SUCCESS);
}

RD_HOOK nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    BEGIN(nvrtcGetProgramLog);
    if (!program || !log)
        END(program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    memcpy(log, log_of(program), strlen(log_of(program)) + 1);
    END(NVRTC_SUCCESS);
}

RD_HOOK nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression,
                                        const char **name)
{
    BEGIN(nvrtcGetLoweredName);
    if (!program || !expression || !name)
        END(program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    if (!program->has_compiled)
        END(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    *name = rd_sim_module_lowered(program->compile.library, expression);
    END(*name ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
}
