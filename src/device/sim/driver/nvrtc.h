// SPDX-License-Identifier: MIT
/* NVRTC as host code calls it: under names of the simulator's own. Compiled as C here, as C++ in users' files. NVRTC, 12. */
#ifndef RD_SIM_DRIVER_NVRTC_H
#define RD_SIM_DRIVER_NVRTC_H

#ifdef __CUDACC__ /* a user's file */
#include <reductio_runtime.h>
#else
#include "device/sim/runtime/api.h"
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RD_NVRTC_RESULTS(X)                                                                        \
    X(NVRTC_SUCCESS, 0)                                                                            \
    X(NVRTC_ERROR_OUT_OF_MEMORY, 1)                                                                \
    X(NVRTC_ERROR_PROGRAM_CREATION_FAILURE, 2)                                                     \
    X(NVRTC_ERROR_INVALID_INPUT, 3)                                                                \
    X(NVRTC_ERROR_INVALID_PROGRAM, 4)                                                              \
    X(NVRTC_ERROR_INVALID_OPTION, 5)                                                               \
    X(NVRTC_ERROR_COMPILATION, 6)                                                                  \
    X(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE, 7)                                                    \
    X(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, 8)                                        \
    X(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, 9)                                          \
    X(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, 10)                                                   \
    X(NVRTC_ERROR_INTERNAL_ERROR, 11)                                                              \
    X(NVRTC_ERROR_TIME_FILE_WRITE_FAILED, 12)
#define RD_NVRTC_MEMBER(name, number) name = number,
typedef enum { RD_NVRTC_RESULTS(RD_NVRTC_MEMBER) } nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

#define RD_NVRTC(name, ...) RD_RUNTIME(nvrtcResult, name, __VA_ARGS__)
RD_RUNTIME(const char *, nvrtcGetErrorString, nvrtcResult result);
RD_NVRTC(nvrtcVersion, int *major, int *minor);
RD_NVRTC(nvrtcGetNumSupportedArchs, int *count);
RD_NVRTC(nvrtcGetSupportedArchs, int *all);
RD_NVRTC(nvrtcCreateProgram, nvrtcProgram *program, const char *text, const char *name, int count,
         const char *const *headers, const char *const *names);
RD_NVRTC(nvrtcDestroyProgram, nvrtcProgram *program);
RD_NVRTC(nvrtcCompileProgram, nvrtcProgram program, int count, const char *const *options);
RD_NVRTC(nvrtcGetPTXSize, nvrtcProgram program, size_t *size_bytes);
RD_NVRTC(nvrtcGetPTX, nvrtcProgram program, char *image);
RD_NVRTC(nvrtcGetCUBINSize, nvrtcProgram program, size_t *size_bytes);
RD_NVRTC(nvrtcGetCUBIN, nvrtcProgram program, char *image);
RD_NVRTC(nvrtcGetProgramLogSize, nvrtcProgram program, size_t *size_bytes);
RD_NVRTC(nvrtcGetProgramLog, nvrtcProgram program, char *log);
RD_NVRTC(nvrtcAddNameExpression, nvrtcProgram program, const char *expression);
RD_NVRTC(nvrtcGetLoweredName, nvrtcProgram program, const char *expression, const char **name);

#ifdef __cplusplus
}
#endif

#endif
