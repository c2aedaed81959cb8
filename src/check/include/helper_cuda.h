// SPDX-License-Identifier: MIT
// Errors and devices, as NVIDIA's samples ask for them.
#ifndef RD_HELPER_CUDA_H
#define RD_HELPER_CUDA_H

#include "helper_string.h"

inline const char *_cudaGetErrorEnum(cudaError_t error)
{
    return cudaGetErrorName(error);
}
template <class T> inline const char *_cudaGetErrorEnum(T)
{
    return "<unknown>"; // a library's
}
template <class T> inline void check(T result, const char *call, const char *file, int line)
{
    if (!result)
        return;
    fprintf(stderr, "CUDA error at %s:%d code=%u(%s) \"%s\" \n", file, line, (unsigned)result,
            _cudaGetErrorEnum(result), call);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(value)      check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(message)   rd_helper_last((message), __FILE__, __LINE__, true)
#define printLastCudaError(message) rd_helper_last((message), __FILE__, __LINE__, false)
inline void rd_helper_last(const char *message, const char *file, int line, bool ends)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s(%i) : CUDA error : %s : (%d) %s.\n", file, line, message, (int)error,
            cudaGetErrorString(error));
    if (ends)
        exit(EXIT_FAILURE);
}

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
inline int ftoi(float value)
{
    return (int)(value >= 0 ? value + 0.5 : value - 0.5);
}

// Of these, the CUDA C++ Programming Guide has a table: "Arithmetic Instructions".
inline int _ConvertSMVer2Cores(int major, int minor)
{
    return major < 6 || major > 8 || (minor > 0 && (major == 6 || major == 8)) ? 128 : 64;
}
inline const char *_ConvertSMVer2ArchName(int major, int minor)
{
    return major == 9                 ? "Hopper"
           : major == 8 && minor == 9 ? "Ada"
           : major == 8               ? "Ampere"
           : major == 7 && minor == 5 ? "Turing"
           : major == 7               ? "Volta"
           : major == 6               ? "Pascal"
           : major >= 10              ? "Blackwell"
                                      : "Maxwell";
}
inline int gpuDeviceInit(int device)
{
    int n = 0;
    checkCudaErrors(cudaGetDeviceCount(&n));
    if (device < 0)
        device = 0;
    if (device >= n) {
        fprintf(stderr, "gpuDeviceInit: %d is no device, of which there are %d\n", device, n);
        return -device;
    }
    checkCudaErrors(cudaSetDevice(device));
    return device;
}
inline int gpuGetMaxGflopsDeviceId()
{
    return 0; // all are alike
}
inline int findCudaDevice(int argc, const char **argv)
{
    int major = 0, minor = 0, device = 0;
    if (checkCmdLineFlag(argc, argv, "device")) {
        device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
        if (device < 0)
            exit(EXIT_FAILURE);
    } else {
        checkCudaErrors(cudaSetDevice(device));
    }
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
           _ConvertSMVer2ArchName(major, minor), major, minor);
    return device;
}
inline int findIntegratedGPU()
{
    return -1;
}
inline bool checkCudaCapabilities(int major, int minor)
{
    int device = 0, has_major = 0, has_minor = 0;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaDeviceGetAttribute(&has_major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&has_minor, cudaDevAttrComputeCapabilityMinor, device));
    return has_major > major || (has_major == major && has_minor >= minor);
}

#endif
