// SPDX-License-Identifier: MIT
#include "check/unit/unsimulated.h"
#include "check/source/lexer.h"

#include <stdlib.h>
#include <string.h>

/* ---- features ---- */

enum { HEADERS_MAX = 16 };

/* A word of a pattern fits a whole word of the file, or with * the start of one; what stands behind
 * it follows, with blanks or without. Words behind "|" say something only in a file that includes one
 * of the headers. A header may be a folder: "thrust/". */
static const struct feature {
    const char *name, *patterns;
    const char *headers[HEADERS_MAX];
} table[] = {
    {"this part of cuRAND",
     "curandStateScrambledSobol* curandGetScrambleConstants* curand_normal* curand_log_normal* "
     "curand_poisson* curand_discrete*",
     {NULL}},
    {"the Mersenne Twister MTGP32 in kernels",
     "curandStateMtgp32* curandMakeMTGP32* mtgp32_* mtgp32dc_*",
     {"curand_mtgp32"}},
    {"NPP", "npp* Npp* NPP_*", {"npp"}},
    {"thread block clusters",
     "__cluster_dims__ cluster_group this_cluster cluster_dim* map_shared_rank cluster_sync "
     "__cluster* cudaLaunchAttributeClusterDimension cudaLaunchKernelEx* cudaLaunchConfig_t "
     "cudaLaunchAttribute",
     {NULL}},
    {"bulk asynchronous copies",
     "cuda::device::memcpy_async_tx cuda::device::barrier_arrive_tx CUtensorMap",
     {NULL}},
    {"tensor cores on bits and numbers of 4 bits",
     "bmma_sync bmmaBitOp* wmma::experimental nvcuda::wmma::experimental precision::s4 "
     "precision::u4 precision::b1",
     {NULL}},
    {"floats of 6 and 4 bits", "__nv_fp6* __nv_fp4*", {"cuda_fp6.h", "cuda_fp4.h"}},
    {"named barriers", "__barrier_sync*", {NULL}},
    {"grids on several devices",
     "multi_grid_group this_multi_grid cudaLaunchCooperativeKernelMultiDevice",
     {NULL}},
    {"this part of CUB", "cub::", {"cub/"}},
    {"this part of Thrust", "thrust::", {"thrust/"}},
    {"CUTLASS", "cutlass:: cute::", {"cutlass/", "cute/"}},
    {"libcu++",
     "cuda::ptx:: cuda::proclaim_* cuda::annotated_ptr cuda::apply_access_property cuda::std::span "
     "cuda::std::mdspan cuda::std::expected",
     {"cuda/functional", "cuda/annotated_ptr", "cuda/cmath", "cuda/bit", "cuda/ptx", "cuda/warp",
      "cuda/access_property", "cuda/std/span", "cuda/std/mdspan", "cuda/std/expected",
      "nv/target"}},
    {"this part of cuBLAS", "cublas* CUBLAS_*", {"cublas", "cublasLt.h", "cublasXt.h"}},
    {"this part of cuFFT", "cufft* CUFFT_*", {"cufft"}},
    {"this part of cuSPARSE", "cusparse* CUSPARSE_*", {"cusparse"}},
    {"cuSOLVER", "cusolver* CUSOLVER_*", {"cusolver"}},
    {"cuDNN", "cudnn*", {"cudnn"}},
    {"this part of PyTorch", "torch:: at:: c10::", {NULL}},
    {"NCCL", "nccl*", {"nccl"}},
    {"NVSHMEM", "nvshmem*", {"nvshmem"}},
    {"NVTX", "nvtx3::", {"nvtx3/nvtx3.hpp"}},
    {"graphics", "cudaGraphics* cudaGL* cudaVDPAU* cudaEGL* PFNGL*", {"cuda_gl_interop.h"}},
    {"this part of CUDA graphs", "cudaGraph* cudaStreamBeginCapture cudaStreamEndCapture", {NULL}},
    {"this part of the memory pools of streams",
     "cudaMemPool* cudaDeviceGetDefaultMemPool",
     {NULL}},
    {"graphics",
     "cuGL* cuEGL* CUegl* cuGraphics* CUgraphics* cuVDPAU*",
     {"cudaGL.h", "cudaEGL.h", "cudaVDPAU.h"}}, /* before what begins alike */
    {"graphs of the driver's interface", "cuGraph* CUgraph* CUDA_KERNEL_NODE_PARAMS", {NULL}},
    {"texture references of the driver's interface",
     "CUtexref CUsurfref cuTexRef* cuSurfRef* CU_PARAM_TR_DEFAULT",
     {NULL}},
    {"this part of the driver's interface",
     "CUlibrary CUkernel cuLibrary* cuKernel* cuMemPool* CUmemPool* CUDA_EXTERNAL_* cuIpc* CUipc* "
     "CUexternal* cuMulticast* cuTensorMap* CUlaunchConfig* CUlaunchAttribute* cuGreenCtx* "
     "cuCoredump* cuStreamBatchMemOp CUstreamBatchMemOpParams CUDA_LAUNCH_PARAMS cuParam*",
     {"cudaTypedefs.h"}},
    {"this part of NVRTC",
     "nvrtcGetLTOIR* nvrtcGetNVVM* nvrtcGetOptiXIR* nvrtcSetFlowCallback",
     {NULL}},
};
enum { N_FEATURES = sizeof table / sizeof *table };

/* ---- headers ---- */

/* The name that an #include has: from behind its bracket or quotation mark. */
static const char *included(const char *directive, const char *end)
{
    size_t length;
    const char *word = rd_lexer_word(directive + 1, &length);
    if (!word || word >= end || !rd_lexer_is(word, length, "include"))
        return NULL;
    const char *name = word + length + strspn(word + length, " \t");
    return name < end && (*name == '<' || *name == '"') ? name + 1 : NULL;
}

static bool has_header(const struct feature *feature, const char *name)
{
    for (unsigned k = 0; k < HEADERS_MAX && feature->headers[k]; k++)
        if (strncmp(name, feature->headers[k], strlen(feature->headers[k])) == 0)
            return true;
    return false;
}

static const struct feature *feature_of_header(const char *name)
{
    for (unsigned k = 0; k < N_FEATURES; k++)
        if (has_header(&table[k], name))
            return &table[k];
    return NULL;
}

/* The features whose headers a file includes: one bit each. */
static unsigned long included_of(const char *text)
{
    unsigned long features = 0;
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        const char *end = rd_lexer_directive(text, at), *name = end > at ? included(at, end) : NULL;
        const struct feature *feature = name ? feature_of_header(name) : NULL;
        if (feature)
            features |= 1ul << (feature - table);
    }
    return features;
}

/* ---- words ---- */

/* Tells whether what stands at a word fits a pattern, "cuda::std::" or "tex2D*". */
static bool fits(const char *word, const char *pattern, size_t pattern_length)
{
    const char *end = pattern + pattern_length;
    while (pattern < end) {
        size_t length = strspn(pattern, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_");
        if (length > 0) {
            const char *behind = word + length;
            pattern += length;
            bool is_prefix = *pattern == '*';
            if (strncmp(word, pattern - length, length) != 0 ||
                (rd_lexer_is_letter(*behind) && !is_prefix))
                return false;
            word = behind;
            pattern += is_prefix;
        } else {
            word = rd_lexer_blanks(word);
            if (*word != *pattern)
                return false;
            word++;
            pattern++;
            word =
                pattern < end && *pattern != ':' && *pattern != '<' ? rd_lexer_blanks(word) : word;
        }
    }
    return true;
}

static bool is_used(const struct feature *feature, const char *word, bool has_headers)
{
    for (const char *at = feature->patterns; *at;) {
        size_t length = strcspn(at, " ");
        if (*at == '|' && !has_headers)
            return false;
        if (*at != '|' && fits(word, at, length))
            return true;
        at += length + strspn(at + length, " ");
    }
    return false;
}

static const char *feature_at(const char *word, unsigned long headers)
{
    for (unsigned k = 0; k < N_FEATURES; k++)
        if (is_used(&table[k], word, headers >> k & 1))
            return table[k].name;
    return NULL;
}

/* "textures", and where in the text; NULL: none. */
struct use {
    const char *what, *at;
};

static struct use find_use(const char *at, const char *end, unsigned long headers)
{
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length)) {
        const char *what = feature_at(word, headers);
        if (what)
            return (struct use){what, word};
    }
    return (struct use){NULL, NULL};
}

const char *rd_check_feature_on(const char *text, const char *at, const char *end)
{
    const char *hash = memchr(at, '#', (size_t)(end - at)), *name = NULL;
    if (hash && rd_lexer_directive(text, hash) > hash)
        name = included(hash, end);
    const struct feature *feature = name ? feature_of_header(name) : NULL;
    return feature ? feature->name : find_use(at, end, included_of(text)).what;
}

const char *rd_check_feature_named(const char *said)
{
    size_t length;
    for (const char *at = said; *at; at++)
        if (at == said || !rd_lexer_is_letter(at[-1])) {
            const struct feature *feature = feature_of_header(at);
            if (feature)
                return feature->name;
        }
    for (const char *word = rd_lexer_word(said, &length); word;
         word = rd_lexer_word(word + length, &length))
        if (feature_at(word, 0))
            return feature_at(word, 0);
    return NULL;
}

/* ---- changes ---- */

static void replace_body(struct rd_check_edits *edits, const char *text,
                         const struct rd_check_function *function, struct use use)
{
    rd_check_edits_add(edits, function->body, function->end, "{ __rd_unsimulated(\"%s\", %u); }",
                       use.what, rd_lexer_line(text, use.at));
}

/* The place where a kernel's parameter is said to be a reference, which is an address of the host's on the device; NULL: none is. One
 * whose type is called otherwise, by a typedef or as an argument of a template, is not seen. */
static const char *reference_of(const struct rd_check_function *kernel)
{
    const char *at = rd_lexer_blanks(kernel->name + kernel->name_length);
    if (*at == '<') /* of a specialization */
        at = rd_lexer_blanks(rd_lexer_behind_angles(at, kernel->body));
    if (!kernel->is_kernel || *at != '(')
        return NULL;
    int depth = 0; /* of parentheses and angles: of T x 1, of T (&x)[4] 2 */
    bool is_value = false;
    char before = '\0';
    for (const char *end = rd_lexer_behind(at); at < end; at = rd_lexer_blanks(at + 1)) {
        is_value = depth == 1 && *at != ',' && (is_value || *at == '=');
        if (*at == '&' && !is_value && (depth == 1 || (depth == 2 && before == '(')))
            return at;
        depth += (*at == '(' || *at == '<') - (*at == ')' || *at == '>');
        before = *at;
    }
    return NULL;
}

void rd_check_features_replace(struct rd_check_edits *edits, const char *text,
                               const struct rd_check_functions *functions)
{
    size_t length;
    for (size_t k = 0; k < functions->n; k++) {
        const struct rd_check_function *function = &functions->all[k];
        const char *reference = reference_of(function);
        if (reference) {
            replace_body(edits, text, function,
                         (struct use){"references as parameters of kernels", reference});
            continue;
        }
        for (const char *word = rd_lexer_word(function->head, &length);
             word && word < function->body; word = rd_lexer_word(word + length, &length))
            if (rd_lexer_is(word, length, "__cluster_dims__")) {
                replace_body(edits, text, function, (struct use){feature_at(word, 0), word});
                break;
            }
    }
}

/* The use of the feature that is an error: in the function or, where other parts of it are simulated, in a header's name. */
static struct use refused_use(const char *text, const struct rd_check_function *function,
                              struct use use, const struct rd_check_error_lines *errors)
{
    static const char part[] = "this part of ";
    const bool has_others = strncmp(use.what, part, strlen(part)) == 0;
    const char *of_header = NULL;
    for (unsigned k = 0; errors && k < errors->n; k++) {
        const char *at = rd_lexer_line_at(text, errors->all[k]);
        const char *end = at + strcspn(at, "\n"), *what = rd_check_feature_on(text, at, end);
        if (!what || strcmp(what, use.what) != 0)
            continue;
        if (end > function->head && at < function->end)
            return (struct use){use.what, at};
        if (has_others && !of_header && strchr(at, '#') && strchr(at, '#') < end)
            of_header = at;
    }
    return of_header ? (struct use){use.what, of_header} : use;
}

bool rd_check_features_remove(struct rd_check_edits *edits, const char *text,
                              const struct rd_check_functions *functions,
                              const struct rd_check_error_lines *errors)
{
    bool any = false;
    unsigned long headers = included_of(text);
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        const char *end = rd_lexer_directive(text, at), *name = end > at ? included(at, end) : NULL;
        if (name && feature_of_header(name)) {
            rd_check_edits_add(edits, at, end, "%s", "");
            any = true;
        }
    }
    for (size_t k = 0; k < functions->n; k++) {
        const struct rd_check_function *function = &functions->all[k];
        struct use use = find_use(function->body, function->end, headers);
        if (!use.what)
            use = find_use(function->head, function->body, headers);
        if (!use.what)
            continue;
        replace_body(edits, text, function, refused_use(text, function, use, errors));
        any = true;
    }
    return any;
}
