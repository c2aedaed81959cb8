// SPDX-License-Identifier: MIT
// NVRTC: what is compiled while the program runs; results, a line each, and mistakes, "// want HAZARD" in the line that is to be
// told.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>

enum { N = 64 };

static void is(const char *what, bool right)
{
    printf("%s: %s\n", what, right ? "ok" : "WRONG");
}

static bool good(nvrtcResult result)
{
    if (result != NVRTC_SUCCESS)
        printf("%s\n", nvrtcGetErrorString(result));
    return result == NVRTC_SUCCESS;
}

static bool good(CUresult result)
{
    const char *name = "no name";
    if (result != CUDA_SUCCESS)
        printf("%s\n", cuGetErrorName(result, &name) == CUDA_SUCCESS ? name : "no name");
    return result == CUDA_SUCCESS;
}

static std::string log_of(nvrtcProgram program)
{
    size_t size = 0;
    std::string log;
    is("log", good(nvrtcGetProgramLogSize(program, &size)) && size > 0);
    log.resize(size);
    nvrtcGetProgramLog(program, &log[0]);
    log.resize(size - 1);
    return log;
}

static const char text[] = "#include \"scale.h\"\n"
                           "__constant__ float offset[2];\n"
                           "template <class T> __global__ void scale(T *a, int n)\n"
                           "{\n"
                           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "    if (i < n) a[i] = a[i] * TIMES + offset[0] + BASE;\n"
                           "}\n"
                           "extern \"C\" __global__ void twice(float *a)\n"
                           "{\n"
                           "    __shared__ float s[64];\n"
                           "    s[threadIdx.x] = a[threadIdx.x];\n"
                           "    a[threadIdx.x] = s[63 - threadIdx.x];\n"
                           "}\n";

static void wrong()
{
    nvrtcProgram program;
    const char *bad = "--bad";
    is("created",
       good(nvrtcCreateProgram(&program, "__global__ void k(int *a)\n{\n    a[0] = b;\n}\n",
                               "wrong.cu", 0, nullptr, nullptr)));
    is("refused", nvrtcCompileProgram(program, 0, nullptr) == NVRTC_ERROR_COMPILATION);
    is("says where", log_of(program).find("wrong.cu:3:12: error: ") != std::string::npos);
    is("option", nvrtcCompileProgram(program, 1, &bad) == NVRTC_ERROR_INVALID_OPTION &&
                     log_of(program).find("--bad") != std::string::npos);
    nvrtcCompileProgram(program, 1, &bad); // want unchecked-error
    is("destroyed", good(nvrtcDestroyProgram(&program)) && !program);
}

int main()
{
    nvrtcProgram program;
    const char *header = "#define TIMES 3\n", *header_name = "scale.h";
    const char *options[] = {"--gpu-architecture=compute_90", "-DBASE=1", "-std=c++17"};
    const char *name = "", *variable = "";
    size_t size = 0, bytes = 0;
    wrong();
    is("created", good(nvrtcCreateProgram(&program, text, "scale.cu", 1, &header, &header_name)) &&
                      good(nvrtcAddNameExpression(program, "scale<float>")) &&
                      good(nvrtcAddNameExpression(program, "&offset")));
    is("too early", nvrtcGetLoweredName(program, "&offset", &name) ==
                        NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    is("compiled", good(nvrtcCompileProgram(program, 3, options)) && log_of(program) == "");
    is("names", good(nvrtcGetLoweredName(program, "scale<float>", &name)) &&
                    strcmp(name, "_Z5scaleIfEvPT_i") == 0 &&
                    good(nvrtcGetLoweredName(program, "&offset", &variable)) &&
                    nvrtcGetLoweredName(program, "none", &variable) ==
                        NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    is("image", good(nvrtcGetPTXSize(program, &size)) && size > 1);
    std::string image(size, '\0');
    nvrtcGetPTX(program, &image[0]);

    CUcontext context;
    CUmodule module, again;
    CUfunction scale, twice;
    CUdeviceptr a, offset;
    float h[N], of_offset[2] = {10, 20};
    for (int i = 0; i < N; i++)
        h[i] = i;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    is("modules", good(cuModuleLoadData(&module, image.c_str())) &&
                      good(cuModuleLoadDataEx(&again, image.c_str(), 0, nullptr, nullptr)));
    is("variables", good(nvrtcGetLoweredName(program, "&offset", &variable)) &&
                        good(cuModuleGetGlobal(&offset, &bytes, module, variable)) && bytes == 8 &&
                        good(cuMemcpyHtoD(offset, of_offset, 8)));
    is("kernels", good(cuModuleGetFunction(&scale, module, name)) &&
                      good(cuModuleGetFunction(&twice, again, "twice")));
    cuMemAlloc(&a, sizeof h);
    cuMemcpyHtoD(a, h, sizeof h);
    int n = N;
    void *values[] = {&a, &n};
    is("launch", good(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, nullptr, values, nullptr)) &&
                     good(cuMemcpyDtoH(h, a, sizeof h)) && h[2] == 17);
    cuLaunchKernel(twice, 1, 1, 1, N, 1, 1, 0, nullptr, values, nullptr); // a race at scale.cu:11
    is("destroyed", good(nvrtcDestroyProgram(&program)));
    cuMemFree(a);
    is("end", good(cuCtxDestroy(context)));
    return 0;
}
