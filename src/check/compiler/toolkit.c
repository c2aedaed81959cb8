// SPDX-License-Identifier: MIT
/* The parts of an installed CUDA toolkit that users' files are compiled with. */
#include "check/compiler/headers.h"
#include "base/cache_folder.h"
#include "base/digest.h"
#include "check/options.h"
#include "check/source/includes.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beginnings of the names of headers that only declare functions, which the program may call or not; and of folders. Those of
 * the runtime are not among them: ours take their place. */
static const char *const declaring[] = {
    "cublas",   "cufft",      "cudalibxt.h", "cusparse",        "cusolver",
    "curand.h", "nvrtc.h",    "nvJitLink.h", "cudnn",           "nccl.h",
    "nvml.h",   "nvjpeg.h",   "npp",         "nvshmem",         "library_types.h",
    "cuda.h",   "cudaGL.h",   "cudaEGL.h",   "cudaProfiler.h",  "cudaTypedefs.h",
    "cupti",    "generated_", "nvvm.h",      "nvPTXCompiler.h", "cuda_stdint.h",
    NULL};

static const char *include_folder(void)
{
    static char folder[RD_CHECK_PATH_SIZE];
    static const char *const variables[] = {"CUDA_PATH", "CUDA_HOME"};
    for (unsigned k = 0; k < sizeof variables / sizeof *variables; k++) {
        const char *given = getenv(variables[k]);
        if (!given || !*given)
            continue;
        snprintf(folder, sizeof folder, "%s/include", given);
        if (rd_check_is_toolkit(folder))
            return folder;
    }
    snprintf(folder, sizeof folder, "/usr/local/cuda/include");
    return rd_check_is_toolkit(folder) ? folder : NULL;
}

static bool is_declaring(const char *name)
{
    for (unsigned k = 0; declaring[k]; k++)
        if (strncmp(name, declaring[k], strlen(declaring[k])) == 0)
            return true;
    return false;
}

bool rd_check_toolkit_link(const char *directory)
{
    char folder[RD_CACHE_PATH_SIZE + 16], from[RD_CHECK_PATH_SIZE + NAME_MAX + 2],
        to[sizeof folder + NAME_MAX + 2];
    const char *include = include_folder();
    snprintf(folder, sizeof folder, "%s/toolkit", directory);
    bool is_linked = mkdir(folder, 0700) == 0;
    DIR *files = is_linked && include ? opendir(include) : NULL;
    for (const struct dirent *file = files ? readdir(files) : NULL; file && is_linked;
         file = readdir(files)) {
        if (!is_declaring(file->d_name))
            continue;
        snprintf(from, sizeof from, "%s/%s", include, file->d_name);
        snprintf(to, sizeof to, "%s/%s", folder, file->d_name);
        is_linked = symlink(from, to) == 0;
    }
    if (files)
        closedir(files);
    return is_linked;
}

uint64_t rd_check_toolkit_digest(void)
{
    struct stat about;
    const char *include = include_folder();
    if (!include || stat(include, &about) != 0)
        return 0;
    return rd_digest_text(RD_DIGEST_START, include) ^
           ((uint64_t)about.st_ctim.tv_sec * 1000000000u + (uint64_t)about.st_ctim.tv_nsec);
}
